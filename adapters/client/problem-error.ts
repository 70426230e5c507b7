import type { FieldError, Problem, ProblemCode } from './types.js';

/** The response of the service to a request that it refused: a problem document (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly status: number;
  /** Every mistake in the request; empty if the problem is another one. */
  readonly errors: readonly FieldError[];
  /** The id of the request in the log of the service. */
  readonly requestId: string;

  /** Takes the document, and after how many seconds the request may be sent again. */
  constructor(
    readonly problem: Problem,
    readonly retryAfter?: number,
  ) {
    super(`${problem.title}: ${problem.detail}${(problem.errors ?? []).map(sentenceOf).join('')}`);
    this.code = problem.code;
    this.status = problem.status;
    this.errors = problem.errors ?? [];
    this.requestId = problem.instance;
  }
}

/** Returns what is wrong with a member, a parameter or the whole body, such as ` title is required.` */
function sentenceOf({ pointer, parameter, detail }: FieldError): string {
  return ` ${parameter ?? (pointer?.slice(1) || 'the body')} ${detail}.`;
}
