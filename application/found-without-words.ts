import { searchFailureIn, type SearchFailureCode } from '../domain/search-failure.js';

/** What was found, of which request. */
export interface FoundOf<Asked, Found> {
  readonly found: Found;
  readonly asked: Asked;
  /** Why the words were left out. */
  readonly failure?: SearchFailureCode;
}

/** Finds what is asked for; while the words cannot be searched for, finds `rest`, which is the same without them. */
export async function findOrLeaveOutWords<Asked extends { readonly q: string }, Found>(
  asked: Asked,
  rest: Asked,
  find: (asked: Asked) => Promise<Found>,
): Promise<FoundOf<Asked, Found>> {
  try {
    return { found: await find(asked), asked };
  } catch (error) {
    const failure = searchFailureIn(error);
    if (failure === undefined || asked.q === '') throw error;
    return { found: await find(rest), asked: rest, failure };
  }
}
