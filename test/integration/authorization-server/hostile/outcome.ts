import { expect } from 'chai';
import type { Sent } from '../../../support/socket.js';

/** What is sent to the server, and how it must be refused: the status, and the error wherever it stands. */
export type Row = readonly [title: string, attempt: () => Promise<Sent | string>, expected: string];

/** Tests that each attempt is refused exactly so. */
export function refuses(rows: readonly Row[]): void {
  for (const [title, attempt, expected] of rows)
    it(title, async () => {
      const sent = await attempt();
      expect(typeof sent === 'string' ? sent : outcomeOf(sent)).to.equal(expected);
    });
}

/** Returns the status and the error of an answer. One that gives something away begins with `ACCEPTED`. */
export function outcomeOf(sent: Sent): string {
  const { status, headers, body } = sent;
  if (grantsIn(sent).length > 0) return `ACCEPTED ${status}`;
  const place = headers.get('location');
  if (place !== null) return `${status} ${placeOf(place)}`;
  return [status, errorIn(headers, body)].filter(Boolean).join(' ');
}

function placeOf(place: string): string {
  const { searchParams, hash, origin, pathname } = new URL(place, 'http://market');
  const params = hash === '' ? searchParams : new URLSearchParams(hash.slice(1));
  const error = params.get('error');
  if (error === null) return pathname.replace(/[\w-]{21,}$/, '*');
  // Every answer names the server from which it comes (RFC 9207).
  if (!params.get('iss')?.endsWith('/oauth')) throw new Error(`the address has no issuer: ${place}`);
  return `${error} at ${origin === 'null' ? place.split('?')[0] : origin + pathname}`;
}

function errorIn(headers: Headers, body: string): string | undefined {
  const challenge = /error="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1];
  if (challenge !== undefined) return challenge;
  if (!headers.get('content-type')?.includes('json')) return /<code>([a-z_]+)<\/code>/.exec(body)?.[1];
  const { error, code, type } = JSON.parse(body) as Record<string, unknown>;
  return String(error ?? code ?? type);
}

const GRANTS = ['access_token', 'refresh_token', 'id_token', 'device_code', 'user_code'];

/** Returns the codes and tokens in an answer. */
export function grantsIn({ headers, body }: Sent): readonly string[] {
  const json = headers.get('content-type')?.includes('json') ? (JSON.parse(body) as Record<string, unknown>) : {};
  const place = new URL(headers.get('location') ?? '', 'http://market');
  const code = place.searchParams.get('code') ?? new URLSearchParams(place.hash.slice(1)).get('code');
  return [...GRANTS.map((name) => json[name]), code].filter((value) => typeof value === 'string');
}

/** Returns the values of the cookies that an answer sets, without their signatures. */
export function cookiesIn({ headers }: Sent): readonly string[] {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0]?.split('=') ?? [])
    .flatMap(([name = '', value = '']) => (value === '' || name.endsWith('.sig') ? [] : [value]));
}
