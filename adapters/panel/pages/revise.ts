import { DomainError, type Automation, type CountedCategory } from '../../../application/index.js';
import { typedPrice } from '../../../domain/typed-price.js';
import { countCreate } from '../../http/middleware/rate-limits.js';
import type { Acting } from '../acting.js';
import { draftIn, draftOf, fieldsData, previewOf, unchecked, wordingsIn, type TypedDraft } from '../automation-form.js';
import { textOf, type Form } from '../form.js';
import { messagesIn, messagesOf, type Messages } from '../messages.js';
import { seeOther, show } from '../page.js';
import { idOf, type Resource } from '../routes.js';
import type { Shelf } from '../shelf.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel } from '../visit.js';
import { automationOnSale } from './automation.js';

const F = TEXTS.form;

/** The form with which an automation of a shelf is revised. */
export function revisionPages(panel: Panel, shelf: Shelf): Readonly<Record<string, Resource>> {
  return {
    [`${shelf.path}/:id/revise`]: {
      GET: shelf.page(panel, async (ctx, acting) => {
        const stored = await automationOnSale(ctx, panel, acting);
        await showForm(ctx, panel, shelf, acting, { draft: draftOf(stored), basedOn: stored.updatedAt });
      }),
      POST: shelf.form(
        panel,
        (ctx, acting, form) => revise(ctx, panel, shelf, acting, form),
        (ctx, acting, form, messages) => showForm(ctx, panel, shelf, acting, { ...typedIn(form), messages }),
      ),
    },
  };
}

async function revise(ctx: Context, panel: Panel, shelf: Shelf, signedIn: Acting, form: Form): Promise<void> {
  const { draft, basedOn } = typedIn(form);
  if (textOf(form, 'step') === 'preview') {
    await preview(ctx, panel, shelf, signedIn, { draft, basedOn });
    return;
  }
  const seconds = await countCreate(ctx, panel.quotas, signedIn.account.id);
  if (seconds === undefined) await save(ctx, panel, shelf, signedIn, { draft, basedOn });
  else {
    const messages = { form: F.tooMany(seconds) };
    await showForm(ctx, panel, shelf, signedIn, { draft, basedOn, messages }, 429);
  }
}

async function save(ctx: Context, panel: Panel, shelf: Shelf, signedIn: Acting, typed: Typed): Promise<void> {
  const [id, { draft, basedOn }] = [idOf(ctx), typed];
  try {
    const changes = { price: '', categoryId: '', ...unchecked(draft, panel.marketplace.currency) };
    const { changed } = await panel.marketplace.reviseAutomation(signedIn.by, id, changes, basedOn);
    seeOther(ctx, `${panel.at}${shelf.path}/${id}?notice=${changed.length > 0 ? 'revised' : 'unchanged'}`);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'revised-meanwhile') {
      await showConflict(ctx, panel, shelf, signedIn, draft);
      return;
    }
    const messages = messagesIn(error, wordingsIn(panel.marketplace.currency));
    await showForm(ctx, panel, shelf, signedIn, { ...typed, messages });
  }
}

function typedIn(form: Form): Pick<Filled, 'draft' | 'basedOn'> {
  return { draft: draftIn(form), basedOn: new Date(textOf(form, 'basedOn')) };
}

async function preview(ctx: Context, panel: Panel, shelf: Shelf, signedIn: Acting, typed: Filled): Promise<void> {
  await automationOnSale(ctx, panel, signedIn);
  const errors = await panel.marketplace.reviewAutomation(unchecked(typed.draft, panel.marketplace.currency));
  const messages = messagesOf(errors, wordingsIn(panel.marketplace.currency));
  await showForm(ctx, panel, shelf, signedIn, { ...typed, messages, isPreview: errors.length === 0 });
}

/** Shows both versions. A form that was sent twice has nothing to compare: the first one saved the same values. */
async function showConflict(
  ctx: Context,
  panel: Panel,
  shelf: Shelf,
  signedIn: Acting,
  draft: TypedDraft,
): Promise<void> {
  const stored = await automationOnSale(ctx, panel, signedIn);
  const differences = differencesOf(stored, draft, await panel.marketplace.listCategories(signedIn.caller));
  if (differences.length === 0) seeOther(ctx, `${panel.at}${shelf.path}/${stored.id}?notice=revised`);
  else {
    const filled = { draft, basedOn: stored.updatedAt, messages: { form: TEXTS.revise.conflict }, differences };
    await showForm(ctx, panel, shelf, signedIn, filled, 409);
  }
}

/** A field with two values, for people. */
interface ShownDifference {
  readonly label: string;
  readonly stored: string;
  readonly typed: string;
}

interface Typed {
  readonly draft: TypedDraft;
  readonly basedOn: Date;
}

interface Filled extends Typed {
  readonly messages?: Messages;
  readonly differences?: readonly ShownDifference[];
  readonly isPreview?: boolean;
}

async function showForm(
  ctx: Context,
  panel: Panel,
  shelf: Shelf,
  signedIn: Acting,
  { basedOn, differences = [], isPreview = false, ...filled }: Filled,
  status?: number,
): Promise<void> {
  const fields = await fieldsData(ctx, panel, signedIn);
  const preview = previewOf(filled.draft, fields);
  const since = Number.isNaN(basedOn.getTime()) ? '' : basedOn.toISOString();
  const form = { ...fields, ...filled, differences, basedOn: since, isPreview, preview };
  const page = { title: TEXTS.revise.title, current: shelf.current, signedIn } as const;
  const address = `${panel.at}${shelf.path}/${idOf(ctx)}`;
  const links = { action: `${address}/revise`, back: address, backText: TEXTS.automation.backToOne };
  show(ctx, panel, 'automation-form', { ...page, ...form, ...links, form: TEXTS.revise }, status);
}

/** Returns the fields in which both versions differ. Two ways to write a price are the same price. */
function differencesOf(
  stored: Automation,
  typed: TypedDraft,
  categories: readonly CountedCategory[],
): readonly ShownDifference[] {
  const price = typedPrice(typed.price, stored.price.currency);
  const then = {
    title: typed.title.trim(),
    description: typed.description.trim(),
    price: String(price),
  };
  const now = draftOf(stored);
  const nameOf = (id: string) => categories.find((one) => one.id === id)?.name ?? id;
  const rows = [
    { label: F.title, stored: now.title, typed: then.title },
    { label: F.description, stored: now.description, typed: then.description },
    { label: F.priceIn(stored.price.currency), stored: now.price, typed: then.price },
    { label: F.category, stored: nameOf(now.categoryId), typed: nameOf(typed.categoryId) },
  ];
  return rows.filter((row) => row.stored !== row.typed);
}
