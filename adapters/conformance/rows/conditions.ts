import { AUTOMATIONS, create, draft, passes, refused, type Row } from './row.js';

const READ = '/api/automations/{id}';

function unchanged(name: string, tags: string): Row {
  return passes(`If-None-Match ${name}`, 304, {
    target: READ,
    headers: { 'If-None-Match': tags },
    answer: { ETag: '{etag}' },
  });
}

function changed(name: string, tags: string): Row {
  return passes(`If-None-Match ${name} does not match`, 200, { target: READ, headers: { 'If-None-Match': tags } });
}

function failed(name: string, tags: string): Row {
  return refused(`If-Match ${name}`, 412, 'precondition-failed', { target: READ, headers: { 'If-Match': tags } });
}

const BARE = '{bare}';

function illegalKey(name: string, key: string): Row {
  return refused(
    `Idempotency-Key ${name}`,
    400,
    'idempotency-key-invalid',
    create(draft(), { 'Idempotency-Key': key }),
  );
}

export const CONDITION_ROWS: readonly Row[] = [
  unchanged('with the tag', '{etag}'),
  unchanged('with the weak tag', 'W/{etag}'),
  unchanged('with any', '*'),
  unchanged('with a list that has the tag', '"a", "b",{etag} , "c"'),
  unchanged('with a list of weak tags', 'W/"a",W/{etag}'),
  changed('with another tag', '"another"'),
  changed('with the tag without quotes', BARE),
  changed('with half of the tag', '"{half}"'),
  changed('with an empty tag', '""'),
  changed('with nothing', ''),
  changed('with an unclosed quote', '"{bare}'),
  changed('with the tag in a weak prefix of another case', '"w/{bare}"'),
  changed('with a star in quotes', '"*"'),
  failed('with another tag', '"another"'),
  failed('with the weak tag', 'W/{etag}'),
  failed('with the tag without quotes', BARE),
  failed('with nothing', ''),
  failed('with a list that has it not', '"a", "b", W/{etag}'),
  failed('with a star in quotes', '"*"'),
  refused('If-Match fails and If-None-Match matches', 412, 'precondition-failed', {
    target: READ,
    headers: { 'If-Match': '"x"', 'If-None-Match': '{etag}' },
  }),
  refused('HEAD with an If-Match that fails', 412, 'precondition-failed', {
    method: 'HEAD',
    target: READ,
    headers: { 'If-Match': '"x"' },
  }),
  refused('the list with an If-Match that fails', 412, 'precondition-failed', {
    target: AUTOMATIONS,
    headers: { 'If-Match': '"x"' },
  }),
  refused('the categories with an If-Match that fails', 412, 'precondition-failed', {
    target: '/api/categories',
    headers: { 'If-Match': '"x"' },
  }),
  refused('If-Match of what is not there', 404, 'not-found', {
    target: '/api/automations/{gone}',
    headers: { 'If-Match': '*' },
  }),
  refused('If-None-Match of what is not there', 404, 'not-found', {
    target: '/api/automations/{gone}',
    headers: { 'If-None-Match': '*' },
  }),
  refused('If-None-Match of a bad query', 400, 'invalid-query', {
    target: `${AUTOMATIONS}?page=0`,
    headers: { 'If-None-Match': '*' },
  }),
  refused('If-None-Match without a key', 401, 'missing-credentials', {
    target: READ,
    headers: { Authorization: undefined, 'If-None-Match': '{etag}' },
  }),
  passes('If-Match with the tag', 200, { target: READ, headers: { 'If-Match': '{etag}' } }),
  passes('If-Match with any', 200, { target: READ, headers: { 'If-Match': ' * ' } }),
  passes('If-Match holds and If-None-Match matches', 304, {
    target: READ,
    headers: { 'If-Match': '{etag}', 'If-None-Match': '{etag}' },
  }),
  passes('If-None-Match with Cache-Control: no-cache', 304, {
    target: READ,
    headers: { 'If-None-Match': '{etag}', 'Cache-Control': 'no-cache', Pragma: 'no-cache' },
  }),
  ...[AUTOMATIONS, '/api/categories'].flatMap((target) => [
    passes(`If-None-Match of ${target} with any`, 304, { target, headers: { 'If-None-Match': '*' } }),
    passes(`If-None-Match of ${target} with another tag`, 200, { target, headers: { 'If-None-Match': '"x"' } }),
    passes(`If-Match of ${target} with any`, 200, { target, headers: { 'If-Match': '*' } }),
  ]),
  passes('HEAD with If-None-Match', 304, { method: 'HEAD', target: READ, headers: { 'If-None-Match': '{etag}' } }),
  passes('If-Modified-Since is for those who send dates', 200, {
    target: READ,
    headers: { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
  }),
  passes('a Range is not served', 200, { target: READ, headers: { Range: 'bytes=0-9', 'If-Range': '{etag}' } }),
  passes('If-Match is for GET and HEAD', 201, create(draft(), { 'If-Match': '"x"' })),
  passes('If-None-Match is for GET and HEAD', 201, create(draft(), { 'If-None-Match': '*' })),

  illegalKey('empty', ''),
  illegalKey('of white space', '   '),
  illegalKey('of 256 characters', 'k'.repeat(256)),
  illegalKey('of 256 characters in quotes', `"${'k'.repeat(256)}"`),
  illegalKey('of two words', 'two words'),
  illegalKey('with a tab', 'two\twords'),
  illegalKey('of empty quotes', '""'),
  illegalKey('with an opening quote', '"open'),
  illegalKey('with a closing quote', 'close"'),
  illegalKey('with a quote inside', 'a"b'),
  illegalKey('of one quote', '"'),
  illegalKey('with a backslash', 'a\\b'),
  illegalKey('with an escaped quote', '"a\\"b"'),
  illegalKey('with parameters', '"key";v=1'),
  illegalKey('as a list of strings', '"a", "b"'),
  illegalKey('beyond ASCII', 'schl\xfcssel'),
  refused(
    'an illegal idempotency key and a body over the limit',
    400,
    'idempotency-key-invalid',
    create('x'.repeat(70_000), { 'Idempotency-Key': 'a b' }),
  ),
  refused(
    'an illegal idempotency key and a broken body',
    400,
    'idempotency-key-invalid',
    create('{', { 'Idempotency-Key': 'a b' }),
  ),
  refused(
    'a used key with other content',
    422,
    'idempotency-key-reused',
    create(draft({ title: 'Another' }), { 'Idempotency-Key': '{used}' }),
  ),
  refused(
    'a used key with another price',
    422,
    'idempotency-key-reused',
    create(draft({ price: 9.98 }), { 'Idempotency-Key': '"{used}"' }),
  ),
  refused('a used key under another base with other content', 422, 'idempotency-key-reused', {
    ...create(draft({ description: 'Another' }), { 'Idempotency-Key': '{used}' }),
    target: '/v1/automations',
  }),
  refused('a used key with broken content', 422, 'validation-error', {
    ...create(draft({ price: -1 }), { 'Idempotency-Key': '{used}' }),
    fields: ['/price'],
  }),
  refused('a used key with a broken body', 400, 'malformed-json', create('{', { 'Idempotency-Key': '{used}' })),
  refused(
    'a used key from a reader',
    403,
    'insufficient-scope',
    create(draft(), { 'Idempotency-Key': '{used}', Authorization: 'Bearer {reader}' }),
  ),
  passes('a key of 255 characters', 201, create(draft(), { 'Idempotency-Key': 'k'.repeat(255) })),
  passes('a key of punctuation', 201, create(draft(), { 'Idempotency-Key': "!#$%&'()*+,-./:;<=>?@[]^_`{|}~" })),
  passes('a read has no use for an illegal idempotency key', 200, {
    target: READ,
    headers: { 'Idempotency-Key': 'a b' },
  }),
];
