import type { Header, Ref, Schema } from './model.js';
import { ref } from './model.js';
import { AUTOMATION_ID, ETAG, REQUEST_ID } from './examples.js';

const text: Schema = { type: 'string' };

function constant(value: string): Schema {
  return { type: 'string', const: value };
}

function always(description: string, schema: Schema, value: unknown): Header {
  return { description, required: true, schema, examples: { usual: { value } } };
}

function sometimes(description: string, schema: Schema, value: unknown): Header {
  return { ...always(description, schema, value), required: false };
}

/** The headers of answers, by the name of the component; two of them are one header with different values. */
export const headers = {
  'X-Request-Id': always(
    'Names this request in the log of the operator: what the client sent under this name, if it was legal, or a new id.',
    { type: 'string', pattern: '^[A-Za-z0-9-]{1,64}$' },
    REQUEST_ID,
  ),
  'X-Content-Type-Options': always('The body is what Content-Type says.', constant('nosniff'), 'nosniff'),
  Vary: always('Another key may see another answer.', constant('Authorization'), 'Authorization'),
  NoStore: always('This answer is not to be kept.', constant('no-store'), 'no-store'),
  Revalidate: always(
    'The client may keep the answer, shared caches may not, and each use is to be checked with If-None-Match.',
    constant('private, no-cache'),
    'private, no-cache',
  ),
  ETag: always('A strong entity tag: another one whenever the body is another.', { type: 'string', pattern: '^"[^"]+"$' }, ETAG),
  Link: sometimes(
    'The first, previous, next and last page as far as they exist (RFC 8288), with the same filters and under the same base. Sent unless it would be longer than 8 KiB, as with a category that nobody has.',
    { type: 'string', pattern: '^<[^>]+>; rel="first"' },
    '</api/automations?limit=25&page=1>; rel="first", </api/automations?limit=25&page=2>; rel="next", </api/automations?limit=25&page=3>; rel="last"',
  ),
  Location: always(
    'The address of the new automation, under the base of the request.',
    { type: 'string', format: 'uri-reference' },
    `/api/automations/${AUTOMATION_ID}`,
  ),
  'Idempotent-Replayed': sometimes('Sent when an earlier request with the same key made the automation.', constant('true'), 'true'),
  'Retry-After': always('After how many seconds to send the request again.', { type: 'integer', minimum: 1 }, 1),
  'WWW-Authenticate': {
    description: 'What the key lacks (RFC 6750, section 3); without `error` when there was none.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer realm="' },
    examples: {
      none: { value: 'Bearer realm="automation-marketplace"' },
      invalid: { value: 'Bearer realm="automation-marketplace", error="invalid_token"' },
      insufficient: {
        value: 'Bearer realm="automation-marketplace", error="insufficient_scope", scope="automations:write"',
      },
    },
  },
  'RateLimit-Policy': sometimes(
    'How many requests of this kind a key may send in how many seconds (draft-ietf-httpapi-ratelimit-headers), unless the operator has switched limits off.',
    { type: 'string', pattern: '^"[a-z-]+";q=[0-9]+;w=[0-9]+$' },
    '"reads";q=600;w=60',
  ),
  RateLimit: sometimes(
    'How many of them are left, and in how many seconds all are again (draft-ietf-httpapi-ratelimit-headers).',
    { type: 'string', pattern: '^"[a-z-]+";r=[0-9]+;t=[0-9]+$' },
    '"reads";r=599;t=60',
  ),
  'X-RateLimit-Limit': sometimes('The quota of RateLimit-Policy.', { type: 'integer', minimum: 0 }, 600),
  'X-RateLimit-Remaining': sometimes('What is left of it.', { type: 'integer', minimum: 0 }, 599),
  'X-RateLimit-Reset': sometimes('When all of it is there again, in seconds since 1970.', { type: 'integer', minimum: 1 }, 1_768_469_460),
  Allow: always('The methods that this path takes.', text, 'GET, HEAD, OPTIONS, POST'),
} as const satisfies Record<string, Header>;

type HeaderName = Exclude<keyof typeof headers, 'NoStore' | 'Revalidate'>;

const EVERYWHERE: readonly HeaderName[] = [
  'X-Request-Id',
  'X-Content-Type-Options',
  'Vary',
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** What an answer carries: some headers of its own beside those on every answer. */
export function carries(caching: 'NoStore' | 'Revalidate', ...own: readonly HeaderName[]): Readonly<Record<string, Ref>> {
  const names: readonly HeaderName[] = [...own, ...EVERYWHERE];
  return {
    ...Object.fromEntries(names.map((name) => [name, ref('headers', name)])),
    'Cache-Control': ref('headers', caching),
  };
}
