import { randomUUID } from 'node:crypto';
import { DomainError, requestKey, type CountedCategory, type UncheckedDraft } from '../../../application/index.js';
import { DESCRIPTION, TITLE } from '../../../domain/automation.js';
import { decimalsOf, type Currency } from '../../../domain/currency.js';
import { highestPrice } from '../../../domain/price.js';
import { allowedCharacters } from '../../../domain/text.js';
import { formIdOf, textOf, type Form } from '../form.js';
import { authenticatedForm, authenticatedPage } from '../guards.js';
import { messagesIn, messagesOf, type Messages, type Wordings } from '../messages.js';
import { seeOther, show } from '../page.js';
import type { Resource } from '../routes.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';
import { priceText } from './automations.js';

const WORDINGS = {
  title: { label: 'Title', instead: { 'too-short': 'Title is required.' } },
  description: { label: 'Description', instead: { 'too-short': 'Description is required.' } },
  categoryId: {
    label: 'Category',
    instead: { required: 'Category is required.', 'unknown-value': 'Choose a category.' },
  },
} as const satisfies Wordings;

function wordingsIn(currency: Currency): Wordings {
  const wrongType = `Price must be a number such as ${examplePrice(currency)}.`;
  const instead = { required: 'Price is required.', 'wrong-type': wrongType };
  return { ...WORDINGS, price: { label: 'Price', instead } };
}

function examplePrice(currency: Currency): string {
  return decimalsOf(currency) === 0 ? '10' : '9.99';
}

const ALREADY_SENT =
  'This form was already sent with other content. Check your automations, then send it again to publish this one too.';

/** The form as it was typed. */
interface Draft {
  readonly title: string;
  readonly description: string;
  readonly price: string;
  readonly categoryId: string;
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
  const draft = draftIn(form);
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
      ? { draft: { ...draft, formId: randomUUID() }, messages: { form: ALREADY_SENT } }
      : { draft, messages: messagesIn(error, wordingsIn(panel.marketplace.currency)) };
    await showForm(ctx, panel, signedIn, filled, isReused ? 409 : 422);
  }
}

function draftIn(form: Form): Draft {
  return {
    title: textOf(form, 'title'),
    description: textOf(form, 'description'),
    price: textOf(form, 'price').trim(),
    categoryId: textOf(form, 'categoryId'),
    formId: formIdOf(form) || randomUUID(),
  };
}

/** Omits empty fields. A price that is not a number stays text, and the core reports it. */
function unchecked({ title, description, price, categoryId }: Draft): UncheckedDraft {
  return {
    title,
    description,
    ...(price !== '' && { price: /^\d{1,12}(\.\d{1,6})?$/.test(price) ? Number(price) : price }),
    ...(categoryId !== '' && { categoryId }),
  };
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
  const { currency } = panel.marketplace;
  const categories = await panel.marketplace.listCategories(signedIn.caller);
  const isRight = Object.keys(messages).length === 0;
  const preview = isPreview && isRight ? previewOf(draft, currency, categories) : undefined;
  const form = { draft, messages, preview, categories, currency, rules: rulesIn(currency) };
  show(ctx, panel, 'publish', { title: 'Publish an automation', section: 'automations', signedIn, ...form }, status);
}

function rulesIn(currency: Currency) {
  const prices = { decimals: decimalsOf(currency), highest: highestPrice(currency), example: examplePrice(currency) };
  return { title: ruleOf(TITLE), description: ruleOf(DESCRIPTION), ...prices };
}

function ruleOf(rule: typeof TITLE) {
  return { most: rule.maxLength, pattern: allowedCharacters(rule) };
}

function previewOf(draft: Draft, currency: Currency, categories: readonly CountedCategory[]) {
  return {
    title: draft.title.trim(),
    description: draft.description.trim(),
    price: priceText(Number(draft.price), currency),
    category: categories.find(({ id }) => id === draft.categoryId)?.name ?? '',
  };
}
