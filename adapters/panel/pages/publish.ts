import { randomUUID } from 'node:crypto';
import { DomainError, requestKey } from '../../../application/index.js';
import { countCreate } from '../../http/middleware/rate-limits.js';
import { draftIn, draftOf, fieldsData, previewOf, unchecked, wordingsIn, type TypedDraft } from '../automation-form.js';
import { formIdOf, textOf, type Form } from '../form.js';
import { sellerForm, sellerPage } from '../guards.js';
import { messagesIn, messagesOf, type Messages } from '../messages.js';
import { queryOf, seeOther, show } from '../page.js';
import type { Resource } from '../routes.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';

/** The form as it was typed. */
interface Draft extends TypedDraft {
  /** Makes a form that is sent twice publish once. */
  readonly formId: string;
}

const EMPTY: TypedDraft = { title: '', description: '', price: '', categoryId: '' };

export function publishingPages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    '/automations/new': {
      GET: sellerPage(panel, async (ctx, signedIn) => {
        const draft = await firstDraft(queryOf(ctx).get('from'), panel, signedIn);
        await showForm(ctx, panel, signedIn, { draft: { ...draft, formId: randomUUID() } });
      }),
      POST: sellerForm(
        panel,
        (ctx, signedIn, form) => send(ctx, panel, signedIn, form),
        (ctx, signedIn, form, messages) => showForm(ctx, panel, signedIn, { draft: typedIn(form), messages }),
      ),
    },
  };
}

/** Returns the content of another automation of the same developer, on sale or withdrawn, to publish it again. */
async function firstDraft(from: string | null, { records }: Panel, { person }: SignedInDeveloper): Promise<TypedDraft> {
  return from === null ? EMPTY : draftOf((await records.read(person, from)).automation);
}

async function send(ctx: Context, panel: Panel, signedIn: SignedInDeveloper, form: Form): Promise<void> {
  const draft = typedIn(form);
  if (textOf(form, 'step') === 'preview') await preview(ctx, panel, signedIn, draft);
  else await publish(ctx, panel, signedIn, draft);
}

function typedIn(form: Form): Draft {
  return { ...draftIn(form), formId: formIdOf(form) || randomUUID() };
}

async function preview(ctx: Context, panel: Panel, signedIn: SignedInDeveloper, draft: Draft): Promise<void> {
  const errors = await panel.marketplace.reviewAutomation(unchecked(draft, panel.marketplace.currency));
  const messages = messagesOf(errors, wordingsIn(panel.marketplace.currency));
  await showForm(ctx, panel, signedIn, { draft, messages, isPreview: errors.length === 0 });
}

async function publish(ctx: Context, panel: Panel, signedIn: SignedInDeveloper, draft: Draft): Promise<void> {
  const seconds = await countCreate(ctx, panel.quotas, signedIn.account.id);
  if (seconds !== undefined) {
    await showForm(ctx, panel, signedIn, { draft, messages: { form: TEXTS.form.tooMany(seconds) } }, 429);
    return;
  }
  const { currency } = panel.marketplace;
  try {
    const [offered, key] = [unchecked(draft, currency), requestKey(draft.formId)];
    const { automation } = await panel.marketplace.createAutomationOnce(signedIn.caller, offered, key);
    seeOther(ctx, `${panel.at}/automations/${automation.id}?notice=published`);
  } catch (error) {
    const isReused = error instanceof DomainError && error.kind === 'idempotency-key-reused';
    const filled = isReused
      ? { draft: { ...draft, formId: randomUUID() }, messages: { form: TEXTS.publish.alreadySent } }
      : { draft, messages: messagesIn(error, wordingsIn(currency)) };
    await showForm(ctx, panel, signedIn, filled, isReused ? 409 : 422);
  }
}

interface Filled {
  readonly draft: Draft;
  readonly messages?: Messages;
  /** Whether the preview was asked for: then narrow screens show it, too. */
  readonly isPreview?: boolean;
}

async function showForm(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInDeveloper,
  { draft, messages = {}, isPreview = false }: Filled,
  status?: number,
): Promise<void> {
  const fields = await fieldsData(ctx, panel, signedIn);
  const form = { ...fields, draft, formId: draft.formId, messages, isPreview, preview: previewOf(draft, fields) };
  const page = { title: TEXTS.publish.title, current: 'automations', signedIn } as const;
  const texts = { form: TEXTS.publish, action: `${panel.at}/automations/new`, back: `${panel.at}/automations` };
  show(ctx, panel, 'automation-form', { ...page, ...form, ...texts, backText: TEXTS.automation.back }, status);
}
