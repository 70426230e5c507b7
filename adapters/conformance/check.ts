import { faultsOf, slugOf, type Slug } from './answer.js';
import type { Api, Reply } from './api.js';

/** One promise of the contract. */
export interface Check {
  readonly title: string;
  /** @throws Broken if the promise does not hold, Skipped if this server cannot show it. */
  readonly run: (api: Api) => Promise<void>;
}

export interface Group {
  readonly name: string;
  /** Whether it creates automations. */
  readonly writes?: boolean;
  readonly checks: readonly Check[];
}

/** A promise that does not hold; the message says what the server did instead. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

export class Skipped extends Error {
  override readonly name = 'Skipped';
}

export function check(title: string, run: Check['run']): Check {
  return { title, run };
}

export function must(holds: boolean, reply: Pick<Reply, 'request'>, what: string): asserts holds {
  if (!holds) throw new Broken(`${reply.request}: ${what}`);
}

export function same(found: unknown, expected: unknown, reply: Pick<Reply, 'request'>, what: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  must(one === other, reply, `${what} is ${shown(one)}, not ${shown(other)}`);
}

function shown(json: string | undefined): string {
  return (json ?? 'missing').slice(0, 200);
}

/** Returns the JSON object of a response that must have this status. */
export function jsonOf(reply: Reply, status = 200): Readonly<Record<string, unknown>> {
  same(reply.status, status, reply, 'the status');
  try {
    const value: unknown = JSON.parse(reply.body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error below also tells of a body that is not JSON.
  }
  throw new Broken(`${reply.request}: the body is not a JSON object`);
}

/** Checks an error against the promises about every problem, and for one of these types. */
export function mustBeProblem(reply: Reply, status: number, ...slugs: readonly Slug[]): void {
  same(reply.status, status, reply, 'the status');
  const faults = faultsOf(reply);
  must(faults.length === 0, reply, `wrong: ${faults.join(', ')}`);
  const slug = slugOf(reply);
  must(
    slugs.some((one) => one === slug),
    reply,
    `the problem is ${slug}, not ${slugs.join(' or ')}`,
  );
}
