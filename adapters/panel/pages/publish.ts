import { randomUUID } from 'node:crypto';
import { DomainError, requestKey, type CountedCategory } from '../../../application/index.js';
import type { Currency } from '../../../domain/currency.js';
import { draftIn, fieldsData, unchecked, wordingsIn, type TypedDraft } from '../automation-form.js';
import { formIdOf, textOf, type Form } from '../form.js';
import { authenticatedForm, authenticatedPage } from '../guards.js';
import { messagesIn, messagesOf, type Messages } from '../messages.js';
import { seeOther, show } from '../page.js';
import type { Resource } from '../routes.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';
import { priceText } from './automations.js';

/** The form as it was typed. */
interface Draft extends TypedDraft {
  /** Makes a form that is sent twice publish once. */
  readonly formId: string;
}

const emptyDraft = (): Draft => ({ title: '', description: '', price: '', categoryId: '', formId: randomUUID() });

export function publishingPages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    '/automations/new': {
      GET: authenticatedPage(panel, (ctx, signedIn) => showForm(ctx, panel, signedIn, { draft: emptyDraft() })),
      POST: authenticatedForm(panel, (ctx, signedIn, form) => send(ctx, panel, signedIn, form)),
    },
  };
}

async function send(ctx: Context, panel: Panel, signedIn: SignedInDeveloper, form: Form): Promise<void> {
  const draft = { ...draftIn(form), formId: formIdOf(form) || randomUUID() };
  if (textOf(form, 'step') === 'preview') await preview(ctx, panel, signedIn, draft);
  else await publish(ctx, panel, signedIn, draft);
}

async function preview(ctx: Context, panel: Panel, signedIn: SignedInDeveloper, draft: Draft): Promise<void> {
  const errors = await panel.marketplace.reviewAutomation(unchecked(draft));
  const messages = messagesOf(errors, wordingsIn(panel.marketplace.currency));
  await showForm(ctx, panel, signedIn, { draft, messages, isPreview: true });
}

async function publish(ctx: Context, panel: Panel, signedIn: SignedInDeveloper, draft: Draft): Promise<void> {
  try {
    const key = requestKey(draft.formId);
    const { automation } = await panel.marketplace.createAutomationOnce(signedIn.caller, unchecked(draft), key);
    seeOther(ctx, `${panel.at}/automations/${automation.id}?notice=published`);
  } catch (error) {
    const isReused = error instanceof DomainError && error.kind === 'idempotency-key-reused';
    const filled = isReused
      ? { draft: { ...draft, formId: randomUUID() }, messages: { form: TEXTS.publish.alreadySent } }
      : { draft, messages: messagesIn(error, wordingsIn(panel.marketplace.currency)) };
    await showForm(ctx, panel, signedIn, filled, isReused ? 409 : 422);
  }
}

interface Filled {
  readonly draft: Draft;
  readonly messages?: Messages;
  readonly isPreview?: boolean;
}

async function showForm(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInDeveloper,
  { draft, messages = {}, isPreview = false }: Filled,
  status?: number,
): Promise<void> {
  const fields = await fieldsData(panel, signedIn);
  const isRight = Object.keys(messages).length === 0;
  const preview = isPreview && isRight ? previewOf(draft, fields) : undefined;
  const form = { ...fields, draft, messages, preview };
  show(ctx, panel, 'publish', { title: TEXTS.publish.title, current: 'automations', signedIn, ...form }, status);
}

interface Shown {
  readonly currency: Currency;
  readonly categories: readonly CountedCategory[];
}

function previewOf(draft: Draft, { currency, categories }: Shown) {
  return {
    title: draft.title.trim(),
    description: draft.description.trim(),
    price: priceText(Number(draft.price), currency),
    category: categories.find(({ id }) => id === draft.categoryId)?.name ?? '',
  };
}
