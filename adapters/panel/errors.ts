import type { Middleware } from 'koa';
import { DomainError, type ErrorKind } from '../../application/index.js';
import { html } from './answers.js';
import { BUSY, PageError, type PageErrorStatus } from './page-error.js';
import type { Context, Panel, Visit } from './visit.js';

const STATUS_OF_KIND = {
  invalid: 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'idempotency-key-reused': 409,
  'idempotency-in-progress': 409,
  unavailable: 503,
  'outcome-unknown': 503,
} as const satisfies Record<ErrorKind, PageErrorStatus>;

/** The messages of these errors are written for people; those of the others go to the log. */
const SHOWN: readonly ErrorKind[] = ['conflict', 'not-found'];

const UNCERTAIN = 'It is unknown whether this was done. Check before you try again.';
const RETRY_AFTER = { 'Retry-After': '2' };

/** Turns every error into a page. First in the stack, and the only catch. */
export function errorPages(panel: Panel): Middleware<Visit> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const pageError = pageErrorOf(error);
      if (pageError.status >= 500 && !isBusy(error)) panel.onError(error, ctx.state.requestId);
      answer(ctx, pageError, panel);
    }
  };
}

/** Reports errors after the response has begun, except that the browser left. */
export function lateFailures({ onError }: Panel): (error: unknown, ctx: Context) => void {
  return (error, { socket, state }) => {
    if (error !== socket.errored) onError(error, state.requestId);
  };
}

/** Too many sign-ins at once are not an internal error; anyone could fill the log with them. */
function isBusy(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'too-many-sign-ins';
}

function pageErrorOf(error: unknown): PageError {
  if (error instanceof PageError) return error;
  if (error instanceof DomainError) return pageErrorOfDomain(error);
  return pageErrorOfBodyParser(error) ?? new PageError(500);
}

function pageErrorOfDomain(error: DomainError): PageError {
  const { kind, message } = error;
  const status = STATUS_OF_KIND[kind];
  if (isBusy(error)) return new PageError(status, RETRY_AFTER, sentence(message), BUSY);
  if (kind === 'outcome-unknown') return new PageError(status, RETRY_AFTER, UNCERTAIN);
  if (status === 503) return new PageError(status, RETRY_AFTER);
  return SHOWN.includes(kind) ? new PageError(status, {}, sentence(message)) : new PageError(status);
}

/** Reads only `type` of an error of koa-bodyparser (http-errors of raw-body), since the error holds the raw body. */
function pageErrorOfBodyParser(error: unknown): PageError | undefined {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return new PageError(413);
  if (type === 'request.aborted' || type === 'request.size.invalid') return new PageError(400);
  return undefined;
}

function answer(ctx: Context, { status, title, advice, headers }: PageError, { render }: Panel): void {
  html(ctx, render('error', { title, status, advice, requestId: ctx.state.requestId }), status);
  ctx.set(headers);
}

export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
