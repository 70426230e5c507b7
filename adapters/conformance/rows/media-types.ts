import { AUTOMATIONS, create, draft, passes, refused, type Row } from './row.js';

function type(value: string): Row {
  return refused(`Content-Type ${value}`, 415, 'unsupported-media-type', create(draft(), { 'Content-Type': value }));
}

function coding(value: string): Row {
  return refused(
    `Content-Encoding "${value}"`,
    415,
    'unsupported-content-encoding',
    create(draft(), { 'Content-Encoding': value }),
  );
}

function accepting(value: string): Row {
  return refused(`Accept ${value}`, 406, 'not-acceptable', { target: AUTOMATIONS, headers: { Accept: value } });
}

const MANY = Array.from({ length: 200 }, (_, n) => `text/x-${n}`).join(', ');
const GZIP = Buffer.from('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64');

export const MEDIA_TYPE_ROWS: readonly Row[] = [
  refused('no Content-Type', 415, 'unsupported-media-type', create(draft(), { 'Content-Type': undefined })),
  refused('a Content-Type and no body', 400, 'malformed-json', {
    method: 'POST',
    target: AUTOMATIONS,
    headers: { 'Content-Type': 'application/json' },
  }),
  refused('no Content-Type and no body', 415, 'unsupported-media-type', { method: 'POST', target: AUTOMATIONS }),
  type(''),
  type('text/plain'),
  type('text/json'),
  type('application/xml'),
  type('application/x-www-form-urlencoded'),
  type('multipart/form-data; boundary=x'),
  type('application/octet-stream'),
  type('application/problem+json'),
  type('application/vnd.api+json'),
  type('application/jsonx'),
  type('application/json5'),
  type('application/json-patch+json'),
  type('application/*'),
  type('*/*'),
  type('json'),
  type('application'),
  type('application/json/x'),
  type('application/json, text/plain'),
  type('text/plain; application/json'),
  type('application/json; charset=utf-16'),
  type('application/json; charset=utf-16le'),
  type('application/json; charset=utf-32'),
  type('application/json; charset=utf-7'),
  type('application/json; charset=iso-8859-1'),
  type('application/json; charset=us-ascii'),
  type('application/json;charset="utf-16"'),
  type('application/json; CHARSET=UTF-16'),
  type('application/json; charset=utf-8; charset=utf-16'),
  type('application/json; charset=utf-16; charset=utf-8'),
  type('application/json; charset='),
  type('application/json; charset=utf'),
  type('application/json; charset=utf-88'),
  type('application/json; charset=utf 8'),
  type('application/json; charset="utf8'),
  type('application/json; charset=utf8; charset=latin1'),
  coding('gzip'),
  coding('deflate'),
  coding('br'),
  coding('identity'),
  coding('gzip, gzip'),
  coding('x-nothing'),
  coding(''),
  refused('a body that is gzip', 415, 'unsupported-content-encoding', create(GZIP, { 'Content-Encoding': 'gzip' })),
  refused(
    'another type and an encoding',
    415,
    'unsupported-media-type',
    create(draft(), { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }),
  ),
  refused(
    'an encoding and an illegal idempotency key',
    415,
    'unsupported-content-encoding',
    create(draft(), { 'Content-Encoding': 'gzip', 'Idempotency-Key': 'a b' }),
  ),
  refused(
    'another type and a body over the limit',
    415,
    'unsupported-media-type',
    create('x'.repeat(65_537), { 'Content-Type': 'text/plain' }),
  ),
  refused(
    'another type and an illegal idempotency key',
    415,
    'unsupported-media-type',
    create(draft(), { 'Content-Type': 'text/plain', 'Idempotency-Key': '' }),
  ),
  passes('a charset in quotes', 201, create(draft(), { 'Content-Type': 'application/json; charset="utf-8"' })),
  passes('a charset in capitals', 201, create(draft(), { 'Content-Type': 'APPLICATION/JSON;CHARSET=UTF-8' })),
  ...['utf8', 'UTF8', '"utf8"', '"UTF-8"', 'Utf-8;charset=utf8'].map((charset) =>
    passes(`the charset ${charset}`, 201, create(draft(), { 'Content-Type': `application/json; charset=${charset}` })),
  ),
  ...['profile=x', 'odata.metadata=minimal', 'profile="a;charset=utf-16"', 'x="\\";charset=utf-16"', 'x', ''].map(
    (other) =>
      passes(
        `the parameter "${other}", which says nothing,`,
        201,
        create(draft(), { 'Content-Type': `application/json; ${other}` }),
      ),
  ),

  accepting('text/html'),
  accepting('text/*'),
  accepting('application/xml'),
  accepting('application/problem+json'),
  accepting('application/vnd.api+json'),
  accepting('application/json;q=0'),
  accepting('application/json;q=0.000'),
  accepting('application/json;q=0, */*'),
  accepting('application/json;version=1;q=0, */*;version=1'),
  accepting('text/html;version=1, application/xml;indent=2'),
  accepting('*/*;q=0'),
  accepting('image/*, text/html;q=0.9'),
  refused('a create that accepts HTML alone', 406, 'not-acceptable', create(draft(), { Accept: 'text/html' })),
  refused(
    'a create in another type that accepts HTML alone',
    406,
    'not-acceptable',
    create(draft(), { Accept: 'text/html', 'Content-Type': 'text/plain' }),
  ),
  refused('an unknown id, and HTML wanted', 406, 'not-acceptable', {
    target: '/api/automations/x',
    headers: { Accept: 'text/html' },
  }),
  refused('a bad query, and HTML wanted', 406, 'not-acceptable', {
    target: `${AUTOMATIONS}?page=0`,
    headers: { Accept: 'text/html' },
  }),
  refused('Accept of 1,000 bytes without JSON', 406, 'not-acceptable', {
    target: AUTOMATIONS,
    headers: { Accept: MANY.slice(0, 1000) },
  }),
  ...Object.entries({ 'many types': MANY, 'one type': `text/html;x="${','.repeat(1024)}` }).map(([name, value]) =>
    passes(`Accept of more than 1 KiB, of ${name}, which counts as absent,`, 200, {
      target: AUTOMATIONS,
      headers: { Accept: value },
    }),
  ),
  ...[
    '*/*',
    'application/*',
    'text/html, application/json;q=0.1',
    'text/html, */*;q=0.001',
    'APPLICATION/JSON',
    '',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8;q=0.5',
    'application/json;version=1',
    'application/json;odata.metadata=minimal',
    'application/json; indent=2',
    'application/json;profile="a,b;q=0"',
    'application/*;version=1, text/html;q=0.5',
    '*/*;level=1;q=0.1;x=y',
    'text/html, application/json;q=0.1;version=1',
  ].map((value) => passes(`Accept "${value}" admits JSON`, 200, { target: AUTOMATIONS, headers: { Accept: value } })),
  passes('no language, charset or coding that is accepted', 200, {
    target: AUTOMATIONS,
    headers: { 'Accept-Language': 'tlh', 'Accept-Charset': 'utf-16', 'Accept-Encoding': 'identity;q=0' },
  }),
];
