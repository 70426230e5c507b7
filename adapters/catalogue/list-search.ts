import type { CataloguePage } from '../../application/index.js';
import { findOrLeaveOutWords, type SearchFailureCode } from '../../domain/search-failure.js';
import type { CatalogueApp } from './options.js';
import { requestOf, without, type ListState } from './list-state.js';
import { mistakesIn, type Mistake } from './mistakes.js';

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
