import { FIELD_ERROR_CODES } from '../../../domain/errors.js';
import { PROBLEMS, type ProblemSlug } from './table.js';

/** The codes of the core, and those of requests that are not well-formed. */
export const PROBLEM_FIELD_CODES = [
  ...FIELD_ERROR_CODES,
  'unknown-parameter',
  'unknown-member',
  'bad-encoding',
  'repeated',
  'empty',
] as const;

export type ProblemFieldCode = (typeof PROBLEM_FIELD_CODES)[number];

/**
 * One entry of a problem's `errors`: a member of the body (a JSON Pointer, RFC 6901) or a parameter, and what is
 * allowed.
 */
export interface ProblemField {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: ProblemFieldCode;
  readonly detail: string;
}

interface ProblemOptions {
  readonly errors?: readonly ProblemField[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The scope that the credentials lack, for the challenge. */
  readonly missingScope?: string;
  /** What people read on a page, in place of the usual texts for such a problem. */
  readonly page?: { readonly title: string; readonly advice: string };
  /** Why, for operators: it goes to the log. */
  readonly reason?: string;
}

/** An error that becomes a problem document as it is (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly slug: ProblemSlug,
    readonly detail: string,
    readonly options: ProblemOptions = {},
  ) {
    super(detail);
  }

  get status(): number {
    return PROBLEMS[this.slug].status;
  }
}

const MAX_ERRORS = 20;
/** So that no document is over 8 KiB. */
const MAX_ERRORS_BYTES = 7 * 1024;
const MAX_NAME_LENGTH = 64;

/** Returns the text of a problem document. It lists at most `maxErrors` errors, and no more than 8 KiB hold. */
export function problemText(
  { slug, detail, options }: Problem,
  mountPath: string,
  requestId: string,
  maxErrors = MAX_ERRORS,
): string {
  const { status, title } = PROBLEMS[slug];
  const errors = options.errors && limitErrors(options.errors.slice(0, maxErrors));
  const type = `${mountPath}/problems/${slug}`;
  return JSON.stringify({ type, code: slug, title, status, detail, instance: requestId, ...(errors && { errors }) });
}

function limitErrors(errors: readonly ProblemField[]): readonly ProblemField[] {
  let bytes = 0;
  const fits = (error: ProblemField) => (bytes += Buffer.byteLength(JSON.stringify(error))) <= MAX_ERRORS_BYTES;
  return errors.filter(fits);
}

/** Returns a name that a client chose, cut between two characters if it is long. */
export function truncate(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  return `${name.slice(0, MAX_NAME_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
