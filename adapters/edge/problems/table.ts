/** One kind of problem: its status, what it means, what to do about it, and an example of its `detail` and `errors`. */
interface ProblemEntry {
  readonly status: number;
  readonly title: string;
  readonly explanation: string;
  readonly advice: string;
  readonly detail: string;
  readonly errors?: readonly object[];
}

/** Every problem that the service reports (RFC 9457), by the slug of its address. */
export const PROBLEMS = {
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    explanation: 'The request is not well-formed HTTP, or repeats something that may be sent only once.',
    advice: 'Check the request line, the headers and the framing of the body. The detail names what is wrong.',
    detail: 'The header authorization must be sent once.',
  },
  'malformed-json': {
    status: 400,
    title: 'Malformed JSON',
    explanation:
      'The body is not a JSON text in UTF-8 (RFC 8259). It may be empty or incomplete, begin with a byte order ' +
      'mark, or contain bytes that are not UTF-8.',
    advice: 'Write the body with a JSON library, encode it as UTF-8, and send all of it.',
    detail: 'The body must be a JSON text in UTF-8, without a byte order mark.',
  },
  'invalid-query': {
    status: 400,
    title: 'Invalid query',
    explanation:
      'A query parameter is unknown, repeated, empty, out of range or badly encoded. The list "errors" names each ' +
      'one and what is allowed. Values are never adjusted silently.',
    advice:
      'Correct the named parameters, or leave them out. For more items than one page holds, follow the header Link.',
    detail: 'The query has parameters that are not allowed.',
    errors: [
      { parameter: 'limit', code: 'out-of-range', detail: 'must be an integer from 1 to 100, in plain digits' },
      { parameter: 'price_min', code: 'out-of-range', detail: 'must not be greater than price_max' },
    ],
  },
  'idempotency-key-invalid': {
    status: 400,
    title: 'Invalid idempotency key',
    explanation:
      'The Idempotency-Key header must be sent once and contain 1 to 255 visible ASCII characters except the ' +
      'double quote and the backslash, bare or in double quotes.',
    advice: 'Use a random UUID as the key, and send the header once.',
    detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters except " and \\, and be sent once.',
  },
  'missing-credentials': {
    status: 401,
    title: 'Missing credentials',
    explanation:
      'Every request needs the header "Authorization: Bearer <key>" with an API key that was created in the ' +
      'developer panel. The service reads the key from no other place.',
    advice: 'Add the header to the request. Developers create keys in the panel, after they have signed in.',
    detail: 'Send the header "Authorization: Bearer <key>".',
  },
  'invalid-token': {
    status: 401,
    title: 'Invalid token',
    explanation: 'The key, or the access token of an issuer, is malformed, unknown, expired or revoked.',
    advice:
      'Check that the key was copied completely. Create a new key in the developer panel, or ask the issuer for a ' +
      'new token.',
    detail: 'The key is malformed, unknown, expired or revoked.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'Insufficient scope',
    explanation:
      'The key is valid but lacks the scope that this request needs. The header WWW-Authenticate names it, together ' +
      'with those that the key has. Reading needs automations:read, creating needs automations:write.',
    advice:
      'Use a key with the named scopes, or ask for a token with them. The scopes of a key are chosen when it is ' +
      'created.',
    detail: 'This needs the scope automations:write.',
  },
  'cross-site-request': {
    status: 403,
    title: 'Cross-site request',
    explanation: 'A page of another site sent this request with the cookie of a session.',
    advice: 'Send the request from a page of the marketplace, or with an API key and without cookies.',
    detail: 'The request was sent from another site.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    explanation:
      'There is no automation with this id, or nothing at this path. A withdrawn automation is gone permanently. ' +
      'Paths are exact: no trailing slash, and case matters.',
    advice: 'Check the id and the path against the documentation. If the id came from a list, read the list again.',
    detail: 'There is no automation with this id.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: 'This path does not support this method. The header Allow lists the methods that it supports.',
    advice: 'Choose one of the methods in Allow.',
    detail: 'This path supports GET, HEAD, OPTIONS, POST.',
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    explanation: 'The header Accept does not permit application/json, the only format of the service.',
    advice: 'Send "Accept: application/json", or no such header.',
    detail: 'The header Accept must permit application/json.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request timeout',
    explanation: 'The headers or the body took too long to arrive.',
    advice: 'Send the request again. If it happens often, look for a slow network or a proxy that holds requests back.',
    detail: 'The headers or the body took too long to arrive.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    explanation: 'An automation has the new id already. The service chooses ids, so this is very rare.',
    advice: 'Send the same request again after the seconds in Retry-After.',
    detail: 'An automation has this id already.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    explanation: 'The header If-Match does not contain the current entity tag of this resource.',
    advice: 'Read the resource again without If-Match, and use the entity tag of that response.',
    detail: 'If-Match does not contain the current entity tag.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload too large',
    explanation: 'The body is over 64 KiB; with a file, and the header Content-Length, over 2 MiB.',
    advice:
      'Shorten the description, which has at most 10,000 characters, and send it in UTF-8 rather than in \\u ' +
      'escapes. Send a file whose text has many escapes in base64.',
    detail: 'The body must be at most 2 MiB with a file, and 64 KiB without one.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URI too long',
    explanation: 'The request target is over 8 KiB.',
    advice: 'Shorten the address. No address of this service needs more than a few hundred characters.',
    detail: 'The request target must be at most 8 KiB.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    explanation:
      'The body must be application/json in UTF-8. A charset is not needed; the only one that is accepted is utf-8.',
    advice: 'Send "Content-Type: application/json".',
    detail: 'The body must be application/json in UTF-8.',
  },
  'unsupported-content-encoding': {
    status: 415,
    title: 'Unsupported content encoding',
    explanation: 'The body must be sent without the header Content-Encoding.',
    advice: 'Switch off the compression of requests in your client.',
    detail: 'The body must be sent without Content-Encoding.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    explanation: 'The only expectation that the service supports is "Expect: 100-continue".',
    advice: 'Leave the header Expect out.',
    detail: 'The only supported expectation is 100-continue.',
  },
  'validation-error': {
    status: 422,
    title: 'Validation error',
    explanation:
      'The JSON is well-formed, but its content breaks rules. The list "errors" points to each member and says ' +
      'what is allowed. Nothing was stored.',
    advice: 'Correct every listed member and send the request again, with the same idempotency key if you like.',
    detail: 'The automation is not valid; nothing was stored.',
    errors: [
      { pointer: '/title', code: 'required', detail: 'is required' },
      { pointer: '/price', code: 'wrong-type', detail: 'must be a number, not a string' },
    ],
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    explanation: 'This idempotency key was used within 24 hours for an automation with other content.',
    advice: 'Use a new key for a new automation. To repeat the earlier request, send exactly the same content.',
    detail: 'This idempotency key was used for an automation with other content; use a new key for a new automation.',
  },
  'quota-exceeded': {
    status: 429,
    title: 'Quota exceeded',
    explanation:
      'This key, or this address with invalid keys, sent more requests than a minute allows. The headers RateLimit ' +
      'and RateLimit-Policy give the limit and what is left.',
    advice:
      'Send the request again after the seconds in Retry-After, and slow down before nothing is left. A ' +
      'conditional request that returns 304 is free.',
    detail: 'The limit is 600 reads a minute.',
  },
  'header-too-large': {
    status: 431,
    title: 'Header too large',
    explanation: 'The headers are over 16 KiB in total.',
    advice: 'Look for headers that a proxy or a cookie jar has added. The API reads no cookies.',
    detail: 'The headers must be at most 16 KiB in total.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal error',
    explanation:
      'Something failed that should not fail. The operator finds the cause in the log under the request id, which ' +
      'is in "instance" and in the header X-Request-Id.',
    advice: 'Tell the operator the request id. A read may be sent again; so may a create with an idempotency key.',
    detail: 'Something went wrong on our side.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    explanation:
      'The storage, or the issuer of an access token, is not reachable, and nothing was done. Or the storage takes ' +
      'no writes at the moment, a search took too long, or its index is being built; the detail says so.',
    advice:
      'Wait for the seconds in Retry-After, and longer each time it happens again. If a search took too long, ask ' +
      'for more words, or for longer ones.',
    detail: 'The storage is not reachable; nothing was done. Try again later.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    explanation: 'The service is receiving more requests than it can handle.',
    advice: 'Wait for the seconds in Retry-After, and longer each time it happens again.',
    detail: 'The service is receiving more requests than it can handle. Try again later.',
  },
  'outcome-unknown': {
    status: 503,
    title: 'Outcome unknown',
    explanation:
      'The storage did not answer a write. It may or may not have been done. The same request with the same ' +
      'idempotency key finds out, and creates nothing twice.',
    advice:
      'Send the same request again after the seconds in Retry-After. Without an idempotency key, look for the ' +
      'automation in the list first.',
    detail: 'It is not known whether this was done. Send the request again with the same idempotency key.',
  },
} as const satisfies Record<string, ProblemEntry>;

export type ProblemSlug = keyof typeof PROBLEMS;

export const SLUGS = Object.keys(PROBLEMS) as readonly ProblemSlug[];

/** Returns a problem document as a client may receive it. */
export function problemExample(slug: ProblemSlug, mountPath: string, requestId: string): object {
  const { status, title, detail, errors }: ProblemEntry = PROBLEMS[slug];
  return {
    type: `${mountPath}/problems/${slug}`,
    code: slug,
    title,
    status,
    detail,
    instance: requestId,
    ...(errors && { errors }),
  };
}
