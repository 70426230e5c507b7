import { AUTOMATIONS, create, draft, passes, refused, type Row } from './row.js';

/** A query that is refused, and the parameters that the answer names. */
export function wrong(query: string, ...fields: readonly string[]): Row {
  return refused(`the query ?${query.slice(0, 60)}`, 400, 'invalid-query', {
    target: `${AUTOMATIONS}?${query}`,
    fields,
  });
}

export function right(query: string): Row {
  return passes(`the query ?${query.slice(0, 60)}`, 200, { target: `${AUTOMATIONS}?${query}` });
}

/** The id of no automation: none was made in 1970. */
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

const NO_INTEGERS = [
  '0',
  '-1',
  '%2B1',
  '+1',
  '01',
  '1.0',
  '1.5',
  '1e1',
  '0x1',
  '0b1',
  '1_000',
  '1,000',
  'NaN',
  'Infinity',
  'one',
  'null',
].concat([
  'true',
  '%20',
  '1%20',
  '%001',
  '1%00',
  '1%0A',
  '%D9%A1',
  '%EF%BC%91',
  '1;2',
  '1|2',
  "1'--",
  '$gt',
  '{}',
  '[1]',
  '%7B%22$gt%22:1%7D',
]);

/** JSON takes six characters for each of theirs, so that not all of them can be listed. */
const ESCAPED = Array.from({ length: 20 }, (_, n) => `${n}-${'%01'.repeat(60)}`);

export const QUERY_ROWS: readonly Row[] = [
  ...NO_INTEGERS.map((value) => wrong(`page=${value}`, 'page')),
  ...NO_INTEGERS.map((value) => wrong(`limit=${value}`, 'limit')),
  wrong('page=1000000000', 'page'),
  wrong('page=9007199254740993', 'page'),
  wrong(`page=${'9'.repeat(4_000)}`, 'page'),
  wrong('limit=101', 'limit'),
  wrong('limit=1000', 'limit'),
  wrong('limit=999999999', 'limit'),
  wrong('page=', 'page'),
  wrong('page', 'page'),
  wrong('limit=', 'limit'),
  wrong('category=', 'category'),
  wrong('category', 'category'),
  wrong('page=1&page=2', 'page'),
  wrong('page=1&page=1', 'page'),
  wrong('page=1&p%61ge=1', 'page'),
  wrong('limit=5&limit=5', 'limit'),
  wrong('category=ai-agents&category=data-processing', 'category'),
  wrong('offset=1', 'offset'),
  wrong('Page=1', 'Page'),
  wrong('page%20=1', 'page '),
  wrong('pa+ge=1', 'pa ge'),
  wrong('page[]=1', 'page[]'),
  wrong('page[$gt]=1', 'page[$gt]'),
  wrong('category[$ne]=x', 'category[$ne]'),
  wrong('category.$ne=x', 'category.$ne'),
  wrong('__proto__=1', '__proto__'),
  wrong('__proto__[page]=1', '__proto__[page]'),
  wrong('constructor=1', 'constructor'),
  wrong('toString=1', 'toString'),
  wrong('hasOwnProperty=1', 'hasOwnProperty'),
  wrong('=1', ''),
  wrong('_=1700000000', '_'),
  wrong('developer_id=ada', 'developer_id'),
  wrong('page=%', 'page'),
  wrong('page=%4', 'page'),
  wrong('page=%zz', 'page'),
  wrong('category=%FF', 'category'),
  wrong('category=%C0%AF', 'category'),
  wrong('category=%ED%A0%80', 'category'),
  wrong('category=%F4%90%80%80', 'category'),
  wrong('category=%E2%82', 'category'),
  wrong(`${'n'.repeat(64)}=1`, 'n'.repeat(64)),
  wrong(`${'m'.repeat(8_100)}=1`, `${'m'.repeat(63)}…`),
  wrong(`${'e'.repeat(62)}%F0%9F%98%80${'e'.repeat(100)}=1`, `${'e'.repeat(62)}…`),
  wrong(`%${'n'.repeat(8_100)}=1`, `%${'n'.repeat(62)}…`),
  wrong(ESCAPED.map((name) => `${name}=1`).join('&'), ...ESCAPED.slice(0, 14).map(decodeURIComponent)),
  ...['', '1', '%00', UNKNOWN_ID, `${UNKNOWN_ID}&category=ai-agents`].map((value) => wrong(`after=${value}`, 'after')),
  ...['page=1', 'platform=n8n', 'q=a', 'sort=newest', 'price_min=0', 'price_max=1'].map((other) =>
    wrong(`${other}&after=${UNKNOWN_ID}`, other.slice(0, other.indexOf('='))),
  ),
  wrong('page=0&limit=0', 'page', 'limit'),
  wrong('page=0&limit=101&category=&x=1', 'page', 'limit', 'category', 'x'),
  wrong('page=x&limit=5&limit=5', 'page', 'limit'),
  ...['/api/automations/{id}', '/api/categories'].flatMap((target) => [
    refused(`${target} with a page`, 400, 'invalid-query', { target: `${target}?page=1`, fields: ['page'] }),
    refused(`${target} with an unknown parameter`, 400, 'invalid-query', { target: `${target}?x`, fields: ['x'] }),
    refused(`${target} with broken encoding`, 400, 'invalid-query', { target: `${target}?x=%`, fields: ['x'] }),
  ]),
  refused('a create with a parameter', 400, 'invalid-query', {
    ...create(draft()),
    target: `${AUTOMATIONS}?dry_run=1`,
    fields: ['dry_run'],
  }),
  refused('HEAD with a bad page', 400, 'invalid-query', { method: 'HEAD', target: `${AUTOMATIONS}?page=0` }),
  right('page=1&limit=1&category=ai-agents'),
  right('limit=100'),
  right('page=999999999'),
  right('page=999999999&limit=100'),
  right('page=%31'),
  right('category=no-such-category'),
  right('category=AI-AGENTS'),
  right('category=%20ai-agents'),
  right('category=../../etc/passwd'),
  right('category=__proto__'),
  right('category=%00'),
  right('category=%F0%9F%98%80'),
  right("category=' OR 1=1--".replaceAll(' ', '%20')),
  right(`category=${'a'.repeat(5_000)}`),
];
