import assert from './assert.js';
import type { OAuthRecord, OAuthRecordQuery, OAuthRecords, Storage } from '../../domain/ports.js';
import { at, LONGEST_DEVELOPER, numbers } from './offers.js';
import { LeftOut } from './runner.js';

/** A storage that may be without records of an authorization server, and the audit that is stored with them. */
export type OAuthStore = Pick<Storage, 'oauthRecords' | 'auditLog'>;

const MAX_CONTENT_BYTES = 64 * 1024;
const VISIBLE_ASCII = String.fromCharCode(...numbers(94).map((n) => 0x20 + n));

/** Every escape of JSON, also those that need not be, and what may stand as it is. One name is there twice. */
const AWKWARD =
  String.raw`{ "b" :1.0e0,"a":"\"\\\/\b\f\n\r\t\u0000\u001F\u0041\ud800\uDC00\ud83e\udd84` +
  ` é e\u0301 🦄 \u2028\u2029\u007f </script> '' %_ $1","a":12345678901234567890, "rest":"`;

/** As many bytes of JSON as there may be, most of which are escaped again within JSON. */
const LONGEST_CONTENT = longest(AWKWARD, String.raw`\\\"\u0000🦄`, '"}');

/** The nth record; it has what it must have, and what it is given. The order of the ids is that of n. */
export function record(n: number, fields: Partial<OAuthRecord> = {}): OAuthRecord {
  return { kind: 'app', id: recordIdOf(n), content: `{"n":${n}}`, ...fields };
}

export function recordIdOf(n: number): string {
  return `record_${n.toString().padStart(6, '0')}`;
}

/** The nth of the longest ids, with every character that an id may have. They differ in the last one. */
export function longestId(n: number, length = 255): string {
  return `${VISIBLE_ASCII.repeat(6).slice(0, length - 1)}${n}`;
}

/** The nth of the records with the longest fields. */
export function longestRecord(n: number): OAuthRecord {
  return {
    kind: 'Longest-kind-9'.repeat(3).slice(0, 40),
    id: longestId(n),
    content: LONGEST_CONTENT,
    developerId: LONGEST_DEVELOPER,
    clientId: longestId(n, 500),
    grantId: longestId(n),
    uid: longestId(n),
    userCode: longestId(n),
    expiresAt: new Date('9999-12-31T23:59:59.999Z'),
  };
}

/** Returns the records of a storage; where there are none, the test is left out. */
export function recordsOf({ oauthRecords }: Pick<OAuthStore, 'oauthRecords'>): OAuthRecords {
  if (oauthRecords === undefined) throw new LeftOut('OAuthRecords, since the storage has no `oauthRecords`');
  return oauthRecords;
}

/** The methods that remove all of a consent, or all of a client. */
export type Revocation = 'revokeByGrantId' | 'revokeByClientId';

/** Removes all of a consent or of a client, without an entry of the audit. */
export function revoke(records: OAuthRecords, method: Revocation, value: string): Promise<number> {
  if (method === 'revokeByGrantId') return records.revokeByGrantId(value);
  return records.revokeByClientId({ clientId: value, entries: [] });
}

/** Stores records, some of them at once. */
export async function upsertAll(records: OAuthRecords, ...all: readonly OAuthRecord[]): Promise<void> {
  for (let start = 0; start < all.length; start += 20)
    await Promise.all(all.slice(start, start + 20).map((one) => records.upsert(one)));
}

export async function assertThere(records: OAuthRecords, ...expected: readonly OAuthRecord[]): Promise<void> {
  for (const one of expected) assert.deepEqual(await records.find(one.kind, one.id), one);
}

export async function assertGone(records: OAuthRecords, ...gone: readonly OAuthRecord[]): Promise<void> {
  for (const { kind, id } of gone) assert.equal(await records.find(kind, id), undefined);
}

/** Asserts that parts of every size, one after the other, are the records, which are given in descending order. */
export async function assertListed(
  records: OAuthRecords,
  wanted: Omit<OAuthRecordQuery, 'limit' | 'before'>,
  expected: readonly OAuthRecord[],
  limits = [1, 3, 1_000],
): Promise<void> {
  for (const limit of limits) {
    const seen: OAuthRecord[] = [];
    for (let more = true; more;) {
      const part = await records.list({ ...wanted, limit, before: seen.at(-1)?.id });
      assert.ok(part.length <= limit, 'no more than were asked for');
      seen.push(...part);
      assert.ok(seen.length <= expected.length, 'each once');
      assert.ok(part.length === limit || seen.length === expected.length, 'fewer only at the end');
      more = part.length > 0;
    }
    assert.deepEqual(seen, expected);
  }
}

/** Asserts that one of the calls returned true. */
export async function assertOneTrue(calls: readonly Promise<boolean>[]): Promise<void> {
  assert.equal((await Promise.all(calls)).filter((isTrue) => isTrue).length, 1);
}

/** One of each field that may be missing. */
export const OPTIONAL_FIELDS: Omit<OAuthRecord, 'kind' | 'id' | 'content' | 'consumedAt'> = {
  developerId: LONGEST_DEVELOPER,
  clientId: 'https://agent.example/client.json',
  grantId: 'grant',
  uid: 'uid',
  userCode: 'user-code',
  expiresAt: at(1_000),
};

function longest(start: string, middle: string, end: string): string {
  const sizeOf = (text: string) => new TextEncoder().encode(text).length;
  const room = MAX_CONTENT_BYTES - sizeOf(start) - sizeOf(end);
  return `${start}${middle.repeat(Math.floor(room / sizeOf(middle)))}${end}${' '.repeat(room % sizeOf(middle))}`;
}
