import { DomainError, isOperator } from '../../../application/index.js';
import type { ArchivedAutomation, Automation, CountedCategory, SearchPage } from '../../../application/index.js';
import { WITHDRAWAL_REASON } from '../../../domain/automation.js';
import { findOrLeaveOutWords } from '../../../application/found-without-words.js';
import type { AutomationFile } from '../../../domain/file.js';
import { factLines, remainingLines } from '../../web/views/file-facts.js';
import { countText, priceText, sizeText } from '../../web/views/locales.js';
import { markdownToHtml } from '../../web/views/markdown.js';
import { NO_SEARCH, SEARCH_RETRY_AFTER_SECONDS } from '../../web/views/texts.js';
import { moment } from '../../web/views/times.js';
import { numberedPages, pageNumberIn, withQuery } from '../../web/pager.js';
import { findOr, type ShownForm, type RequestOf } from '../request.js';
import { TEXTS } from '../texts/texts.js';
import { removedIn } from './file.js';
import { findDeveloper, pathOf } from './developers.js';

const PAGE_SIZE = 20;
const STATUSES = ['on-sale', 'withdrawn'] as const;
const T = TEXTS.automations;
const ONE = TEXTS.automation;
const NOTICES = { withdrawn: T.noticeWithdrawn };
const NOTICES_OF_ONE = { published: ONE.noticePublished, revised: ONE.noticeRevised, unchanged: ONE.noticeUnchanged };
const NOTHING: SearchPage = { items: [], total: 0 };
/** The page of a status, and that of the other one. */
const NONE: [found: SearchPage, rest: SearchPage] = [NOTHING, NOTHING];

/** The automations of a group of pages: a developer's own, or for operators those of everyone. */
interface Section {
  /** The path of the list, below `/panel`. */
  readonly path: string;
  readonly texts: typeof TEXTS.ownAutomations;
  readonly isEveryones: boolean;
}

const OWN: Section = { path: '/automations', texts: TEXTS.ownAutomations, isEveryones: false };
export const EVERYONES: Section = { path: '/operator/automations', texts: TEXTS.allAutomations, isEveryones: true };

/** A request about automations by a person who manages them. */
export type ManagerRequest = RequestOf<'seller' | 'operator'>;

/** Returns the section of a page, and the address of its list. */
export function sectionIn({ signedIn, panel }: ManagerRequest) {
  const section = isOperator(signedIn.by) ? EVERYONES : OWN;
  return { section, list: `${panel.at}${section.path}` };
}

type Filters = ReturnType<typeof filtersIn>;

/** Shows the automations of a section, on sale or withdrawn. */
export async function showAutomations(request: ManagerRequest): Promise<void> {
  const { panel, signedIn } = request;
  const { section, list } = sectionIn(request);
  const filters = filtersIn(request);
  const { found: results, failure } = await findOrLeaveOutWords(filters, { ...filters, q: '' }, (asked) =>
    // Words that are no words find nothing, with a message.
    findOr(request, () => find(request, asked), NONE),
  );
  const [found, rest] = results;
  if (failure !== undefined) request.ctx.set('Retry-After', SEARCH_RETRY_AFTER_SECONDS);
  const categories = await panel.marketplace.listCategories(signedIn.caller);
  const { q, category, developer, page } = filters;
  const addressOfPage = (number: number) => addressOf(list, { ...filters, page: number });
  const data = {
    ...{ section, list, filters, canSearch: panel.search, warning: failure && NO_SEARCH[failure] },
    title: section.texts.title,
    notice: request.notice(NOTICES),
    automations: found.items.map((one) => viewOf(one, categories, request.locale())),
    choices: [
      { value: '', text: T.allCategories },
      ...categories.map(({ id, name }) => ({ value: id, text: `${name} (${found.categoryCounts?.get(id) ?? 0})` })),
    ],
    tabs: STATUSES.map((status) => ({
      text: T.statuses[status],
      count: countText(status === filters.status ? found.total : rest.total),
      href: addressOf(list, { ...filters, status, page: 1 }),
      isCurrent: status === filters.status,
    })),
    isFiltered: q !== '' || category !== '' || developer !== '',
    total: found.total,
    pages: numberedPages({ page, size: PAGE_SIZE, total: found.total, addressOfPage }),
  };
  request.show('automations', data, failure === undefined ? undefined : 503);
}

