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
    const value: unknown = JSON.parse(reply.text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The error below also tells of a body that is not JSON.
  }
  throw new Broken(`${reply.request}: the body is not a JSON object`);
}

/** Requires exactly these members, in any order. */
export function mustHave(
  value: unknown,
  names: readonly string[],
  reply: Reply,
  what: string,
): asserts value is Record<string, unknown> {
  must(typeof value === 'object' && value !== null, reply, `${what} is not an object`);
  same(Object.keys(value).sort(), [...names].sort(), reply, `the members of ${what}`);
}

export interface Problem {
  readonly slug: string;
  readonly errors: readonly { readonly pointer?: string; readonly parameter?: string }[];
}

const LEAK = /\bat .*:\d+:\d+|node_modules|\.[jt]s:\d|amk_[0-9A-Za-z]{36}|Exception|Traceback/;
const MAX_PROBLEM_BYTES = 8 * 1024;

/** Checks an error against RFC 9457, against the promises about every problem, and for one of these types. */
export function problemOf(reply: Reply, status: number, ...slugs: readonly string[]): Problem {
  const problem = jsonOf(reply, status);
  must(
    /^application\/problem\+json\b/.test(reply.headers.get('Content-Type') ?? ''),
    reply,
    'the type is not application/problem+json',
  );
  same(problem['status'], status, reply, 'status in the problem');
  const type = typeof problem['type'] === 'string' ? problem['type'] : '';
  const slug = /\/problems\/([a-z-]+)$/.exec(type)?.[1] ?? '';
  must(slugs.includes(slug), reply, `the problem type is ${type}, not /problems/${slugs.join(' or ')}`);
  for (const name of ['title', 'detail'])
    must(typeof problem[name] === 'string' && problem[name] !== '', reply, `the problem has no ${name}`);
  same(problem['code'], slug, reply, 'code in the problem');
  same(problem['instance'], reply.headers.get('X-Request-Id'), reply, 'instance in the problem');
  must(!LEAK.test(reply.text), reply, 'the problem shows internals of the server');
  must(Buffer.byteLength(reply.text) <= MAX_PROBLEM_BYTES, reply, 'the problem is over 8 KiB');
  const errors = problem['errors'] ?? [];
  must(Array.isArray(errors) && errors.length <= 20, reply, 'errors is not a list of at most 20');
  return { slug, errors: errors as Problem['errors'] };
}
