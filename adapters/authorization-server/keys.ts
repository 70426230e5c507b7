import { generateKeyPair, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import type { OAuthRecord, OAuthRecords } from '../../domain/ports.js';

const KIND = 'signing-key';
/** The algorithm that RFC 9068, section 2.1, demands. */
export const ALGORITHM = 'RS256';
const MODULUS_BITS = 2048;
/** The keys of a process are read again after this time. */
const FRESH_MS = 5_000;
/** The pause between two readings for unknown keys: forged tokens must not make us ask the store each time. */
const PAUSE_MS = 1_000;
/** A new key signs after this time: every process has read it then, and accepts what it signs. */
const SETTLING_MS = 2 * FRESH_MS;
/** The longest life of a token. */
export const TOKEN_SECONDS = 60 * 60;
/** An old key is accepted until its last token has ended, with room for the time in which it is still read. */
const OVERLAP_MS = TOKEN_SECONDS * 1000 + 60_000;
/** The keys that are accepted at once. */
const MAX_KEYS = 8;
const TOO_MANY_KEYS = `there are ${MAX_KEYS} keys that are still accepted; wait until one has ended`;

/** A signing key with the key that signs cookies. */
interface StoredKey {
  readonly jwk: JWK;
  readonly cookieKey: string;
}

/** How a key is replaced. */
export interface Rotation {
  /** Whether the old keys are removed, as after a leak. Default: false. */
  readonly atOnce?: boolean | undefined;
}

/** The keys of the server. */
export interface KeySet {
  /** Private keys: the first signs, all verify. */
  readonly jwks: readonly JWK[];
  readonly cookieKeys: readonly string[];
  /** Equal for equal sets. */
  readonly version: string;
}

/** The keys that sign tokens and cookies: in the store, and so the same in all processes. */
export class ServerKeys {
  #read: { readonly keys: KeySet; readonly at: number } | undefined;
  #reading: Promise<KeySet> | undefined;

  constructor(
    private readonly records: OAuthRecords,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Returns the keys. Makes the first one; of several processes that start at once, each uses the keys of all. */
  async current(): Promise<KeySet> {
    if (this.#read !== undefined && Math.abs(this.now().getTime() - this.#read.at) < FRESH_MS) return this.#read.keys;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /**
   * Makes a new key, which signs soon, and returns its id. The old ones are accepted until their last token ends, or
   * with `atOnce` no longer: all tokens end then. One that was removed meanwhile stays removed. Fails when there would
   * be too many keys.
   */
  async rotate({ atOnce = false }: Rotation = {}): Promise<string> {
    const at = this.now().getTime();
    const old = await this.#stored(at);
    if (old.length >= MAX_KEYS && !atOnce) throw new Error(TOO_MANY_KEYS);
    const id = await this.#add();
    const expiresAt = new Date(at + OVERLAP_MS);
    for (const record of old)
      if (atOnce) await this.records.destroy({ kind: KIND, id: record.id, entries: [] });
      else if (record.expiresAt === undefined)
        await this.records.replace({ ...record, expiresAt }, { from: record.content, entries: [] });
    this.#read = undefined;
    return id;
  }

  /** Reads the keys again, unless that was less than a second ago: a token may be signed with a newer one. */
  async renewed(): Promise<KeySet> {
    if (this.#read !== undefined && this.now().getTime() - this.#read.at >= PAUSE_MS) this.#read = undefined;
    return this.current();
  }

  async #readAll(): Promise<KeySet> {
    const at = this.now().getTime();
    let records = await this.#stored(at);
    if (!records.some(({ expiresAt }) => expiresAt === undefined)) {
      await this.#add();
      records = await this.#stored(at);
    }
    const ordered = records.toSorted(signingFirstAt(at));
    const keys = keySetOf(ordered);
    // Of a new store, another process may have made a key as well, and signs with one of the two.
    this.#read = ordered.some((record) => isSettled(record, at)) ? { keys, at } : undefined;
    return keys;
  }

  /** Returns the keys that are accepted at a time. */
  async #stored(at: number): Promise<readonly OAuthRecord[]> {
    const records = await this.records.list({ kind: KIND, limit: 2 * MAX_KEYS });
    return records.filter(({ expiresAt }) => expiresAt === undefined || expiresAt.getTime() > at);
  }

  async #add(): Promise<string> {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
    const madeAt = this.now().getTime().toString(16).padStart(12, '0');
    const id = `${madeAt}-${randomUUID()}`;
    const jwk = { ...privateKey.export({ format: 'jwk' }), kid: id, alg: ALGORITHM, use: 'sig' };
    const key: StoredKey = { jwk, cookieKey: randomBytes(32).toString('base64url') };
    await this.records.upsert({ kind: KIND, id, content: JSON.stringify(key) });
    return id;
  }
}

function isSettled({ id }: OAuthRecord, at: number): boolean {
  const [madeAt = ''] = id.split('-');
  return Number.parseInt(madeAt, 16) + SETTLING_MS <= at;
}

/** Orders the keys: first one that every process knows and that does not expire, the oldest of them. */
function signingFirstAt(at: number): (one: OAuthRecord, other: OAuthRecord) => number {
  return (one, other) => {
    const [isKnown, isOtherKnown] = [isSettled(one, at), isSettled(other, at)];
    if (isKnown !== isOtherKnown) return isKnown ? -1 : 1;
    const [ends, end] = [one, other].map(({ expiresAt }) => expiresAt?.getTime() ?? Infinity) as [number, number];
    if (ends !== end) return end - ends;
    return one.id < other.id ? -1 : 1;
  };
}

function keySetOf(records: readonly OAuthRecord[]): KeySet {
  const keys = records.map(({ content }) => JSON.parse(content) as StoredKey);
  return {
    jwks: keys.map(({ jwk }) => jwk),
    cookieKeys: keys.map(({ cookieKey }) => cookieKey),
    version: records.map(({ id }) => id).join(' '),
  };
}
