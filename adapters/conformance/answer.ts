import type { FieldError, Problem, ProblemCode } from '../client/index.js';

/** An answer, however it was asked for. */
export interface Answer {
  readonly method: string;
  /** The target of the request, or what there was in its place. */
  readonly target: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** The statuses of all published types of problems, but for the one that no program meets. */
const STATUSES = {
  'malformed-request': 400,
  'malformed-json': 400,
  'invalid-query': 400,
  'idempotency-key-invalid': 400,
  'missing-credentials': 401,
  'invalid-token': 401,
  'insufficient-scope': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  'request-timeout': 408,
  conflict: 409,
  'precondition-failed': 412,
  'payload-too-large': 413,
  'uri-too-long': 414,
  'header-too-large': 431,
  'unsupported-media-type': 415,
  'unsupported-content-encoding': 415,
  'expectation-failed': 417,
  'validation-error': 422,
  'idempotency-key-reused': 422,
  'quota-exceeded': 429,
  'internal-error': 500,
  unavailable: 503,
  overloaded: 503,
  'outcome-unknown': 503,
} as const satisfies Record<Exclude<ProblemCode, 'cross-site-request'>, number>;

export type Slug = keyof typeof STATUSES;

/** A stack, a path of a machine, a key. */
const LEAK =
  /\bat .*:\d+:\d+|node_modules|\/(?:work|tmp|root|home|usr)\/|\.[jt]s:\d|amk_|\[object|Exception|Traceback/i;
const CHALLENGES = {
  401: /^Bearer realm="automation-marketplace"(?:, error="invalid_token")?$/,
  403: /^Bearer realm="automation-marketplace", error="insufficient_scope", scope="automations:[\w: ]+"$/,
};
const ALLOW = /^GET, HEAD, OPTIONS(?:, POST)?$/;
const MAX_PROBLEM_BYTES = 8 * 1024;

/** Reports what is wrong, unless it is so. Plain comparisons: this runs tens of thousands of times. */
type Report = (isSo: boolean, what: string) => void;

/** Returns what is wrong with an answer, of all that holds for every answer of the contract. */
export function faultsOf(answer: Answer): readonly string[] {
  const wrong: string[] = [];
  const report: Report = (isSo, what) => {
    if (!isSo) wrong.push(what);
  };
  judgeHeaders(answer, report);
  if (answer.status >= 400) judgeRefusal(answer, report);
  else judgeSuccess(answer, report);
  return wrong;
}

function judgeHeaders({ headers, status, method, body }: Answer, report: Report): void {
  report(headers.get('x-content-type-options') === 'nosniff', 'X-Content-Type-Options');
  report(matches(headers, 'x-request-id', /^[A-Za-z0-9-]{1,64}$/), 'X-Request-Id');
  report(matches(headers, 'vary', /^Authorization(?:, Accept)?$/), 'Vary');
  report(!headers.has('x-powered-by'), 'X-Powered-By');
  report(!Array.from(headers.keys()).some((name) => name.startsWith('access-control-')), 'CORS headers');
  const caching = status === 200 || status === 304 ? 'private, no-cache' : 'no-store';
  report(headers.get('cache-control') === caching, 'Cache-Control');
  if (method === 'HEAD' || status === 204 || status === 304) report(body === '', 'a body');
}

function judgeSuccess({ status, headers, method, body }: Answer, report: Report): void {
  report([200, 201, 204, 304].includes(status), 'status');
  if (status === 200 || status === 304) report(matches(headers, 'etag', /^"[!#-~]+"$/), 'ETag');
  if (status === 201) report(matches(headers, 'location', /\/automations\/[0-9a-f-]{36}$/), 'Location');
  if (status === 204) report(matches(headers, 'allow', ALLOW), 'Allow');
  if (status > 201) return;
  report(matches(headers, 'content-type', /^application\/json(?:;|$)/), 'Content-Type');
  report(method === 'HEAD' || isObject(body), 'a body that is no JSON object');
}

function judgeRefusal(answer: Answer, report: Report): void {
  const { status, headers } = answer;
  report(matches(headers, 'content-type', /^application\/problem\+json(?:;|$)/), 'Content-Type');
  report(!headers.has('etag') && !headers.has('link') && !headers.has('location'), 'headers of a success');
  if (status === 405) report(matches(headers, 'allow', ALLOW), 'Allow');
  if (status === 401 || status === 403)
    report(CHALLENGES[status].test(headerOf(answer, 'www-authenticate') ?? ''), 'WWW-Authenticate');
  else report(!headers.has('www-authenticate'), 'WWW-Authenticate');
  if (status === 409 || status === 429 || status === 503)
    report(matches(headers, 'retry-after', /^[1-9][0-9]*$/), 'Retry-After');
  if (answer.method === 'HEAD') return;
  if (isObject(answer.body)) judgeProblem(problemOf(answer), answer, report);
  else report(false, 'a body that is no JSON object');
}

/** Returns a header; a challenge without the address of metadata, which a server with an issuer adds (RFC 9728). */
export function headerOf({ headers }: Answer, name: string): string | null {
  return headers.get(name)?.replace(/, resource_metadata="[^"]*"$/, '') ?? null;
}

function matches(headers: Headers, name: string, pattern: RegExp): boolean {
  return pattern.test(headers.get(name) ?? '');
}

/** Returns whether a body is a JSON object. */
export function isObject(body: string): boolean {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export function problemOf({ body }: Answer): Problem {
  return JSON.parse(body) as Problem;
}

export function slugOf(answer: Answer): string {
  const { type } = problemOf(answer) as { readonly type?: string };
  return (type ?? '').replace(/^.*\/problems\//, '');
}

function judgeProblem(problem: Problem, answer: Answer, report: Report): void {
  const slug = slugOf(answer);
  report(new Map<string, number>(Object.entries(STATUSES)).get(slug) === answer.status, 'type and status');
  report(problem.status === answer.status, 'status in the body');
  report(problem.code === slug, 'code');
  report(problem.instance === answer.headers.get('x-request-id'), 'instance');
  report(isText(problem.title) && isText(problem.detail), 'title or detail');
  report(Buffer.byteLength(answer.body) <= MAX_PROBLEM_BYTES, 'size');
  report(!LEAK.test(wordsOfOurs(problem)), 'something that leaked');
  const listsErrors = slug === 'validation-error' || slug === 'invalid-query';
  report(
    sameNames(problem, ['type', 'code', 'title', 'status', 'detail', 'instance', ...(listsErrors ? ['errors'] : [])]),
    'members',
  );
  const errors = errorsOf(problem);
  report(!listsErrors || (errors.length > 0 && errors.length <= 20), 'number of errors');
  const names = [slug === 'invalid-query' ? 'parameter' : 'pointer', 'code', 'detail'];
  const isFine = (error: FieldError) => sameNames(error, names) && /^[a-z-]+$/.test(error.code) && isText(error.detail);
  report(errors.every(isFine), 'errors');
}

/** Returns the list of errors; empty for anything else. */
export function errorsOf({ errors }: Problem): readonly FieldError[] {
  return Array.isArray(errors) ? errors : [];
}

/** All of it but the names that the client sent, which may be any word. */
function wordsOfOurs(problem: Problem): string {
  return JSON.stringify(problem, (name, value: unknown) => (name === 'pointer' || name === 'parameter' ? '' : value));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function sameNames(value: object, names: readonly string[]): boolean {
  const own = Object.keys(value);
  return own.length === names.length && names.every((name) => own.includes(name));
}
