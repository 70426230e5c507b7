import type { UncheckedListRequest } from '../../application/index.js';
import type { Currency } from '../../domain/currency.js';
import { PAGE_BOUNDS } from '../../domain/page.js';
import { withQuery } from '../web/pager.js';
import { isChecked } from '../web/views/check-box.js';
import { typedPrice } from '../../application/typed-price.js';

/** The request of a visitor, as the form and the address have it. An empty text stands for nothing. */
export interface ListState {
  readonly q: string;
  readonly category: string;
  readonly platform: string;
  readonly lowest: string;
  readonly highest: string;
  /** Sets both ends of the price range to 0. */
  readonly free: boolean;
  readonly sort: string;
  readonly page: number;
}

/** The fields of the form, in the order in which an address has them. */
export const FIELDS = ['q', 'category', 'platform', 'lowest', 'highest', 'free', 'sort'] as const;
export type FieldName = (typeof FIELDS)[number];

const PARAMETERS: Partial<Record<FieldName, string>> = { lowest: 'price_min', highest: 'price_max' };

/** Returns the name of a field in an address. */
export function parameterOf(field: FieldName): string {
  return PARAMETERS[field] ?? field;
}

export const PAGE_SIZE = 24;
const NOTHING: ListState = {
  q: '',
  category: '',
  platform: '',
  lowest: '',
  highest: '',
  free: false,
  sort: '',
  page: 1,
};

/** Reads an address. Of a parameter that is repeated, the first one counts; unknown ones are ignored. */
export function stateIn(query: URLSearchParams): ListState {
  const text = (field: FieldName) => (query.get(parameterOf(field)) ?? '').trim();
  const free = isChecked(text('free'));
  const prices = free ? {} : { lowest: text('lowest'), highest: text('highest') };
  const others = { q: text('q'), category: text('category'), platform: text('platform'), sort: text('sort') };
  return { ...NOTHING, ...prices, ...others, free, page: pageIn((query.get('page') ?? '').trim()) };
}

/** A page number is in no field, so a wrong one is the first page. */
export function pageIn(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) && Number(text) <= PAGE_BOUNDS.highest ? Number(text) : 1;
}

/** Returns the parameters of a state, empty for what it does not have. */
export function parametersOf(state: ListState): Readonly<Record<string, string>> {
  const texts: Readonly<Record<FieldName, string>> = { ...state, free: state.free ? '1' : '' };
  const named = FIELDS.map((field) => [parameterOf(field), texts[field]] as const);
  return { ...Object.fromEntries<string>(named), page: state.page === 1 ? '' : String(state.page) };
}

/** Returns the query of a state: the same for the same state, without what is empty. */
export function queryOf(state: ListState): string {
  return withQuery('', parametersOf(state)).slice(1);
}

/** Returns the state without some fields, at its first page. */
export function without(state: ListState, ...fields: readonly FieldName[]): ListState {
  return { ...state, ...Object.fromEntries(fields.map((name) => [name, NOTHING[name]])), page: 1 };
}

/** Returns whether anything but the category and the page is asked for: search engines need not know such a list. */
export function isFiltered(state: ListState): boolean {
  return queryOf({ ...state, category: '', page: 1 }) !== '';
}

/** Returns what is asked of the catalogue. `best` without words means nothing. */
export function requestOf(state: ListState, currency: Currency): UncheckedListRequest {
  const { q, category, platform, free, sort, page } = state;
  const order = sort === '' || (sort === 'best' && q === '') ? (q === '' ? undefined : 'best') : sort;
  return {
    ...(q !== '' && { q }),
    ...(category !== '' && { category }),
    ...(platform !== '' && { platform }),
    ...(order !== undefined && { sort: order }),
    ...(free ? { priceMin: 0, priceMax: 0 } : pricesOf(state, currency)),
    page,
    limit: PAGE_SIZE,
  };
}

function pricesOf({ lowest, highest }: ListState, currency: Currency): UncheckedListRequest {
  return {
    ...(lowest !== '' && { priceMin: typedPrice(lowest, currency) }),
    ...(highest !== '' && { priceMax: typedPrice(highest, currency) }),
  };
}
