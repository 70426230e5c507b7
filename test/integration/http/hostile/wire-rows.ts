import { AUTOMATIONS, chunked, draft, passes, refused, wire, type WireRow } from './row.js';

const GET = `GET ${AUTOMATIONS} HTTP/1.1`;
const POST = `POST ${AUTOMATIONS} HTTP/1.1`;
const JSON_TYPE = 'Content-Type: application/json\r\n';
const BODY = draft();
const SIZED = `${JSON_TYPE}Content-Length: ${BODY.length}\r\n`;

/** Refused, and nothing on the connection after it is believed. */
function broken(name: string, bytes: string): WireRow {
  return refused(name, 400, 'malformed-request', { wire: bytes, closes: true });
}

/** Refused, but where the next request begins is certain. */
function bad(name: string, bytes: string): WireRow {
  return refused(name, 400, 'malformed-request', { wire: bytes });
}

/** A create with these lines of headers and this body, both as they are. */
function framed(headers: string, body: string): string {
  return wire(POST, `${JSON_TYPE}${headers}\r\n${body}`);
}

export const WIRE_ROWS: readonly WireRow[] = [
  bad('two Hosts', wire(GET, 'Host: other.example\r\n\r\n')),
  bad('the same Host twice', wire(GET, 'Host: market.example\r\n\r\n')),
  bad('no Host', `${GET}\r\nAuthorization: Bearer {full}\r\n\r\n`),
  bad('a Host with a path', `${GET}\r\nHost: a/b\r\nAuthorization: Bearer {full}\r\n\r\n`),
  bad('a Host with white space', `${GET}\r\nHost: a b\r\nAuthorization: Bearer {full}\r\n\r\n`),
  bad('a Host with a user', `${GET}\r\nHost: ada@market.example\r\nAuthorization: Bearer {full}\r\n\r\n`),
  bad('a Host with a port that is none', `${GET}\r\nHost: a:b\r\nAuthorization: Bearer {full}\r\n\r\n`),
  bad('two Authorizations', wire(GET, 'Authorization: Bearer {reader}\r\n\r\n')),
  bad('the same Authorization twice', wire(GET, 'Authorization: Bearer {full}\r\n\r\n')),
  bad('an empty second Authorization', wire(GET, 'Authorization:\r\n\r\n')),
  bad('an AUTHORIZATION in capitals beside the other', wire(GET, 'AUTHORIZATION: Bearer {full}\r\n\r\n')),
  bad(
    'two Authorizations behind 2,000 headers',
    wire(GET, `${'a:b\r\n'.repeat(2_000)}Authorization: Bearer {full}\r\n\r\n`),
  ),
  bad('two Content-Types', framed(SIZED, BODY)),
  bad(
    'two Content-Types of which one is no JSON',
    framed(`Content-Type: text/plain\r\nContent-Length: ${BODY.length}\r\n`, BODY),
  ),
  bad(
    'two Content-Encodings',
    framed(`Content-Encoding: gzip\r\nContent-Encoding: gzip\r\nContent-Length: ${BODY.length}\r\n`, BODY),
  ),
  bad('a fragment', wire(`GET ${AUTOMATIONS}#top HTTP/1.1`)),
  bad('a fragment after a query', wire(`GET ${AUTOMATIONS}?page=1#top HTTP/1.1`)),
  bad('a target of another scheme', wire(`GET ftp://market.example${AUTOMATIONS} HTTP/1.1`)),
  bad('a target without a host', wire(`GET http://${AUTOMATIONS} HTTP/1.1`)),
  broken('a target that is no path', wire('GET automations HTTP/1.1')),
  broken('a target in authority form', wire('GET market.example:80 HTTP/1.1')),
  broken('bytes beyond ASCII in the target', wire(`GET ${AUTOMATIONS}?category=\xc3\xa4 HTTP/1.1`)),
  broken('NUL in the target', wire('GET /api/automations\x00 HTTP/1.1')),
  broken('a control character in the target', wire('GET /api/\x01automations HTTP/1.1')),
  broken('a space in the target', wire('GET /api/auto mations HTTP/1.1')),
  broken('HTTP/2.0', wire(`GET ${AUTOMATIONS} HTTP/2.0`)),
  broken('HTTP/1.2', wire(`GET ${AUTOMATIONS} HTTP/1.2`)),
  broken('HTTP/0.9', wire(`GET ${AUTOMATIONS} HTTP/0.9`)),
  broken('HTTP/3', wire(`GET ${AUTOMATIONS} HTTP/3`)),
  broken('http/1.1', wire(`GET ${AUTOMATIONS} http/1.1`)),
  broken('no version', wire(`GET ${AUTOMATIONS}`)),
  broken('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  broken('a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'),
  broken('a greeting of another protocol', 'EHLO market.example\r\n'),
  broken('a JSON text', '{"jsonrpc":"2.0"}\r\n\r\n'),
  broken('white space before the method', ` ${wire(GET)}`),
  broken('line feeds alone', wire(GET).replaceAll('\r\n', '\n')),
  broken('a line feed alone between headers', wire(GET, 'A: b\nC: d\r\n\r\n')),
  broken('a carriage return alone between headers', wire(GET, 'A: b\rC: d\r\n\r\n')),
  broken('a folded header', wire(GET, 'A: b\r\n c\r\n\r\n')),
  broken('a first header that is folded', `${GET}\r\n Host: x\r\n\r\n`),
  broken('NUL in a header value', wire(GET, 'A: b\x00c\r\n\r\n')),
  broken('NUL in a header name', wire(GET, 'A\x00: b\r\n\r\n')),
  broken('a control character in a header value', wire(GET, 'A: b\x01c\r\n\r\n')),
  broken('DEL in a header value', wire(GET, 'A: b\x7fc\r\n\r\n')),
  broken('white space before the colon', wire(GET, 'A : b\r\n\r\n')),
  broken('a header without a colon', wire(GET, 'Nothing\r\n\r\n')),
  broken('a header without a name', wire(GET, ': b\r\n\r\n')),
  broken('a header name with a bracket', wire(GET, 'A(b): c\r\n\r\n')),
  broken('a header name beyond ASCII', wire(GET, '\xc4: c\r\n\r\n')),

  broken('two lengths', framed('Content-Length: 5\r\nContent-Length: 6\r\n', '{}   ')),
  broken('the same length twice', framed(`Content-Length: ${BODY.length}\r\nContent-Length: ${BODY.length}\r\n`, BODY)),
  broken('a list of lengths', framed(`Content-Length: ${BODY.length}, ${BODY.length}\r\n`, BODY)),
  broken('an empty length', framed('Content-Length:\r\n', BODY)),
  broken('a length with a sign', framed(`Content-Length: +${BODY.length}\r\n`, BODY)),
  broken('a negative length', framed('Content-Length: -1\r\n', BODY)),
  broken('a hexadecimal length', framed('Content-Length: 0x10\r\n', BODY)),
  broken('a length with a decimal', framed('Content-Length: 5.0\r\n', BODY)),
  broken('a length beyond 2^64', framed('Content-Length: 18446744073709551617\r\n', BODY)),
  broken('length and chunks', framed('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', chunked(BODY))),
  broken(
    'chunks and length',
    framed(`Transfer-Encoding: chunked\r\nContent-Length: ${BODY.length}\r\n`, chunked(BODY)),
  ),
  broken('chunked twice', framed('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', chunked(BODY))),
  broken('chunked, chunked', framed('Transfer-Encoding: chunked, chunked\r\n', chunked(BODY))),
  broken('chunked and then identity', framed('Transfer-Encoding: chunked, identity\r\n', chunked(BODY))),
  broken('gzip and then chunked', framed('Transfer-Encoding: gzip, chunked\r\n', chunked(BODY))),
  broken('identity', framed('Transfer-Encoding: identity\r\n', BODY)),
  broken('xchunked', framed('Transfer-Encoding: xchunked\r\n', chunked(BODY))),
  broken('a coding in quotes', framed('Transfer-Encoding: "chunked"\r\n', chunked(BODY))),
  broken(
    'a coding in HTTP/1.0',
    framed('Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n', chunked(BODY)).replace('HTTP/1.1', 'HTTP/1.0'),
  ),
  broken(
    'a coding of a read in HTTP/1.0',
    wire(GET, `Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n`).replace('HTTP/1.1', 'HTTP/1.0'),
  ),
  broken('an empty coding', framed('Transfer-Encoding:\r\n', chunked(BODY))),
  broken('a coding behind a vertical tab', framed('Transfer-Encoding: \x0bchunked\r\n', chunked(BODY))),
  broken('a coding with white space before the colon', framed('Transfer-Encoding : chunked\r\n', chunked(BODY))),
  broken('a chunk size that is no number', framed('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n')),
  broken('a chunk size with 0x', framed('Transfer-Encoding: chunked\r\n', '0x2\r\n{}\r\n0\r\n\r\n')),
  broken('a negative chunk size', framed('Transfer-Encoding: chunked\r\n', '-2\r\n{}\r\n0\r\n\r\n')),
  broken('an empty chunk size', framed('Transfer-Encoding: chunked\r\n', '\r\n{}\r\n0\r\n\r\n')),
  broken('a chunk size beyond 2^64', framed('Transfer-Encoding: chunked\r\n', '10000000000000002\r\n{}\r\n0\r\n\r\n')),
  broken('a chunk longer than its size', framed('Transfer-Encoding: chunked\r\n', '2\r\n{}{}\r\n0\r\n\r\n')),
  broken('a chunk without its line end', framed('Transfer-Encoding: chunked\r\n', '2\r\n{}0\r\n\r\n')),
  broken(
    'chunks with line feeds alone',
    framed('Transfer-Encoding: chunked\r\n', chunked(BODY).replaceAll('\r\n', '\n')),
  ),
  broken('a chunk size with white space before it', framed('Transfer-Encoding: chunked\r\n', ' 2\r\n{}\r\n0\r\n\r\n')),
  refused('a chunk extension over the limit of a body', 413, 'payload-too-large', {
    wire: framed('Transfer-Encoding: chunked\r\n', `2;x=${'y'.repeat(70_000)}\r\n{}\r\n0\r\n\r\n`),
    closes: true,
  }),
  refused('a credential in a trailer', 401, 'missing-credentials', {
    wire:
      `${POST}\r\nHost: x\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer ` +
      `{full}\r\n\r\n`,
  }),
  refused('an idempotency key in a trailer changes nothing', 422, 'validation-error', {
    wire: framed('Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\nIdempotency-Key: a b\r\n\r\n'),
  }),

  refused('an expectation that nobody meets', 417, 'expectation-failed', { wire: wire(GET, 'Expect: 200-ok\r\n\r\n') }),
  refused('an expectation beside the one that is met', 417, 'expectation-failed', {
    wire: wire(GET, 'Expect: 100-continue, x=y\r\n\r\n'),
  }),
  refused('an expectation that only looks like the one', 417, 'expectation-failed', {
    wire: wire(GET, 'Expect: x-100-continue\r\n\r\n'),
  }),
  refused('an expectation without a key', 417, 'expectation-failed', {
    wire: `${GET}\r\nHost: x\r\nExpect: x\r\n\r\n`,
  }),
  refused('an expectation of a create', 417, 'expectation-failed', {
    wire: framed(`Expect: x\r\nContent-Length: ${BODY.length}\r\n`, BODY),
  }),
  passes('100-continue in capitals', 200, { wire: wire(GET, 'Expect: 100-CONTINUE\r\n\r\n') }),
  passes('HTTP/1.0 without a Host', 200, {
    wire: `GET ${AUTOMATIONS} HTTP/1.0\r\nAuthorization: Bearer {full}\r\n\r\n`,
  }),
  passes('a target in absolute form', 200, { wire: wire(`GET http://market.example${AUTOMATIONS}?limit=5 HTTP/1.1`) }),
  passes('a target in absolute form with another host', 200, {
    wire: wire(`GET HTTPS://evil.example${AUTOMATIONS} HTTP/1.1`),
  }),
  passes('an empty line before the request', 200, { wire: `\r\n${wire(GET)}` }),
  passes('a Host in brackets', 200, { wire: `${GET}\r\nHost: [::1]:3000\r\nAuthorization: Bearer {full}\r\n\r\n` }),
  passes('an offer of another protocol', 200, {
    wire: wire(GET, 'Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n\r\n'),
  }),
  passes('bytes beyond ASCII in a header', 200, { wire: wire(GET, 'User-Agent: K\xe4\xfe\r\n\r\n') }),
  passes('two X-Request-Ids', 200, { wire: wire(GET, 'X-Request-Id: a\r\nX-Request-Id: b\r\n\r\n') }),
  passes('chunks with extensions and trailers', 201, {
    wire: framed('Transfer-Encoding: chunked\r\n', `${BODY.length.toString(16)};x=y\r\n${BODY}\r\n0\r\nX: y\r\n\r\n`),
  }),
  passes('chunks of one byte', 201, {
    wire: framed(
      'Transfer-Encoding: Chunked\r\n',
      `${Array.from(BODY, (byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`,
    ),
  }),

  refused('CONNECT to a host', 405, 'method-not-allowed', {
    wire: wire('CONNECT market.example:443 HTTP/1.1'),
    closes: true,
  }),
  refused('CONNECT to an endpoint', 405, 'method-not-allowed', {
    wire: wire('CONNECT /api/automations HTTP/1.1'),
    closes: true,
  }),
  refused('a method that HTTP does not know', 400, 'malformed-request', {
    wire: wire('FROBNICATE /api/automations HTTP/1.1'),
    closes: true,
  }),
  refused('a method in small letters', 400, 'malformed-request', {
    wire: wire('get /api/automations HTTP/1.1'),
    closes: true,
  }),
  refused('an encoding behind 2,000 other headers', 415, 'unsupported-content-encoding', {
    wire:
      `POST ${AUTOMATIONS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {full}\r\nContent-Type: ` +
      `application/json\r\n${'a:b\r\n'.repeat(2_000)}Content-Encoding: gzip\r\nContent-Length: ` +
      `${draft().length}\r\n\r\n${draft()}`,
  }),
  refused('two Idempotency-Key headers', 400, 'idempotency-key-invalid', {
    wire:
      `POST ${AUTOMATIONS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {full}\r\nContent-Type: ` +
      `application/json\r\nIdempotency-Key: a\r\nIdempotency-Key: a\r\nContent-Length: ` +
      `${draft().length}\r\n\r\n${draft()}`,
  }),
  refused('the key as user of the target', 401, 'missing-credentials', {
    wire: 'GET http://{full}:x@market.example/api/automations HTTP/1.1\r\nHost: market.example\r\n\r\n',
  }),
];