/** Returns a page of what is looked for, and how many there are in the other status. */
function find({ panel, signedIn }: ManagerRequest, { q, category, developer, status, page }: Filters) {
  const { records } = panel;
  const words = { q: q || undefined, category: category || undefined, developer: developer || undefined };
  const other = status === 'on-sale' ? 'withdrawn' : 'on-sale';
  return Promise.all([
    records.find(signedIn.by, { ...words, status, page, limit: PAGE_SIZE, countCategories: true }),
    records.find(signedIn.by, { ...words, status: other, limit: 1 }),
  ]);
}

/** Returns what the address asks for. An empty field counts as absent. */
function filtersIn(request: ManagerRequest) {
  const { query, panel } = request;
  const { isEveryones } = sectionIn(request).section;
  return {
    q: panel.search ? (query.get('q') ?? '').trim() : '',
    category: query.get('category') ?? '',
    developer: isEveryones ? (query.get('developer') ?? '').trim() : '',
    status: query.get('status') === 'withdrawn' ? ('withdrawn' as const) : ('on-sale' as const),
    page: pageNumberIn(query),
  };
}

function addressOf(list: string, { status, page, ...words }: Filters): string {
  return withQuery(list, {
    ...words,
    status: status === 'on-sale' ? '' : status,
    page: page === 1 ? '' : String(page),
  });
}

/** Shows one automation, also a withdrawn one: why, by whom, and to its developer how to publish it again. */
export async function showAutomation(request: ManagerRequest): Promise<void> {
  const { panel, signedIn } = request;
  const archived = await panel.records.read(signedIn.by, request.param());
  const { id, title, developerId } = archived.automation;
  const account = isOperator(signedIn.by) ? await findDeveloper(panel, signedIn.by, developerId) : undefined;
  const developer = account && `${panel.at}${pathOf(account)}`;
  const automation = { ...(await shown(request, archived)), developer };
  const address = `${request.publicAddress() ?? ''}/api/automations/${id}`;
  const inCatalogue = panel.catalogue ? `${panel.base}/catalogue/${id}` : undefined;
  const removed = removedIn(request.query.get('removed') ?? '');
  const page = { title, notice: request.notice(NOTICES_OF_ONE), removed, ...sectionIn(request) };
  request.show('automation', { ...page, automation, address, inCatalogue });
}

/** Asks for the reason before an automation is withdrawn. */
export const withdraw: ShownForm<'seller' | 'operator'> = {
  show: async (request) => {
    const automation = await shown(request, { automation: await automationOnSale(request) });
    const form = { reason: request.text('reason'), reasonRule: WITHDRAWAL_REASON };
    request.show('withdraw', { title: TEXTS.withdraw.title, ...sectionIn(request), automation, ...form });
  },
  wordings: () => ({ reason: { label: TEXTS.withdraw.reasonLabel } }),
  submit: async (request) => {
    const reason = request.text('reason');
    const { marketplace } = request.panel;
    await marketplace.withdrawAutomation(
      request.signedIn.by,
      request.param(),
      reason.trim() === '' ? undefined : reason,
    );
    request.goTo(`${sectionIn(request).section.path}?notice=withdrawn`);
  },
};

/**
 * Returns the automation of the address, while it is on sale.
 * @throws DomainError `not-found`, for a developer also for an automation of another one
 */
export async function automationOnSale(request: ManagerRequest): Promise<Automation> {
  const { automation, withdrawn } = await request.panel.records.read(request.signedIn.by, request.param());
  if (withdrawn !== undefined) throw new DomainError('not-found', 'no-such-automation', ONE.notFound);
  return automation;
}

async function shown(request: ManagerRequest, archived: ArchivedAutomation) {
  const categories = await request.panel.marketplace.listCategories(request.signedIn.caller);
  return { ...viewOf(archived, categories, request.locale()), html: markdownToHtml(archived.automation.description) };
}

/** Returns what buyers see, and what may be private. */
function factsOf({ facts }: AutomationFile) {
  return facts ? [...factLines(facts), ...remainingLines(facts)] : [];
}

/** Returns an automation as pages show it, without its description. */
function viewOf({ automation, withdrawn }: ArchivedAutomation, categories: readonly CountedCategory[], locale: string) {
  const { id, title, price, categoryId, url, license, file, createdAt, updatedAt, developerId } = automation;
  return {
    ...{ id, title, url, license, developerId },
    file: file && { name: file.name, size: sizeText(file.size), facts: factsOf(file) },
    category: categories.find((one) => one.id === categoryId)?.name ?? categoryId,
    price: priceText(price, locale),
    published: moment(createdAt),
    revised: updatedAt > createdAt ? moment(updatedAt) : undefined,
    withdrawn: withdrawn && { ...withdrawn, at: moment(withdrawn.at) },
  };
}
