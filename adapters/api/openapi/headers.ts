import type { Header, Ref, Schema } from './model.js';
import { ref } from './model.js';
import { AUTOMATION_ID, ETAG, REQUEST_ID } from './examples.js';

function constant(value: string): Schema {
  return { type: 'string', const: value };
}

function always(description: string, schema: Schema, value: unknown): Header {
  return { description, required: true, schema, examples: { usual: { value } } };
}

function sometimes(description: string, schema: Schema, value: unknown): Header {
  return { ...always(description, schema, value), required: false };
}

/** The headers of responses, by the name of the component; two of them are one header with different values. */
export const headers = {
  'X-Request-Id': always(
    'The id of this request in the log of the operator: the one that the client sent, if it was legal, else a new one.',
    { type: 'string', pattern: '^[A-Za-z0-9-]{1,64}$' },
    REQUEST_ID,
  ),
  'X-Content-Type-Options': always('The body is what Content-Type says.', constant('nosniff'), 'nosniff'),
  Vary: always('Another key may get another response.', constant('Authorization'), 'Authorization'),
  NoStore: always('The response must not be kept.', constant('no-store'), 'no-store'),
  Revalidate: always(
    'The client may keep the response and must revalidate it with If-None-Match; shared caches must not keep it.',
    constant('private, no-cache'),
    'private, no-cache',
  ),
  ETag: always(
    'A strong entity tag, which differs whenever the body differs.',
    { type: 'string', pattern: '^"[^"]+"$' },
    ETAG,
  ),
  Link: sometimes(
    'The first, previous, next and last page as far as they exist (RFC 8288), with the same filters and under ' +
      'the same base. With `after` the next one alone, unless the page is not full. Not sent if it would be longer ' +
      'than 8 KiB.',
    { type: 'string', pattern: '^<[^>]+>; rel="(?:first|next)"' },
    '</api/automations?limit=25&page=1>; rel="first", </api/automations?limit=25&page=2>; rel="next", ' +
      '</api/automations?limit=25&page=3>; rel="last"',
  ),
  Location: always(
    'The address of the new automation, under the base of the request. After a replay it returns 404 if the ' +
      'automation has been withdrawn.',
    { type: 'string', format: 'uri-reference' },
    `/api/automations/${AUTOMATION_ID}`,
  ),
  'Idempotent-Replayed': sometimes(
    'Sent if an earlier request with the same key created it. The body is the automation in its current state.',
    constant('true'),
    'true',
  ),
  'Retry-After': always(
    'The number of seconds after which to send the request again.',
    { type: 'integer', minimum: 1 },
    1,
  ),
  'WWW-Authenticate': {
    description:
      'What the key lacks (RFC 6750, section 3); without `error` if no key was sent. `scope` names all that the ' +
      'request needs, together with what the key has: a client asks for exactly these. Where access tokens are ' +
      'accepted, `resource_metadata` leads to what says where to get one (RFC 9728).',
    required: true,
    schema: { type: 'string', pattern: '^Bearer realm="' },
    examples: {
      none: { value: 'Bearer realm="automation-marketplace"' },
      invalid: { value: 'Bearer realm="automation-marketplace", error="invalid_token"' },
      insufficient: {
        value:
          'Bearer realm="automation-marketplace", error="insufficient_scope", ' +
          'scope="automations:read automations:write"',
      },
    },
  },
  'RateLimit-Policy': sometimes(
    'The number of requests of this kind that a key may send in a number of seconds ' +
      '(draft-ietf-httpapi-ratelimit-headers). Not sent if the operator has switched limits off.',
    { type: 'string', pattern: '^"[a-z-]+";q=[0-9]+;w=[0-9]+$' },
    '"reads";q=600;w=60',
  ),
  RateLimit: sometimes(
    'How many of them are left, and after how many seconds all are again (draft-ietf-httpapi-ratelimit-headers).',
    { type: 'string', pattern: '^"[a-z-]+";r=[0-9]+;t=[0-9]+$' },
    '"reads";r=599;t=60',
  ),
  'X-RateLimit-Limit': sometimes('The quota of RateLimit-Policy.', { type: 'integer', minimum: 0 }, 600),
  'X-RateLimit-Remaining': sometimes('What is left of the quota.', { type: 'integer', minimum: 0 }, 599),
  'X-RateLimit-Reset': sometimes(
    'The time at which the quota is full again, in seconds since 1970.',
    { type: 'integer', minimum: 1 },
    1_768_469_460,
  ),
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

/** Returns the headers of a response: some of its own, and those of every response. */
export function carries(
  caching: 'NoStore' | 'Revalidate',
  ...own: readonly HeaderName[]
): Readonly<Record<string, Ref>> {
  const names: readonly HeaderName[] = [...own, ...EVERYWHERE];
  return {
    ...Object.fromEntries(names.map((name) => [name, ref('headers', name)])),
    'Cache-Control': ref('headers', caching),
  };
}
