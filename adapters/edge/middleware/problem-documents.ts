import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import {
  isDomainError,
  type DomainError,
  type ErrorCode,
  type ErrorKind,
  type FieldError,
} from '../../../domain/errors.js';
import { SEARCH_FAILURES, searchFailureIn } from '../../../domain/search-failure.js';
import type { Context, HttpMiddleware } from '../context.js';
import type { OnError } from '../host.js';
import type { ProblemSlug } from '../problems/table.js';
import { challengeOf, type ChallengeSettings } from './challenge.js';
import { socketOf } from './socket.js';
import { Problem, problemText, type ProblemField } from '../problems/problem.js';
import { HTML_TYPE, JSON_TYPE } from '../send.js';
import { hasUnreadLargeBody } from './protocol-checks.js';

const PROBLEM_OF_KIND = {
  invalid: 'validation-error',
  forbidden: 'insufficient-scope',
  'not-found': 'not-found',
  conflict: 'conflict',
  'idempotency-key-reused': 'idempotency-key-reused',
  unavailable: 'unavailable',
  'outcome-unknown': 'outcome-unknown',
} as const satisfies Record<ErrorKind, ProblemSlug>;

export const NOT_VALID = 'The automation is not valid; nothing was stored.';

/** The details of a storage's failures go to the log, not to clients. */
const FIXED_DETAIL: Partial<Record<ProblemSlug, string>> = {
  'validation-error': NOT_VALID,
  unavailable: 'The storage is not reachable; nothing was done. Try again later.',
  'outcome-unknown': 'It is not known whether this was done. Send the request again with the same idempotency key.',
};
const DETAIL_OF_CODE: Partial<Record<ErrorCode, string>> = {
  'store-full': 'The storage has no room left; nothing was stored. Reading still works.',
  'store-read-only': 'The storage takes no writes at the moment; nothing was stored. Reading still works.',
  'issuer-unavailable': 'The issuer of the access token is not reachable; nothing was done. Try again later.',
  ...Object.fromEntries(Object.entries(SEARCH_FAILURES).map(([code, message]) => [code, sentence(message)])),
};

/** The store is well; there is too much to do. */
const OVERLOADED: ReadonlySet<ErrorCode> = new Set(['too-many-searches', 'too-many-sign-ins']);

const RETRY_AFTER_SECONDS: Partial<Record<ProblemSlug, string>> = {
  conflict: '1',
  unavailable: '2',
  overloaded: '1',
  'outcome-unknown': '2',
};

/** The code of Node for a response that ended before its body. */
const PREMATURE_CLOSE = 'ERR_STREAM_PREMATURE_CLOSE';

export interface ProblemSettings extends ChallengeSettings {
  readonly mountPath: string;
  readonly onError: OnError;
  /** Returns a page in place of the document, for a request that a person made with a browser. */
  readonly pageFor?: (ctx: Context, problem: Problem) => string | undefined;
  /** Returns the JSON in place of the document, for programs that read errors in a way of their own. */
  readonly documentOf?: ((problem: Problem) => object) | undefined;
}

/** Reports every error as a problem document (RFC 9457). The last catch of the stack. */
export function problemDocuments(settings: ProblemSettings): HttpMiddleware {
  return async function reportProblems(ctx, next) {
    try {
      await next();
    } catch (error) {
      const problem = problemToTell(error, (failure) => settings.onError(failure, ctx.state.requestId));
      report(ctx, problem, settings);
    }
  };
}

/** Returns what a client is told of an error, and reports one that is a failure of the service. */
export function problemToTell(error: unknown, onFailure: (error: unknown) => void): Problem {
  const { problem, isFailure } = outcomeOf(error);
  if (isFailure) onFailure(error);
  return problem;
}

/** Returns what is reported of an error, and whether it is a failure of the service. It never throws. */
function outcomeOf(error: unknown): { readonly problem: Problem; readonly isFailure: boolean } {
  try {
    const problem = problemOf(error);
    return { problem, isFailure: isFailureOf(error, problem) };
  } catch {
    return { problem: internalError(), isFailure: true };
  }
}

/** Returns whether something is wrong with the service: not with the request, nor is there only too much to do. */
function isFailureOf(error: unknown, problem: Problem): boolean {
  const isExpected = error === problem || problem.slug === 'overloaded' || searchFailureIn(error) !== undefined;
  return problem.status >= 500 && !isExpected;
}

