import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpMiddleware } from '../context.js';
import { socketOf } from './socket.js';
import type { ProblemSlug } from '../problems/table.js';
import { Problem } from '../problems/problem.js';

export const MAX_TARGET_BYTES = 8 * 1024;
const MAX_HEADERS_BYTES = 16 * 1024;
export const MAX_BODY_BYTES = 64 * 1024;

/** The problems of requests whose headers nothing else reads. */
export const REFUSED_UNREAD: ReadonlySet<ProblemSlug> = new Set([
  'malformed-request',
  'uri-too-long',
  'header-too-large',
  'expectation-failed',
]);

/**
 * A path, an address with a host, or `*`; of the characters of RFC 3986, and those that browsers leave as they are in a
 * query.
 */
const TARGET = /^(?:\/|https?:\/\/(?![/?])|\*$)[\x21\x22\x24-\x7E]*$/i;
/** A name, an IPv4 address or one of IPv6 in brackets, and perhaps a port (RFC 3986, section 3.2.2). */
const HOST = /^(?:\[[\da-fv.:]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;
const ONCE = ['host', 'authorization', 'content-type', 'content-length', 'content-encoding', 'transfer-encoding'];
/** Spares most headers the conversion to lower case. */
const LENGTHS = new Set(ONCE.map(({ length }) => length));

/** Connections of all applications on which the end of a request is unknown. */
const misframed = new WeakSet<Socket | IncomingMessage>();

/** Refuses what Node's parser lets pass and a careful server does not (RFC 9112). */
export function protocolChecks(): HttpMiddleware {
  return function checkProtocol(ctx, next) {
    const connection = socketOf(ctx.req) ?? ctx.req;
    if (misframed.has(connection)) throw malformed('The end of the request before this one is unknown.');
    if (isMisframed(ctx.req)) {
      misframed.add(connection);
      ctx.set('Connection', 'close');
    }
    checkRequest(ctx.req);
    return next();
  };
}

function checkRequest(request: IncomingMessage): void {
  const { headers, httpVersion } = request;
  const target = request.url ?? '';
  if (target.length > MAX_TARGET_BYTES) throw new Problem('uri-too-long', 'The request target must be at most 8 KiB.');
  checkHeaders(request.rawHeaders);
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw malformed('Use HTTP/1.1 or HTTP/1.0.');
  if (httpVersion === '1.1' && headers.host === undefined) throw malformed('HTTP/1.1 requires the header Host.');
  if (!HOST.test(headers.host ?? '')) throw malformed('The header Host must be a host and an optional port.');
  if (!TARGET.test(target))
    throw malformed('The request target must be a path or an http address, in the characters of a URI.');
  if (isMisframed(request)) throw malformed('The only transfer coding is chunked, in HTTP/1.1.');
  const expected = httpVersion === '1.1' ? headers.expect : undefined;
  if (expected !== undefined && expected.toLowerCase() !== '100-continue')
    throw new Problem('expectation-failed', 'The only supported expectation is 100-continue.');
}

/** Checks the size of the headers as they were sent, and that those that decide are sent once. */
function checkHeaders(rawHeaders: readonly string[]): void {
  let bytes = 0;
  let repeated: string | undefined;
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    bytes += name.length + (rawHeaders[i + 1] ?? '').length + ': \r\n'.length;
    if (!LENGTHS.has(name.length)) continue;
    const lower = name.toLowerCase();
    if (seen.has(lower) && ONCE.includes(lower)) repeated ??= lower;
    seen.add(lower);
  }
  if (bytes > MAX_HEADERS_BYTES) throw new Problem('header-too-large', 'The headers must be at most 16 KiB in total.');
  if (repeated !== undefined) throw malformed(`The header ${repeated} must be sent once.`);
}

function malformed(detail: string): Problem {
  return new Problem('malformed-request', detail);
}

/** Returns whether the end of the body is unknown, so that nothing behind it is a request (RFC 9112, section 6.1). */
function isMisframed({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding !== undefined && (httpVersion !== '1.1' || coding.toLowerCase() !== 'chunked');
}

/** Returns whether so much of the body is unread that the connection is better closed. */
export function hasUnreadLargeBody({ complete, headers }: IncomingMessage, maxBytes = MAX_BODY_BYTES): boolean {
  if (complete) return false;
  const declared = headers['content-length'];
  return declared === undefined ? headers['transfer-encoding'] !== undefined : Number(declared) > maxBytes;
}

/** Returns whether more of the request is to come. */
export function expectsBody({ complete, headers, destroyed }: IncomingMessage): boolean {
  if (complete || destroyed) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
