import type { CataloguePage, FieldError, UncheckedListRequest } from '../../application/index.js';
import type { Currency } from '../../domain/currency.js';
import { findOrLeaveOutWords } from '../../application/found-without-words.js';
import type { SearchFailureCode } from '../../domain/search-failure.js';
import { typedPriceRule } from '../../application/typed-price.js';
import { requestOf, without, type FieldName, type ListState } from './list-state.js';
import type { CatalogueApp } from './app.js';
import { TEXTS } from './texts.js';

const FIELD_OF: Readonly<Record<string, FieldName>> = { priceMin: 'lowest', priceMax: 'highest' };

/** A field that breaks a rule, and the rule. */
interface Mistake {
  readonly field: FieldName;
  readonly code: string;
  readonly detail: string;
}

/** The results, and the part of the request that was left out for them. */
export interface ListResult {
  readonly page: CataloguePage;
  /** The request without its mistakes, and without words that could not be searched for. */
  readonly state: ListState;
  readonly mistakes: readonly Mistake[];
  /** Why the words were left out. */
  readonly failure?: SearchFailureCode;
}

type Find = (state: ListState) => Promise<CataloguePage>;

/** Finds what is asked for. A wrong value narrows nothing, nor do words while there is no search. */
export async function findList({ catalogue }: CatalogueApp, asked: ListState, client: string): Promise<ListResult> {
  const find: Find = (state) => catalogue.find(requestOf(state, catalogue.currency), client);
  const mistakes = mistakesIn(asked, catalogue);
  const found = await findWords(find, correct(asked, mistakes));
  const { category } = found.state;
  if (category === '' || found.page.categories.some(({ id }) => id === category)) return { ...found, mistakes };
  const all = [...mistakes, { field: 'category', code: 'unknown-value', detail: '' } as const];
  return { ...(await findWords(find, correct(found.state, all))), mistakes: all };
}

function correct(state: ListState, mistakes: readonly Mistake[]): ListState {
  return mistakes.length === 0 ? state : without(state, ...mistakes.map(({ field }) => field));
}

async function findWords(find: Find, state: ListState): Promise<Omit<ListResult, 'mistakes'>> {
  const { found, asked, ...rest } = await findOrLeaveOutWords(state, without(state, 'q'), find);
  return { page: found, state: asked, ...rest };
}

/** Returns what is wrong in the fields; whether there is such a category, only the store knows. */
function mistakesIn(state: ListState, catalogue: CatalogueApp['catalogue']): readonly Mistake[] {
  const request = requestOf(state, catalogue.currency);
  return catalogue.review(request).map((error) => {
    const field = FIELD_OF[error.field] ?? (error.field as FieldName);
    return { field, code: error.code, detail: detailOf(error, request, catalogue.currency) };
  });
}

/** Returns the rule as people read it: they type prices in other forms than programs, into fields with other names. */
function detailOf({ field, code, detail }: FieldError, request: UncheckedListRequest, currency: Currency): string {
  const { priceMin, priceMax } = request;
  const isReversed = typeof priceMin === 'number' && typeof priceMax === 'number' && priceMin > priceMax;
  if (field === 'priceMin' && isReversed) return TEXTS.aboveHighest;
  return code === 'wrong-type' && field in FIELD_OF ? typedPriceRule(currency) : detail;
}