/** @throws Problem `not-found`, where no route leads. */
export function notFound(): never {
  throw new Problem('not-found', 'There is nothing at this path.');
}

/** Reports what fails after the response has begun, unless its client went away. */
export function lateErrors(onError: OnError): (error: unknown, ctx: Context) => void {
  return (error, { req, state }) => {
    const isClientGone = error === socketOf(req)?.errored || (error as NodeJS.ErrnoException).code === PREMATURE_CLOSE;
    if (!isClientGone) onError(error, state.requestId);
  };
}

/** Returns a field of the core by its name on the wire, which has underscores in place of capital letters. */
export function fieldOnWire({ field, code, detail }: FieldError): ProblemField {
  return { pointer: `/${field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`, code, detail };
}

export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDomainError(error) && Object.hasOwn(PROBLEM_OF_KIND, error.kind)) return problemOfDomain(error);
  return internalError();
}

function internalError(): Problem {
  return new Problem('internal-error', 'Something went wrong on our side.');
}

function problemOfDomain(error: DomainError): Problem {
  const { kind, code, message, fields } = error;
  const slug = OVERLOADED.has(code) ? 'overloaded' : PROBLEM_OF_KIND[kind];
  const detail = DETAIL_OF_CODE[code] ?? FIXED_DETAIL[slug] ?? sentence(message);
  return new Problem(slug, detail, {
    ...(kind === 'forbidden' && { missingScope: code }),
    ...(fields.length > 0 && { errors: fields.map(fieldOnWire) }),
    ...(searchFailureIn(error) && { reason: message }),
  });
}

function report(ctx: Context, problem: Problem, settings: ProblemSettings): void {
  const { mountPath, documentOf } = settings;
  const page = safePageFor(ctx, problem, settings);
  const type = documentOf === undefined ? 'application/problem+json' : JSON_TYPE;
  const text = documentOf && JSON.stringify(documentOf(problem));
  ctx.state.problem = problem.slug;
  ctx.state.reason = problem.options.reason;
  ctx.status = problem.status;
  ctx.set('Content-Type', page === undefined ? type : HTML_TYPE);
  ctx.set('Cache-Control', 'no-store');
  ctx.set(headersOf(ctx, problem, settings));
  sendAndClose(ctx, page ?? text ?? problemText(problem, mountPath, ctx.state.requestId));
}

/** Returns the page of a problem, or undefined when it cannot be made: the document is sent then. */
function safePageFor(ctx: Context, problem: Problem, { onError, pageFor }: ProblemSettings): string | undefined {
  try {
    return pageFor?.(ctx, problem);
  } catch (error) {
    onError(error, ctx.state.requestId);
    return undefined;
  }
}

function headersOf(ctx: Context, problem: Problem, settings: ProblemSettings): Record<string, string> {
  const { slug, options } = problem;
  const [retryAfter, challenge] = [RETRY_AFTER_SECONDS[slug], challengeOf(problem, ctx, settings)];
  return {
    ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    ...(challenge !== undefined && { 'WWW-Authenticate': challenge }),
    ...options.headers,
  };
}

const LINGER_MS = 500;
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** Sends the text. If a large body was not read, the connection is closed once the client has read the response. */
function sendAndClose(ctx: Context, text: string): void {
  if (!hasUnreadLargeBody(ctx.req)) {
    ctx.body = text;
    return;
  }
  ctx.set('Connection', 'close');
  ctx.body = Readable.from(lingering(text, ctx.req));
  ctx.length = Buffer.byteLength(text);
}

/**
 * Ends when the client has stopped sending: bytes left unread would reset the connection, response and all (RFC 9112,
 * section 9.6).
 */
async function* lingering(text: string, request: IncomingMessage): AsyncGenerator<string> {
  yield text;
  await new Promise<void>((resolve) => {
    let bytes = 0;
    const timer = setTimeout(resolve, LINGER_MS);
    request
      .once('close', () => clearTimeout(timer))
      .once('close', resolve)
      .once('end', resolve);
    request.on('data', (chunk: Buffer) => (bytes += chunk.length) > MAX_DISCARDED_BYTES && resolve());
    request.resume();
  });
}
