import type { IncomingMessage } from 'node:http';
import type { Exchange, Middleware } from './exchange.js';
import { Problem } from './problems.js';

export const LONGEST_TARGET = 8 * 1024;
const LARGEST_HEADERS = 16 * 1024;
export const LARGEST_BODY = 64 * 1024;

/** A path, an address with a host, or `*`; of RFC 3986 characters, and those that browsers leave as they are in a query. */
const TARGET = /^(?:\/|https?:\/\/(?![/?])|\*$)[\x21\x22\x24-\x7E]*$/i;
/** A name, an IPv4 address or one of IPv6 in brackets, and perhaps a port (RFC 3986, section 3.2.2). */
const HOST = /^(?:\[[\da-fv.:]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;
const ONCE = ['host', 'authorization', 'content-type', 'content-length', 'content-encoding', 'transfer-encoding'];
/** Most headers are passed over at a glance. */
const LENGTHS = new Set(ONCE.map(({ length }) => length));

/** Refuses what Node's parser lets pass and a careful server does not (RFC 9112): the cheapest checks, before all others. */
export function wireChecks(): Middleware<Exchange> {
  return (ctx, next) => {
    checkRequest(ctx.req);
    return next();
  };
}

/** Whether a request passes these checks, for applications that answer in another way. */
export function isWellFormed(request: IncomingMessage): boolean {
  try {
    checkRequest(request);
    return true;
  } catch {
    return false;
  }
}

function checkRequest(request: IncomingMessage): void {
  const target = request.url ?? '';
  if (target.length > LONGEST_TARGET) throw new Problem('uri-too-long', 'The request target must be at most 8 KiB.');
  const { size, twice } = measure(request.rawHeaders);
  if (size > LARGEST_HEADERS) throw new Problem('header-too-large', 'The headers must be at most 16 KiB in all.');
  if (twice !== undefined) throw malformed(`The header ${twice} must be sent once.`);
  if (request.httpVersion !== '1.1' && request.httpVersion !== '1.0') throw malformed('Speak HTTP/1.1 or HTTP/1.0.');
  if (request.httpVersion === '1.1' && request.headers.host === undefined) throw malformed('HTTP/1.1 requires the header Host.');
  if (!HOST.test(request.headers.host ?? '')) throw malformed('The header Host must be a host, and perhaps a port.');
  if (request.method === 'CONNECT') throw tunnel();
  if (!TARGET.test(target)) throw malformed('The request target must be a path or an http address, of characters that a URI may have.');
  const framing = request.headers['transfer-encoding'];
  if (framing !== undefined && framing.toLowerCase() !== 'chunked') throw malformed('The only transfer coding is chunked.');
  const expected = request.httpVersion === '1.1' ? request.headers.expect : undefined;
  if (expected !== undefined && expected.toLowerCase() !== '100-continue')
    throw new Problem('expectation-failed', 'The only expectation met is 100-continue.');
}

/** The size of the headers as they were sent, and one that came twice and must not. */
function measure(rawHeaders: readonly string[]): { size: number; twice: string | undefined } {
  let size = 0;
  let twice: string | undefined;
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    size += name.length + (rawHeaders[i + 1] ?? '').length + ': \r\n'.length;
    if (!LENGTHS.has(name.length)) continue;
    const lower = name.toLowerCase();
    if (seen.has(lower) && ONCE.includes(lower)) twice ??= lower;
    seen.add(lower);
  }
  return { size, twice };
}

function tunnel(): Problem {
  return new Problem('method-not-allowed', 'This is no proxy.', { headers: { Allow: 'GET, HEAD, OPTIONS, POST' } });
}

function malformed(detail: string): Problem {
  return new Problem('malformed-request', detail);
}

/** Then the connection is closed, rather than read on only to keep it. */
export function hasLargeBodyUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const declared = headers['content-length'];
  return declared === undefined ? headers['transfer-encoding'] !== undefined : Number(declared) > LARGEST_BODY;
}

export function hasBodyToCome({ complete, headers, destroyed }: IncomingMessage): boolean {
  if (complete || destroyed) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
