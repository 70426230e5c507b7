import type { Middleware } from 'koa';
import { DomainError, type ErrorKind } from '../../application/index.js';
import { html } from './answers.js';
import { BUSY, Refusal, type RefusalStatus } from './refusal.js';
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
} as const satisfies Record<ErrorKind, RefusalStatus>;

/** What the core says of these is made for people; of the others it goes to the log. */
const TOLD: readonly ErrorKind[] = ['conflict', 'not-found'];

const UNCERTAIN = 'It cannot be told whether this was done. Look before you try again.';
const RETRY_AFTER = { 'Retry-After': '2' };

/** First in the stack and the only catch: every failure leaves as a page. */
export function errorPages(panel: Panel): Middleware<Visit> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.status >= 500 && !isBusy(error)) panel.onError(error, ctx.state.requestId);
      answer(ctx, refusal, panel);
    }
  };
}

/** What fails after the answer has begun, but for a browser that went away. */
export function lateFailures({ onError }: Panel): (error: unknown, ctx: Context) => void {
  return (error, { socket, state }) => {
    if (error !== socket.errored) onError(error, state.requestId);
  };
}

/** More than the processor has time for: no failure, and a stranger could else fill the log with it. */
function isBusy(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'too-many-sign-ins';
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof DomainError) return refusalOfDomain(error);
  return refusalOfBodyParser(error) ?? new Refusal(500);
}

function refusalOfDomain(error: DomainError): Refusal {
  const { kind, message } = error;
  const status = STATUS_OF_KIND[kind];
  if (isBusy(error)) return new Refusal(status, RETRY_AFTER, sentence(message), BUSY);
  if (kind === 'outcome-unknown') return new Refusal(status, RETRY_AFTER, UNCERTAIN);
  if (status === 503) return new Refusal(status, RETRY_AFTER);
  return TOLD.includes(kind) ? new Refusal(status, {}, sentence(message)) : new Refusal(status);
}

/** Of what koa-bodyparser throws (http-errors of raw-body) only `type` is read: on the error hangs the raw body. */
function refusalOfBodyParser(error: unknown): Refusal | undefined {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return new Refusal(413);
  if (type === 'request.aborted' || type === 'request.size.invalid') return new Refusal(400);
  return undefined;
}

function answer(ctx: Context, { status, title, advice, headers }: Refusal, { render }: Panel): void {
  html(ctx, render('error', { title, status, advice, requestId: ctx.state.requestId }), status);
  ctx.set(headers);
}

export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
