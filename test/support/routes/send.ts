import type { Visitor } from '../panel-visitor.js';
import type { WorstRequest } from './worst-request.js';
import type { Stage } from './stage.js';

/** Everyone for whom there are routes, and those who are refused there. */
export type Who = 'anyone' | 'reading key' | 'writing key' | 'scraper' | 'buyer' | 'member' | 'seller' | 'operator';

/** The longest preferences that are read. */
const PREFERENCES = {
  Accept: 'text/a;q=0.1,'.repeat(70) + 'text/html,application/json',
  'Accept-Language': 'de;q=0.1,'.repeat(110) + 'en',
};

/** The most bytes and fields that a form may have. */
const MAX_FORM = { bytes: 150 * 1024, fields: 100 };

/** Returns the text of a request of someone. The connection ends with the response. */
export function requestText(stage: Stage, name: string, request: WorstRequest, who: Who): string {
  if (request.raw !== undefined) return request.raw;
  const method = request.method ?? /^(?:GET|POST) /.exec(name)?.[0].trim() ?? 'GET';
  const visitor = visitorOf(stage, request, who);
  const body = bodyOf(request, visitor);
  const headers = {
    Host: new URL(stage.service.url).host,
    Connection: 'close',
    ...PREFERENCES,
    ...credentialsOf(stage, visitor, who),
    ...(request.key !== undefined && { Authorization: `Bearer ${request.key}` }),
    ...(request.json !== undefined && { 'Content-Type': 'application/json' }),
    ...(request.fields && { Origin: request.origin ?? stage.service.url }),
    ...((request.fields ?? request.form) !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
    ...(body !== '' && { 'Content-Length': String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function visitorOf({ visitors }: Stage, { visitor, browser }: WorstRequest, who: Who): Visitor | undefined {
  if (browser !== undefined) return browser;
  if (who === 'member') return visitor ?? visitors.seller;
  return who === 'buyer' || who === 'seller' || who === 'operator' ? visitors[who] : undefined;
}

function credentialsOf({ keys, metricsToken }: Stage, visitor: Visitor | undefined, who: Who): Record<string, string> {
  const tokens: Partial<Record<Who, string>> = {
    'reading key': keys.reading,
    'writing key': keys.writing,
    scraper: metricsToken,
  };
  const cookies = Array.from(visitor?.cookies ?? [], ([name, value]) => `${name}=${value}`);
  return {
    ...(tokens[who] !== undefined && { Authorization: `Bearer ${tokens[who]}` }),
    ...(cookies.length > 0 && { Cookie: cookies.join('; ') }),
  };
}

/** A form is filled up with fields that it does not have; in HTML each of their characters becomes six. */
function bodyOf({ fields, json, form: whole }: WorstRequest, visitor: Visitor | undefined): string {
  if (fields === undefined) return json ?? whole ?? '';
  const form = new URLSearchParams({ ...fields, ...(visitor && { token: visitor.token }) });
  const free = MAX_FORM.fields - form.size;
  const length = Math.floor((MAX_FORM.bytes - form.toString().length) / free) - '&x='.length;
  for (let n = 0; n < free; n += 1) form.append('x', '"'.repeat(Math.floor(length / '%22'.length)));
  return form.toString();
}
