import { AUTOMATIONS, create, draft, passes, refused, type Row } from './row.js';

/** A create that is refused, and the pointers that the answer has. */
function wrong(name: string, changes: Readonly<Record<string, unknown>>, ...fields: readonly string[]): Row {
  return refused(name, 422, 'validation-error', { ...create(draft(changes)), fields });
}

/** As `wrong`, for values that no JavaScript object writes that way. */
function wrongPrice(literal: string): Row {
  const body = draft({ price: 0 }).replace('"price":0', `"price":${literal}`);
  return refused(`price ${literal.slice(0, 40)}`, 422, 'validation-error', { ...create(body), fields: ['/price'] });
}

function rightPrice(literal: string): Row {
  return passes(
    `price ${literal} is fine`,
    201,
    create(draft({ price: 0 }).replace('"price":0', `"price":${literal}`)),
  );
}

/** What no title and no description may contain, by a name for people. */
const NEVER: Readonly<Record<string, string>> = {
  NUL: '\u0000',
  BEL: '\u0007',
  BACKSPACE: '\b',
  'the soft line break of word processors': '\u000b',
  ESC: '\u001b',
  'unit separator': '\u001f',
  'C1 first': '\u0080',
  NEL: '\u0085',
  'C1 last': '\u009f',
  'carriage return': '\r',
  'carriage return and line feed': '\r\n',
  'left-to-right embedding': '\u202a',
  'right-to-left override': '\u202e',
  'left-to-right isolate': '\u2066',
  'pop directional isolate': '\u2069',
  'U+FDD0': '\ufdd0',
  'U+FDEF': '\ufdef',
  'U+FFFE': '\ufffe',
  'U+FFFF': '\uffff',
  'a lone high surrogate': '\ud83d',
  'a lone low surrogate': '\ude00',
  'surrogates in the wrong order': '\ude00\ud83d',
  '31 combining marks in a row': '\u0301'.repeat(31),
  '32 combining marks between joiners': '\u0301\u034f\u200d'.repeat(16),
  'a text in tags': '\u{e0049}\u{e0067}\u{e006e}',
  'tags behind a black flag': '🏴\u{e0068}\u{e0069}\u{e007f}',
  'an invisible operator': '\u2064',
  'variation selectors in a row': '☎\ufe0f\ufe00\ufe01',
  'joiners in a row': '\u200b\u200c\u200d'.repeat(3),
};

const INVISIBLE: Readonly<Record<string, string>> = {
  nothing: '',
  spaces: '   ',
  'line feeds': '\n\n',
  'no-break space': '\u00a0',
  'ideographic space': '\u3000',
  'zero width space': '\u200b',
  'zero width joiner': '\u200d',
  'soft hyphen': '\u00ad',
  'word joiner': '\u2060',
  'variation selector': '\ufe0f',
  'Hangul filler': '\u3164',
  'byte order mark': '\ufeff',
  'tag characters': '\u{e0041}\u{e007f}',
};

const NO_TEXTS: readonly unknown[] = [null, true, 0, 12.5, [], ['x'], {}, { $ne: '' }, [[['x']]]];
const NO_NUMBERS: readonly unknown[] = [null, true, '9.99', '', [], [9.99], {}, { $gt: 0 }];
/** No addresses with `https:`, with a host and without a user, as browsers read them. */
const NO_ADDRESSES: readonly string[] = [
  ...['javascript:alert(1)//https://', 'data:text/html,x', 'http://a.example', '//a.example', '/a', 'a.example'],
  ...[
    'https://',
    'https:a.example',
    'https:\\\\a.example',
    'https:///a',
    'https://a b.example',
    'https://a.example/ b',
  ],
  ...['https://a@b.example', 'https://a:b@c.example/', 'https://a.example\\@b.example', 'https://a.example:99999'],
];
const LONGEST_URL = `https://a.example/${'😀'.repeat(482)}`;
const OUR_MEMBERS = [
  ...['id', 'currency', 'developer_id', 'created_at', 'category', 'categoryId', 'Title', 'title ', 'minor_units'],
];
const MEMBERS_OF_OBJECTS = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'valueOf'],
];

