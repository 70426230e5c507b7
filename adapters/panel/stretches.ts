import type { StretchOf, StretchRequest } from '../../application/index.js';

/** Where a page of a long list lies, as its address has it. */
export interface Place extends StretchRequest {
  /** The `before` of the pages that were walked through, nearest last. */
  readonly walked: readonly string[];
}

/** Addresses of the pages beside one. */
interface Neighbours {
  readonly newer?: string;
  readonly older?: string;
}

const MOST_WALKED = 20;
const CURSOR = /^[0-9a-f-]{36}$/;

export function placeIn(query: URLSearchParams): Place {
  const before = query.get('before') ?? '';
  const walked = (query.get('walked') ?? '').split('.').filter((cursor) => CURSOR.test(cursor));
  return { ...(CURSOR.test(before) && { before }), walked: walked.slice(-MOST_WALKED) };
}

/** A list knows what comes after an item and not what came before it, so the way back is kept in the address; a long way back leads to the start. */
export function neighbours(list: string, { before, walked }: Place, { next }: StretchOf<unknown>): Neighbours {
  const [last, rest] = [walked.at(-1), walked.slice(0, -1)];
  return {
    ...(before !== undefined && { newer: last === undefined ? list : addressOf(list, last, rest) }),
    ...(next !== undefined && { older: addressOf(list, next, before === undefined ? walked : [...walked, before]) }),
  };
}

function addressOf(list: string, before: string, walked: readonly string[]): string {
  const way = walked.slice(-MOST_WALKED).join('.');
  return `${list}?before=${before}${way === '' ? '' : `&walked=${way}`}`;
}
