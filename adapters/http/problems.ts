/** Every problem type that the service answers with (RFC 9457): the slug of its address, its status and what it means. */
export const PROBLEMS = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    explanation:
      'The request is not well-formed HTTP, or says a thing twice that may be said once. Check the request line, the headers and how the body is framed.',
  },
  'malformed-json': {
    status: 400,
    title: 'Malformed JSON',
    explanation:
      'The body is not a JSON text in UTF-8 (RFC 8259). It may be empty, cut off, begin with a byte order mark, or hold bytes that are not UTF-8.',
  },
  'invalid-query': {
    status: 400,
    title: 'Invalid query',
    explanation:
      'A query parameter is unknown, repeated, empty, out of range or badly encoded. The list "errors" names each and says what is allowed. Values are never adjusted silently.',
  },
  'idempotency-key-invalid': {
    status: 400,
    title: 'Invalid idempotency key',
    explanation:
      'The Idempotency-Key header must be sent once and hold 1 to 255 visible ASCII characters except the double quote and the backslash, bare or in double quotes.',
  },
  'missing-credentials': {
    status: 401,
    title: 'Missing credentials',
    explanation:
      'Every request carries the header "Authorization: Bearer <key>" with an API key that was created in the developer panel. The key is read from nowhere else.',
  },
  'invalid-token': {
    status: 401,
    title: 'Invalid token',
    explanation:
      'The key, or the access token of an issuer, is malformed, unknown, expired or revoked. Check that it was copied whole; create a new key in the developer panel, or ask the issuer for a new token.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'Insufficient scope',
    explanation:
      'The key is valid but does not carry the right that this request needs. The header WWW-Authenticate names it. Reading needs automations:read, offering needs automations:write.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    explanation:
      'There is no automation with this id, or nothing at this path. An automation that was withdrawn is gone for good. Paths are exact: no trailing slash, and upper case is not lower case.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: 'This path does not take this method. The header Allow lists those that it takes.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    explanation: 'The header Accept admits no application/json, and the service speaks nothing else.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    explanation: 'The headers or the body took too long to arrive. Send the request again, in one go.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    explanation: 'What was to be stored collides with what is there. Send the request again after the seconds in Retry-After.',
  },
  'idempotency-in-progress': {
    status: 409,
    title: 'Idempotency key in progress',
    explanation:
      'An earlier request with this idempotency key is under way and its fate cannot be told yet. Send the same request again after the seconds in Retry-After.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    explanation: 'The header If-Match names no current entity tag of this resource.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload too large',
    explanation: 'The body is over 64 KiB.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URI too long',
    explanation: 'The request target is over 8 KiB.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    explanation: 'The body must be application/json in UTF-8; a charset, if there is one, must be utf-8.',
  },
  'unsupported-content-encoding': {
    status: 415,
    title: 'Unsupported content encoding',
    explanation: 'The body must be sent as it is, without the header Content-Encoding.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    explanation: 'The only expectation that the service meets is "Expect: 100-continue".',
  },
  'validation-error': {
    status: 422,
    title: 'Validation error',
    explanation:
      'The JSON is well-formed and its content breaks rules. The list "errors" points to each member and says what is allowed; nothing was stored.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    explanation:
      'This idempotency key was used within 24 hours for an automation with other content. Use a new key for a new automation.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'Quota exceeded',
    explanation:
      'This key, or this address with keys that are not valid, sent more requests than a minute allows. Send the request again after the seconds in Retry-After; the headers RateLimit and RateLimit-Policy say how many are left and how many there are.',
  },
  'header-too-large': {
    status: 431,
    title: 'Header too large',
    explanation: 'The headers are over 16 KiB in all.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    explanation:
      'Something broke that should not have. The operator finds the cause in the log under the request id, which stands in "instance" and in the header X-Request-Id.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    explanation:
      'The storage, or the issuer of an access token, is out of reach and nothing was done. Send the request again after the seconds in Retry-After.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    explanation: 'More requests came than can be served. Send the request again after the seconds in Retry-After.',
  },
  'outcome-unknown': {
    status: 503,
    title: 'Outcome unknown',
    explanation:
      'The storage did not answer a write, which may or may not have been done. Send the same request with the same idempotency key after the seconds in Retry-After: it finds out, and creates nothing twice.',
  },
} as const satisfies Record<string, { status: number; title: string; explanation: string }>;

export type ProblemSlug = keyof typeof PROBLEMS;

/** One entry of a problem's `errors`: where in the body (a JSON Pointer, RFC 6901) or which parameter, and what is allowed. */
export interface ProblemField {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly detail: string;
}

/** A name of the client's choosing, cut between two characters where it is longer than anyone reads. */
export function shortened(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 63).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Thrown by the middlewares of this adapter; becomes the answer as it is. */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly slug: ProblemSlug,
    readonly detail: string,
    readonly more: {
      readonly errors?: readonly ProblemField[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(detail);
  }
}

const MOST_FIELDS = 20;
/** In bytes: what the errors may take, so that no body is over 8 KiB. */
const MOST_OF_FIELDS = 7 * 1024;

/** The body of a problem document; at most 20 errors are listed, and as many as 8 KiB hold. */
export function problemBody(problem: Problem, mountPath: string, requestId: string): string {
  const { status, title } = PROBLEMS[problem.slug];
  const errors = problem.more.errors && listed(problem.more.errors);
  return JSON.stringify({
    type: `${mountPath}/problems/${problem.slug}`,
    title,
    status,
    detail: problem.detail,
    instance: requestId,
    ...(errors && { errors }),
  });
}

function listed(errors: readonly ProblemField[]): readonly ProblemField[] {
  let size = 0;
  return errors.slice(0, MOST_FIELDS).filter((error) => (size += Buffer.byteLength(JSON.stringify(error))) <= MOST_OF_FIELDS);
}