function unknown(member: string, value = '"x"', named = member): Row {
  const body = draft().replace(/\}$/, `,${JSON.stringify(member)}:${value}}`);
  const pointer = `/${named.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return refused(`the member ${member}`, 422, 'validation-error', { ...create(body), fields: [pointer] });
}

const NOT_JSON: Readonly<Record<string, string | Buffer>> = {
  'an empty body': '',
  'a body that ends too early': '{',
  'a body with a member without a value': '{"title":}',
  'a body with single quotes': "{'title':1}",
  'a body with a comma at its end': '{"title":"a",}',
  'a body of two values': '{"a":1}{',
  'a body with a byte order mark': '\uFEFF{}',
  'a body of bytes that are not UTF-8': Buffer.of(0x22, 0xff, 0x22),
  'a body in UTF-16': Buffer.from('{}', 'utf16le'),
};

/** A family of seven code points and a flag of seven, most of which cannot be seen. */
const FAMILY = '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}';
const SCOTLAND = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}';

export const MEMBER_ROWS: readonly Row[] = [
  ...['title', 'description', 'price', 'category_id'].map((name) =>
    refused(`no ${name}`, 422, 'validation-error', { ...create(draft({ [name]: undefined })), fields: [`/${name}`] }),
  ),
  refused('no members', 422, 'validation-error', {
    ...create('{}'),
    fields: ['/title', '/description', '/price', '/category_id'],
  }),
  ...Object.entries(NOT_JSON).map(([name, body]) => refused(name, 400, 'malformed-json', create(body))),
  ...['[]', 'null', 'true', '0', '"text"', `[${draft()}]`].map((body) =>
    refused(`the body ${body.slice(0, 20)}`, 422, 'validation-error', { ...create(body), fields: [''] }),
  ),
  ...NO_TEXTS.flatMap((value) => [
    wrong(`title ${JSON.stringify(value)}`, { title: value }, '/title'),
    wrong(`description ${JSON.stringify(value)}`, { description: value }, '/description'),
    wrong(`category_id ${JSON.stringify(value)}`, { category_id: value }, '/category_id'),
  ]),
  ...NO_TEXTS.filter((value) => value !== null).flatMap((value) => [
    wrong(`url ${JSON.stringify(value)}`, { url: value }, '/url'),
    wrong(`license ${JSON.stringify(value)}`, { license: value }, '/license'),
  ]),
  ...NO_ADDRESSES.map((url) => wrong(`url ${url.slice(0, 40)}`, { url }, '/url')),
  ...NO_NUMBERS.map((value) => wrong(`price ${JSON.stringify(value)}`, { price: value }, '/price')),
  ...Object.entries(NEVER).flatMap(([name, text]) => [
    wrong(`title with ${name}`, { title: `a${text}b` }, '/title'),
    wrong(`description with ${name}`, { description: `a${text}b` }, '/description'),
    wrong(`license with ${name}`, { license: `a${text}b` }, '/license'),
    wrong(`url with ${name}`, { url: `https://a.example/${text}b` }, '/url'),
  ]),
  ...Object.entries(INVISIBLE).flatMap(([name, text]) => [
    wrong(`title of ${name}`, { title: text }, '/title'),
    wrong(`description of ${name}`, { description: text }, '/description'),
  ]),
  ...['\n', '\t', '\u2028', '\u2029'].flatMap((text) => [
    wrong(`title with ${JSON.stringify(text)}`, { title: `a${text}b` }, '/title'),
    wrong(`license with ${JSON.stringify(text)}`, { license: `a${text}b` }, '/license'),
  ]),
  ...['\u061c', '\u200e', '\u200f'].map((mark) =>
    wrong(`license with ${JSON.stringify(mark)}`, { license: `a${mark}b` }, '/license'),
  ),
  wrong('title of 201 characters', { title: 'a'.repeat(201) }, '/title'),
  wrong('title of 201 emoji', { title: '😀'.repeat(201) }, '/title'),
  wrong('description of 10,001 characters', { description: 'a'.repeat(10_001) }, '/description'),
  wrong('license of 101 characters', { license: 'a'.repeat(101) }, '/license'),
  wrong('url of 501 characters', { url: `https://a.example/${'a'.repeat(483)}` }, '/url'),
  wrong('description of 10,001 emoji', { description: '😀'.repeat(10_001) }, '/description'),
  ...[
    'no-such-category',
    'AI-AGENTS',
    '',
    ' ',
    ' ai-agents',
    'ai-agents ',
    'ai--agents',
    '-ai-agents',
    'ai_agents',
    'a'.repeat(65),
    '__proto__',
    '../x',
    '😀',
  ].map((id) => wrong(`category_id "${id.slice(0, 20)}"`, { category_id: id }, '/category_id')),
  ...[
    '-0.01',
    '-1',
    '-1e-2',
    '0.001',
    '9.999',
    '9.990001',
    '0.1234567',
    '1e-3',
    '99999999.999',
    '100000000',
    '99999999.995',
    '1e9',
    '1e400',
    '-1e400',
  ].map(wrongPrice),
  wrongPrice('9'.repeat(1_000)),
  wrongPrice('9007199254740993'),
  ...OUR_MEMBERS.map((member) => unknown(member)),
  ...MEMBERS_OF_OBJECTS.map((member) => unknown(member, '{"title":"polluted"}')),
  ...['', '~', '/', 'a/b', 'm~n', '$where', '😀'].map((member) => unknown(member)),
  unknown('/'.repeat(100), '0', `${'/'.repeat(63)}…`),
  wrong(
    'all four broken at once',
    { title: '', description: '\u0000', price: -1, category_id: 'x' },
    '/title',
    '/description',
    '/price',
    '/category_id',
  ),
  wrong(
    'two broken and two unknown',
    { title: '', category_id: 'x', a: 1, b: 2 },
    '/title',
    '/category_id',
    '/a',
    '/b',
  ),
  refused('of two titles the last counts and is broken', 422, 'validation-error', {
    ...create(draft().replace('{', '{"title":"fine",').replace('"Conformance check"', '""')),
    fields: ['/title'],
  }),
  refused('HEAD has no body to check', 404, 'not-found', { method: 'HEAD', target: `${AUTOMATIONS}/x` }),
  ...[
    '0',
    '-0',
    '-0.0',
    '0.00',
    '0e9',
    '0.07',
    '0.10',
    '1E1',
    '1e+2',
    '9.990',
    '99999999.99',
    '9999999999e-2',
    '0.29',
  ].map(rightPrice),
  passes('of two titles the last counts and is fine', 201, create(draft().replace('{', '{"title":"",'))),
  passes('title of 200 emoji', 201, create(draft({ title: '😀'.repeat(200) }))),
  passes(
    'title of 200 characters and white space around them',
    201,
    create(draft({ title: `  ${'a'.repeat(200)}\u00a0 ` })),
  ),
  passes('description of 10,000 emoji', 201, create(draft({ description: '😀'.repeat(10_000) }))),
  passes(
    'title and description with direction marks',
    201,
    create(draft({ title: 'שלום\u200f (\u200eAB)', description: '\u061cعربي' })),
  ),
  passes(
    'title of letters with 30 combining marks each',
    201,
    create(draft({ title: `a${'\u0301'.repeat(30)}`.repeat(6) })),
  ),
  passes(
    'title and description with invisible marks at their ends',
    201,
    create(draft({ title: '\u200ea\ufeffb\u00adc\u200f', description: '\ufeff\u061ca\u00ad' })),
  ),
  passes('url and license, the longest', 201, create(draft({ url: LONGEST_URL, license: '😀'.repeat(100) }))),
  ...[null, '', ' '].map((none) =>
    passes(`no url and no license as ${JSON.stringify(none)}`, 201, create(draft({ url: none, license: none }))),
  ),
  passes('url with a port, a query and a fragment', 201, create(draft({ url: 'HTTPS://zoë.example:8443/a?b=c#d' }))),
  passes('description with line feeds and tabs', 201, create(draft({ description: 'a\n\n\tb' }))),
  passes(
    'HTML, dollars and quotes are text',
    201,
    create(draft({ title: '<script>$where="\'`{{7*7}}</script>', description: '$1 $& ${x} %s <!--' })),
  ),
  passes('a family, a flag and right-to-left text', 201, create(draft({ title: `${FAMILY} ${SCOTLAND} مرحبا שלום` }))),
  passes('noncharacters of other planes', 201, create(draft({ title: 'a\u{1fffe}', description: '\u{10ffff}b' }))),
  passes('texts that read like values', 201, create(draft({ title: 'null', description: '__proto__' }))),
];
