import type { Api } from './api.js';
import { Broken, Skipped, type Check, type Group } from './check.js';
import { creates } from './creates.js';
import { credentials } from './credentials.js';
import { http } from './http.js';
import { lists } from './lists.js';
import { reads } from './reads.js';
import { search } from './search.js';
import { table } from './table-checks.js';

/** All checks, in their order. */
export const GROUPS: readonly Group[] = [...table, credentials, lists, search, reads, http, creates];

/** The outcome of one check. */
export interface Result {
  readonly group: string;
  readonly title: string;
  readonly outcome: 'held' | 'broken' | 'skipped';
  /** Why it is broken or was skipped. */
  readonly reason?: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** How far the checks are, and the title of the next one. */
export interface Progress {
  readonly done: number;
  readonly of: number;
  readonly title: string;
}

/** Runs the checks one after the other. Without a key for writing it sends nothing that could create. */
export async function runChecks(
  api: Api,
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const of = GROUPS.reduce((sum, { checks }) => sum + checks.length, 0);
  for (const { name, writes = false, checks } of GROUPS)
    for (const one of checks) {
      onProgress({ done: results.length, of, title: one.title });
      results.push(writes && !api.mayWrite ? unchecked(name, one) : await result(name, one, api));
    }
  return results;
}

function unchecked(group: string, { title }: Check): Result {
  return { group, title, outcome: 'skipped', reason: 'it needs a write key', duration: 0 };
}

async function result(group: string, { title, run }: Check, api: Api): Promise<Result> {
  const began = performance.now();
  const since = () => Math.round(performance.now() - began);
  try {
    await run(api);
    return { group, title, outcome: 'held', duration: since() };
  } catch (error) {
    const reason = error instanceof Error ? reasonOf(error) : String(error);
    return { group, title, outcome: error instanceof Skipped ? 'skipped' : 'broken', reason, duration: since() };
  }
}

/** The message of a request that was given up does not say why; its cause does. */
function reasonOf(error: Error): string {
  if (error instanceof Broken || error instanceof Skipped) return error.message;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return `${error.message}: ${'code' in cause ? String(cause.code) : cause.message}`;
}
