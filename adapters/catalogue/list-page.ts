import type { CountedCategory } from '../../application/index.js';
import { PLATFORMS } from '../../domain/file.js';
import type { Context } from '../edge/context.js';
import { numberedPages } from '../web/pager.js';
import { countText } from '../web/views/locales.js';
import { NO_SEARCH, SEARCH_RETRY_AFTER_SECONDS } from '../web/views/texts.js';
import { findList, type ListResult } from './list-search.js';
import {
  FIELDS,
  isFiltered,
  PAGE_SIZE,
  parameterOf,
  queryOf,
  stateIn,
  without,
  type FieldName,
  type ListState,
} from './list-state.js';
import { cardOf, toShown, type ShownAutomation } from './shown-automation.js';
import type { CatalogueApp } from './app.js';
import { show, type FeedLink, type PageData, type Reader } from './respond.js';
import { clientOf } from './visitors.js';
import { LABELS, messageOf, ORDERS, TEXTS } from './texts.js';

interface Facts {
  readonly asked: ListState;
  readonly result: ListResult;
  readonly shown: readonly ShownAutomation[];
}

/** The list of everything on sale, with its form. */
export async function showList(ctx: Context, app: CatalogueApp): Promise<void> {
  const asked = stateIn(new URLSearchParams(ctx.querystring));
  const result = await findList(app, app.search ? asked : without(asked, 'q'), clientOf(ctx, app));
  const { page, failure } = result;
  const shown = await Promise.all(page.items.map(toShown(app, page.categories)));
  const isIncomplete = failure !== undefined && failure !== 'search-off';
  if (isIncomplete) ctx.set('Retry-After', SEARCH_RETRY_AFTER_SECONDS);
  await show(ctx, app, 'list', { asked, result, shown }, listPage, isIncomplete ? 503 : 200);
}

function listPage(app: CatalogueApp, { asked, result, shown }: Facts, { locale }: Reader): PageData {
  const { addresses } = app;
  const { state, page } = result;
  const isAsAsked = queryOf(state) === queryOf(asked);
  const hasAll = isAsAsked && !isFiltered(state);
  return {
    title: titleOf(state, page.categories),
    description: TEXTS.lead,
    canonical: addresses.list(state),
    isListed: hasAll && page.items.length > 0,
    // A feed has all of a category: of a narrower list there is none.
    ...(hasAll && { feed: feedOf(app, state.category, page.categories) }),
    form: formOf(app, asked, result),
    filters: filtersOf(app, state, page.categories),
    cards: shown.map((one) => cardOf(app, one, locale)),
    total: countText(page.total),
    pages: numberedPages({
      page: state.page,
      size: PAGE_SIZE,
      total: page.total,
      addressOfPage: (number) => addresses.list({ ...state, page: number }),
    }),
  };
}

function feedOf({ addresses }: CatalogueApp, category: string, categories: readonly CountedCategory[]): FeedLink {
  const title = TEXTS.feedTitle(nameOf(category, categories));
  return { address: addresses.feed({ category: category || undefined }), title };
}

function nameOf(category: string, categories: readonly CountedCategory[]): string | undefined {
  return categories.find(({ id }) => id === category)?.name;
}

function titleOf(state: ListState, categories: readonly CountedCategory[]): string {
  const subject = state.q === '' ? nameOf(state.category, categories) : state.q;
  return [...(subject === undefined ? [] : [subject]), TEXTS.catalogue].join(' · ');
}

/** Returns what the fields show, by their names in the address: what the visitor typed, and what is wrong with it. */
function formOf({ search, addresses }: CatalogueApp, asked: ListState, { mistakes, failure, page }: ListResult) {
  const messages: Record<string, string> = {};
  for (const { field, code, detail } of mistakes) messages[parameterOf(field)] ??= messageOf(field, code, detail);
  const hasWords = search && asked.q !== '';
  const reason = !search && asked.q !== '' ? 'search-off' : failure;
  return {
    action: addresses.catalogue,
    hasSearch: search,
    values: byParameter(asked),
    labels: byParameter(LABELS),
    messages,
    notice: reason && NO_SEARCH[reason],
    categories: page.categories.map(({ id, name, automationCount }) => {
      return { value: id, text: `${name} (${countText(automationCount)})` };
    }),
    platforms: PLATFORMS.map((value) => ({ value, text: value })),
    orders: ordersOf(hasWords),
  };
}

function byParameter(
  fields: Readonly<Record<FieldName, string | boolean>>,
): Readonly<Record<string, string | boolean>> {
  return Object.fromEntries(FIELDS.map((field) => [parameterOf(field), fields[field]]));
}

/** The first choice has no value: it is the best match where there are words. */
function ordersOf(hasWords: boolean) {
  const first = hasWords ? 'best' : 'newest';
  const others = (['newest', 'price', '-price'] as const).filter((value) => value !== first);
  return [{ value: '', text: ORDERS[first] }, ...others.map((value) => ({ value, text: ORDERS[value] }))];
}

/** Returns what narrows the list, each with the address of the list without it. */
function filtersOf({ addresses }: CatalogueApp, state: ListState, categories: readonly CountedCategory[]) {
  const name = nameOf(state.category, categories) ?? state.category;
  const texts: Partial<Record<FieldName, string>> = {
    q: state.q,
    category: name,
    platform: state.platform,
    lowest: state.lowest,
    highest: state.highest,
    free: state.free ? LABELS.free : '',
  };
  return Object.entries(texts)
    .filter(([, text]) => text !== '')
    .map(([field, text]) => ({
      label: field === 'free' ? '' : LABELS[field as FieldName],
      text,
      address: addresses.list(without(state, field as FieldName)),
    }));
}
