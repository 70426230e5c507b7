import { DomainError, type ErrorCode, type ErrorKind, type FieldError } from '../../domain/errors.js';
import type { Context, Middleware, Exchange, Service } from './exchange.js';
import { Problem, problemBody, PROBLEMS, type ProblemField, type ProblemSlug } from './problems.js';
import { hasLargeBodyUnread } from './wire.js';

const PROBLEM_OF_KIND = {
  invalid: 'validation-error',
  forbidden: 'insufficient-scope',
  'not-found': 'not-found',
  conflict: 'conflict',
  'idempotency-key-reused': 'idempotency-key-reused',
  'idempotency-in-progress': 'idempotency-in-progress',
  unavailable: 'unavailable',
  'outcome-unknown': 'outcome-unknown',
} as const satisfies Record<ErrorKind, ProblemSlug>;

export const NOT_VALID = 'The automation is not valid; nothing was stored.';

/** What the marketplace says of its storage goes to the log, not to clients. */
const FIXED_DETAIL: Partial<Record<ProblemSlug, string>> = {
  'validation-error': NOT_VALID,
  unavailable: 'The storage is out of reach; nothing was done. Try again later.',
  'outcome-unknown': 'It cannot be told whether this was done. Ask again with the same idempotency key.',
};

/** By the core's code, where the sentence of the kind would be untrue. */
const DETAIL_OF_CODE: Partial<Record<ErrorCode, string>> = {
  'issuer-unavailable': 'The issuer of the access token is out of reach; nothing was done. Try again later.',
};

export const RETRY_AFTER_SECONDS: Partial<Record<ProblemSlug, string>> = {
  conflict: '1',
  'idempotency-in-progress': '1',
  unavailable: '2',
  overloaded: '1',
  'outcome-unknown': '2',
};

const REALM = 'Bearer realm="automation-marketplace"';

/** First in the stack and the only catch: every failure leaves as a problem document (RFC 9457). */
export function problemDocuments(service: Pick<Service, 'mountPath' | 'resourceMetadata' | 'onError'>): Middleware<Exchange> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const problem = problemOf(error);
      if (error !== problem && isOurs(problem)) service.onError(error, ctx.state.requestId);
      answer(ctx, problem, service.mountPath);
      if (service.resourceMetadata) nameMetadata(ctx, service.resourceMetadata);
    }
  };
}

/** Where no route led. */
export function nothingHere(): never {
  throw new Problem('not-found', 'There is nothing at this path.');
}

/** What fails after the answer has begun, but for a client that went away. */
export function lateFailures(onError: Service['onError']): (error: unknown, ctx: Context) => void {
  return (error, { socket }) => {
    if (error !== socket.errored) onError(error, '');
  };
}

function isOurs({ slug }: Problem): boolean {
  return PROBLEMS[slug].status >= 500;
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof DomainError) return problemOfDomain(error);
  return new Problem('internal-error', 'Something went wrong on our side.');
}

function problemOfDomain(error: DomainError): Problem {
  const slug = PROBLEM_OF_KIND[error.kind];
  const headers: Record<string, string> =
    error.kind === 'forbidden' ? { 'WWW-Authenticate': `${REALM}, error="insufficient_scope", scope="${error.code}"` } : {};
  const errors = error.fields.length > 0 ? { errors: error.fields.map(fieldOfDraft) } : {};
  return new Problem(slug, DETAIL_OF_CODE[error.code] ?? FIXED_DETAIL[slug] ?? sentence(error.message), { headers, ...errors });
}

/** The core's fields by their names on the wire. */
export function fieldOfDraft({ field, code, detail }: FieldError): ProblemField {
  return { pointer: field === 'categoryId' ? '/category_id' : `/${field}`, code, detail };
}

function answer({ req, state: { reply, requestId } }: Context, problem: Problem, mountPath: string): void {
  const { headers } = reply;
  reply.status = PROBLEMS[problem.slug].status;
  reply.body = problemBody(problem, mountPath, requestId);
  headers['Content-Type'] = 'application/problem+json';
  headers['Cache-Control'] = 'no-store';
  delete headers['Link'];
  const retryAfter = RETRY_AFTER_SECONDS[problem.slug];
  if (retryAfter !== undefined) headers['Retry-After'] = retryAfter;
  const challenge = CHALLENGES[problem.slug];
  if (challenge !== undefined) headers['WWW-Authenticate'] = challenge;
  Object.assign(headers, problem.more.headers);
  if (hasLargeBodyUnread(req)) headers['Connection'] = 'close';
}

const CHALLENGES: Partial<Record<ProblemSlug, string>> = {
  'missing-credentials': REALM,
  'invalid-token': `${REALM}, error="invalid_token"`,
};

/** In every challenge (RFC 9728, section 5.1). */
function nameMetadata({ state: { reply } }: Context, url: string): void {
  const challenge = reply.headers['WWW-Authenticate'];
  if (challenge !== undefined) reply.headers['WWW-Authenticate'] = `${challenge}, resource_metadata="${url}"`;
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
