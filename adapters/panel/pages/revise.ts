import { DomainError, type Automation } from '../../../application/index.js';
import { typedPrice } from '../../../application/typed-price.js';
import { trimmed } from '../../../domain/text.js';
import type { ShownForm } from '../request.js';
import { TEXTS } from '../texts/texts.js';
import { withQuery } from '../../web/pager.js';
import { removedText } from './file.js';
import { countForm, draftIn, draftOf, fileIn, review, showForm, unchecked, wordingsOf } from './automation-form.js';
import type { TypedDraft } from './automation-form.js';
import { automationOnSale, sectionIn, type ManagerRequest } from './automations.js';

const T = TEXTS.form;

export const revise: ShownForm<'seller' | 'operator'> = {
  show: async (request) => {
    const stored = await automationOnSale(request);
    if (request.isForm) await show(request, stored, { draft: draftIn(request), basedOn: basedOnIn(request) });
    else await show(request, stored, { draft: draftOf(stored), basedOn: stored.updatedAt });
  },
  wordings: wordingsOf,
  takesFile: true,
  submit: async (request) => {
    if (request.text('step') === 'preview') await preview(request);
    else {
      await countForm(request);
      await save(request);
    }
  },
};

async function preview(request: ManagerRequest): Promise<void> {
  const stored = await automationOnSale(request);
  const isPreview = await review(request, stored.developerId);
  await show(request, stored, { draft: draftIn(request), basedOn: basedOnIn(request), isPreview });
}

async function save(request: ManagerRequest): Promise<void> {
  const { marketplace } = request.panel;
  const typed = unchecked(draftIn(request), marketplace.currency);
  const changes = { price: '', categoryId: '', ...typed, ...fileIn(request) };
  try {
    const { changed, removed } = await marketplace.reviseAutomation(
      request.signedIn.by,
      request.param(),
      changes,
      basedOnIn(request),
    );
    const notice = changed.length > 0 ? 'revised' : 'unchanged';
    request.goTo(withQuery(pathOf(request), { notice, removed: removedText(removed) }));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'revised-meanwhile') throw error;
    await showConflict(request);
  }
}

/** Shows both versions. A form that was sent twice has nothing to compare: the first one saved the same values. */
async function showConflict(request: ManagerRequest): Promise<void> {
  const draft = draftIn(request);
  const stored = await automationOnSale(request);
  const differences = await differencesOf(request, stored, draft);
  if (differences.length === 0 && fileIn(request).file === undefined) request.goTo(`${pathOf(request)}?notice=revised`);
  else {
    request.report({ form: TEXTS.revise.conflict }, 409);
    await show(request, stored, { draft, basedOn: stored.updatedAt, differences });
  }
}

/** A field with two values, for people. */
interface ShownDifference {
  readonly label: string;
  readonly stored: string;
  readonly typed: string;
}

interface Contents {
  readonly draft: TypedDraft;
  /** The version that was revised. */
  readonly basedOn: Date;
  readonly differences?: readonly ShownDifference[];
  readonly isPreview?: boolean;
}

async function show(
  request: ManagerRequest,
  stored: Automation,
  { draft, basedOn, differences = [], isPreview = false }: Contents,
): Promise<void> {
  const [path, since] = [pathOf(request), Number.isNaN(basedOn.getTime()) ? '' : basedOn.toISOString()];
  const frame = { texts: TEXTS.revise, action: `${path}/revise`, back: path, backText: TEXTS.automation.backToOne };
  const storedFile = stored.file?.name;
  await showForm(request, draft, { ...frame, isPreview, differences, basedOn: since, storedFile });
}

function pathOf(request: ManagerRequest): string {
  return `${sectionIn(request).section.path}/${request.param()}`;
}

function basedOnIn(request: ManagerRequest): Date {
  return new Date(request.text('basedOn'));
}

/** Returns the fields in which both versions differ. Two ways to write a price are the same price. */
async function differencesOf(
  { panel, signedIn }: ManagerRequest,
  stored: Automation,
  typed: TypedDraft,
): Promise<readonly ShownDifference[]> {
  const categories = await panel.marketplace.listCategories(signedIn.caller);
  const price = typedPrice(typed.price, stored.price.currency);
  const then = {
    title: typed.title.trim(),
    description: typed.description.trim(),
    price: String(price),
  };
  const now = draftOf(stored);
  const nameOf = (id: string) => categories.find((one) => one.id === id)?.name ?? id;
  const rows = [
    { label: T.title, stored: now.title, typed: then.title },
    { label: T.description, stored: now.description, typed: then.description },
    { label: T.priceIn(stored.price.currency), stored: now.price, typed: then.price },
    { label: T.category, stored: nameOf(now.categoryId), typed: nameOf(typed.categoryId) },
    { label: T.url, stored: now.url, typed: trimmed(typed.url) },
    { label: T.license, stored: now.license, typed: trimmed(typed.license) },
  ];
  return rows.filter((row) => row.stored !== row.typed);
}
