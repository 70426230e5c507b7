import { MAX_CREATE_BYTES } from '../../../../adapters/edge/middleware/large-bodies.js';
import { targetOf } from '../../../../adapters/conformance/rows/limits.js';
import { AUTOMATIONS, chunked, draft, padded, passes, refused, wire, type WireRow } from './row.js';

const BODY = 64 * 1024;
const TARGET = 8 * 1024;
const HEADERS = 16 * 1024;
const POST = `POST ${AUTOMATIONS} HTTP/1.1`;
const JSON_TYPE = 'Content-Type: application/json\r\n';

/** Lines of headers, each with one space after the colon and its line end, of this many bytes in all. */
function headers(size: number): string {
  const start = `Host: market.example\r\nAuthorization: Bearer ${'k'.repeat(40)}\r\nX-Fill: \r\n`;
  return wire(`GET ${AUTOMATIONS} HTTP/1.1`, `X-Fill: ${'a'.repeat(size - start.length)}\r\n\r\n`);
}

function inChunks(body: string): string {
  return wire(POST, `${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n${chunked(body)}`);
}

/** Only says how long the body is. */
function declared(length: string, more = ''): string {
  return wire(POST, `${JSON_TYPE}${more}Content-Length: ${length}\r\n\r\n`);
}

const tooLarge = (name: string, bytes: string): WireRow =>
  refused(name, 413, 'payload-too-large', { wire: bytes, closes: true });

export const LIMIT_ROWS: readonly WireRow[] = [
  passes('a body of 64 KiB in chunks', 201, { wire: inChunks(padded(draft(), BODY)) }),
  refused('a body of 64 KiB and a byte in chunks', 413, 'payload-too-large', {
    wire: inChunks(padded(draft(), BODY + 1)),
  }),
  refused('a body of 300 KiB in chunks', 413, 'payload-too-large', { wire: inChunks(padded(draft(), 300 * 1024)) }),
  tooLarge('a length of 2 MiB and a byte is enough', declared(String(MAX_CREATE_BYTES + 1))),
  tooLarge('a length of 2^31', declared('2147483648')),
  tooLarge('a length of 2^32', declared('4294967296')),
  tooLarge('a length of 2^32 and two', declared('4294967298')),
  tooLarge('a length of 2^53 and one', declared('9007199254740993')),
  tooLarge('a length of 2^64 less one', declared('18446744073709551615')),
  tooLarge('a length over the limit, asked for first', declared('2100000', 'Expect: 100-continue\r\n')),
  refused('another media type, asked for first', 415, 'unsupported-media-type', {
    wire: wire(POST, `Content-Type: text/plain\r\nExpect: 100-continue\r\nContent-Length: 20\r\n\r\n`),
    closes: true,
  }),
  refused('no right to create, asked for first', 403, 'insufficient-scope', {
    wire: declared('70000', 'Expect: 100-continue\r\n').replace('{full}', '{reader}'),
    closes: true,
  }),
  refused('no credentials, asked for first', 401, 'missing-credentials', {
    wire: declared('70000', 'Expect: 100-continue\r\n').replace('Bearer {full}', 'Bearer'),
    closes: true,
  }),
  passes('a target of 8 KiB', 200, { wire: wire(`GET ${targetOf(TARGET)} HTTP/1.1`) }),
  refused('a target of 8 KiB and a byte', 414, 'uri-too-long', { wire: wire(`GET ${targetOf(TARGET + 1)} HTTP/1.1`) }),
  refused('a path of 8 KiB and a byte', 414, 'uri-too-long', { wire: wire(`GET /${'a'.repeat(TARGET)} HTTP/1.1`) }),
  refused('a target of 20 KiB', 414, 'uri-too-long', { wire: wire(`GET ${targetOf(20 * 1024)} HTTP/1.1`) }),
  refused('a target of 40 KiB', 414, 'uri-too-long', {
    wire: wire(`GET ${targetOf(40 * 1024)} HTTP/1.1`),
    closes: true,
  }),
  refused('a target of 200 KiB', 414, 'uri-too-long', {
    wire: wire(`GET ${targetOf(200 * 1024)} HTTP/1.1`),
    closes: true,
  }),
  passes('headers of 16 KiB', 200, { wire: headers(HEADERS) }),
  refused('headers of 16 KiB and a byte', 431, 'header-too-large', { wire: headers(HEADERS + 1) }),
  refused('headers of 24 KiB', 431, 'header-too-large', { wire: headers(24 * 1024) }),
  refused('headers of 40 KiB', 431, 'header-too-large', { wire: headers(40 * 1024), closes: true }),
  refused('headers of 200 KiB', 431, 'header-too-large', { wire: headers(200 * 1024), closes: true }),
  refused('a header name of 17 KiB', 431, 'header-too-large', {
    wire: wire(`GET ${AUTOMATIONS} HTTP/1.1`, `${'N'.repeat(17 * 1024)}: x\r\n\r\n`),
  }),
  refused('3,000 headers', 431, 'header-too-large', {
    wire: wire(`GET ${AUTOMATIONS} HTTP/1.1`, `${'ab: c\r\n'.repeat(3_000)}\r\n`),
  }),
  refused('headers over the limit, most of them behind 2,000 small ones', 431, 'header-too-large', {
    wire: wire(`GET ${AUTOMATIONS} HTTP/1.1`, `${'a:b\r\n'.repeat(2_000)}Z: ${'z'.repeat(15_000)}\r\n\r\n`),
  }),
  refused('headers and target over their limits', 414, 'uri-too-long', {
    wire: headers(HEADERS + 1).replace(AUTOMATIONS, targetOf(TARGET + 1)),
  }),
];
