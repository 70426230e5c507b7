import { AUTOMATIONS, create, draft, passes, refused, type Row } from './row.js';

const CHALLENGE = 'Bearer realm="automation-marketplace"';
const none = { 'WWW-Authenticate': CHALLENGE };
const bad = { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` };
/** A key with one of both scopes is told to ask for the other one together with its own. */
const lacking = {
  'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="automations:read automations:write"`,
};

function missing(name: string, authorization: string | undefined, more: Partial<Row> = {}): Row {
  const headers = { Authorization: authorization, ...more.headers };
  return refused(name, 401, 'missing-credentials', { target: AUTOMATIONS, answer: none, ...more, headers });
}

function invalid(name: string, token: string, more: Partial<Row> = {}): Row {
  const headers = { Authorization: `Bearer ${token}`, ...more.headers };
  return refused(name, 401, 'invalid-token', { target: AUTOMATIONS, answer: bad, ...more, headers });
}

export const CREDENTIALS_ROWS: readonly Row[] = [
  missing('no Authorization', undefined),
  missing('an empty Authorization', ''),
  missing('Bearer without a key', 'Bearer'),
  missing('Bearer and white space', 'Bearer   \t '),
  missing('Basic', 'Basic {full}'),
  missing('Digest', 'Digest username="ada"'),
  missing('DPoP', 'DPoP {full}'),
  missing('Token', 'Token {full}'),
  missing('the key without a scheme', '{full}'),
  missing('a scheme that only begins as Bearer', 'Bearerish {full}'),
  missing('Bearer with a colon', 'Bearer: {full}'),
  missing('Bearer with an equals sign', 'Bearer={full}'),
  missing('the key in X-API-Key', undefined, { headers: { 'X-API-Key': '{full}' } }),
  missing('the key in a cookie', undefined, {
    headers: { Cookie: 'access_token={full}; Authorization=Bearer {full}' },
  }),
  missing('the key in Proxy-Authorization', undefined, { headers: { 'Proxy-Authorization': 'Bearer {full}' } }),
  missing('the key in X-Forwarded-Authorization', undefined, {
    headers: { 'X-Forwarded-Authorization': 'Bearer {full}' },
  }),
  missing('the user in X-Forwarded-User', undefined, { headers: { 'X-Forwarded-User': 'ada' } }),
  missing('the key in the query alone', undefined, { target: `${AUTOMATIONS}?access_token={full}` }),
  missing('the key as api_key in the query', undefined, { target: `${AUTOMATIONS}?api_key={full}` }),
  missing('the key in the body', undefined, { ...create(`access_token={full}`, { Authorization: undefined }) }),
  missing('an unknown path without a key', undefined, { target: '/api/nothing' }),
  missing('a base without a key', undefined, { target: '/v1' }),
  missing('a bad query without a key', undefined, { target: `${AUTOMATIONS}?page=0` }),
  missing('a method that no path takes without a key', undefined, {
    method: 'DELETE',
    answer: { ...none, Allow: null },
  }),
  missing('OPTIONS without a key', undefined, { method: 'OPTIONS', answer: { ...none, Allow: null } }),
  missing('a create without a key', undefined, { ...create(draft(), { Authorization: undefined }) }),
  missing('a create with a broken body and no key', undefined, { ...create('{', { Authorization: undefined }) }),
  missing('an automation without a key', undefined, { target: '/api/automations/{id}' }),
  missing('the categories without a key', undefined, { target: '/api/categories' }),
  missing('HTML wanted without a key', undefined, { headers: { Accept: 'text/html' } }),

  invalid('an unknown key', '{unknown}'),
  invalid('a key with a typing error', '{typo}'),
  invalid('a revoked key', '{revoked}'),
  invalid('an expired key', '{expired}'),
  invalid('half a key', 'amk_0123456789'),
  invalid('one character', 'x'),
  invalid('a key and a comma', '{full},'),
  invalid('two keys', '{full} {full}'),
  invalid('two keys with a comma', '{full}, Bearer {full}'),
  invalid('a key in quotes', '"{full}"'),
  invalid('a key in capitals', 'AMK_{full}'),
  invalid('a key and a NUL that is spelt out', '{full}%00'),
  invalid('a key of 8,000 characters', 'a'.repeat(8_000)),
  invalid('a no-break space before the key', '\xa0{full}'),
  invalid('a no-break space behind the key', '{full}\xa0'),
  invalid('a key with bytes beyond ASCII', '{full}\xff\xfe'),
  invalid(
    'a JSON Web Token without a signature',
    'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEiLCJzY29wZSI6ImF1dG9tYXRpb25zOndyaXRlIn0.',
  ),
  invalid('a query operator', '{"$ne":null}'),
  invalid('SQL', "' OR '1'='1"),
  invalid('__proto__', '__proto__'),
  invalid('a bad key at an unknown path', '{unknown}', { target: '/api/nothing' }),
  invalid('a bad key and a method that no path takes', '{unknown}', {
    method: 'PATCH',
    answer: { ...bad, Allow: null },
  }),
  invalid(
    'a bad key and a body over the limit',
    '{unknown}',
    create('x'.repeat(70_000), { Authorization: 'Bearer {unknown}' }),
  ),

  refused('the key in the header and in the query', 400, 'invalid-query', {
    target: `${AUTOMATIONS}?access_token={full}`,
    fields: ['access_token'],
  }),
  refused('the key in the header and in the query, at no path', 400, 'invalid-query', {
    target: '/api/nothing?access_token={full}',
    fields: ['access_token'],
  }),
  refused('a bad key in the header, and one in the query', 400, 'invalid-query', {
    target: `${AUTOMATIONS}?limit=1&access_token`,
    headers: { Authorization: 'Bearer {unknown}' },
    fields: ['access_token'],
  }),
  refused('the key in the header, and in the query of a create', 400, 'invalid-query', {
    ...create(draft()),
    target: `${AUTOMATIONS}?access_token=x`,
    fields: ['access_token'],
  }),
  refused('a reader creates', 403, 'insufficient-scope', {
    ...create(draft(), { Authorization: 'Bearer {reader}' }),
    answer: lacking,
  }),
  refused('a reader creates something broken', 403, 'insufficient-scope', {
    ...create('{', { Authorization: 'Bearer {reader}' }),
    answer: lacking,
  }),
  refused('a reader creates with a body over the limit', 403, 'insufficient-scope', {
    ...create('x'.repeat(70_000), { Authorization: 'Bearer {reader}' }),
    answer: lacking,
  }),
  refused('a reader creates in another media type', 403, 'insufficient-scope', {
    ...create(draft(), { Authorization: 'Bearer {reader}', 'Content-Type': 'text/plain' }),
    answer: lacking,
  }),
  refused('a reader creates with an illegal idempotency key', 403, 'insufficient-scope', {
    ...create(draft(), { Authorization: 'Bearer {reader}', 'Idempotency-Key': 'a b' }),
    answer: lacking,
  }),
  ...['/automations', '/automations/{id}', '/categories'].map((path) =>
    refused(`a writer reads ${path}`, 403, 'insufficient-scope', {
      target: `/api${path}`,
      headers: { Authorization: 'Bearer {writer}' },
      answer: lacking,
    }),
  ),
  refused('a writer reads with a bad query', 403, 'insufficient-scope', {
    target: `${AUTOMATIONS}?page=0`,
    headers: { Authorization: 'Bearer {writer}' },
  }),
  refused('a writer reads and wants HTML', 403, 'insufficient-scope', {
    target: AUTOMATIONS,
    headers: { Authorization: 'Bearer {writer}', Accept: 'text/html' },
  }),
  passes('a writer creates', 201, create(draft(), { Authorization: 'Bearer {writer}' })),
  passes('the scheme in small letters', 200, { target: AUTOMATIONS, headers: { Authorization: 'bearer {full}' } }),
  passes('the scheme and three spaces', 200, { target: AUTOMATIONS, headers: { Authorization: 'BEARER   {full}' } }),
  passes('the scheme, a space and a tab', 200, { target: AUTOMATIONS, headers: { Authorization: 'Bearer \t{full}' } }),
  passes('the scheme in mixed letters', 200, { target: AUTOMATIONS, headers: { Authorization: 'bEARER {reader}' } }),
];
