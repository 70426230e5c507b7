import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { errors } from 'oidc-provider';
import type { OAuthRecord, OAuthRecords } from '../../domain/ports.js';

/**
 * For this time, a refresh that is repeated gets the answer of the first: two windows of an app refresh at once, and
 * answers are lost. Later it is a theft.
 */
const REPEAT_MS = 10_000;

const TOKEN = 'refresh-token';
/** The answer to a refresh, under the id of the refresh token in it. */
const ANSWER = 'refresh-answer';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Says in the content of a refresh token that it was used up, when, and under which id the answer is kept. */
export interface Spent {
  readonly at: number;
  readonly answer: string;
}

/** An answer to a refresh. */
export interface RefreshAnswer {
  /** The resource and the scopes of its access token. Requests are the same when they get the same. */
  readonly granted: string;
  readonly body: unknown;
}

/** Returns when a refresh token was used up; undefined as long as its answer may be sent again. */
export function consumedAtOf(spent: Spent | undefined): Date | undefined {
  return spent !== undefined && spent.at + REPEAT_MS <= Date.now() ? new Date(spent.at) : undefined;
}

/** Replaces refresh tokens, each by one: of requests that send the same one, one counts, and all get its answer. */
export class Refreshes {
  constructor(private readonly records: Pick<OAuthRecords, 'find' | 'upsert' | 'replace' | 'destroy'>) {}

  /**
   * Stores the successor of a refresh token with the answer, and then uses the token up, in one step with the note of
   * which answer counts. Until that step nothing has changed for the client; after it, the answer can be had again.
   * Returns what to send: this answer, or that of the request that came first.
   * @throws InvalidGrant when the token is gone, or was used for another request.
   */
  async complete(token: string, id: string, successor: OAuthRecord, answer: RefreshAnswer): Promise<unknown> {
    const record = await this.#find(id);
    const isFirst = spentIn(record) === undefined && (await this.#replace(record, token, successor, answer));
    return isFirst ? answer.body : this.#repeated(await this.#find(id), token, answer);
  }

  async #find(id: string): Promise<OAuthRecord> {
    const record = await this.records.find(TOKEN, id);
    if (record === undefined) throw new errors.InvalidGrant('the refresh token is gone');
    return record;
  }

  /** Returns false when another request was faster: what was stored for this one is removed again. */
  async #replace(from: OAuthRecord, token: string, successor: OAuthRecord, answer: RefreshAnswer): Promise<boolean> {
    const at = Date.now();
    const content = JSON.stringify(sealed(token, JSON.stringify(answer)));
    const kept = { ...successor, kind: ANSWER, content, expiresAt: new Date(at + REPEAT_MS) };
    await Promise.all([this.records.upsert(successor), this.records.upsert(kept)]);
    const spent: Spent = { at, answer: kept.id };
    const used = JSON.stringify({ ...(JSON.parse(from.content) as object), spent });
    if (await this.records.replace({ ...from, content: used }, { from: from.content, entries: [] })) return true;
    await Promise.all([successor, kept].map(({ kind, id }) => this.records.destroy({ kind, id, entries: [] })));
    return false;
  }

  async #repeated(record: OAuthRecord, token: string, { granted }: RefreshAnswer): Promise<unknown> {
    const kept = await this.records.find(ANSWER, spentIn(record)?.answer ?? '');
    if (kept === undefined) throw new errors.InvalidGrant('the answer to the first refresh is gone');
    const first = JSON.parse(opened(token, JSON.parse(kept.content) as string)) as RefreshAnswer;
    if (first.granted !== granted) throw new errors.InvalidGrant('the refresh token was just used for another request');
    return first.body;
  }
}

function spentIn({ content }: OAuthRecord): Spent | undefined {
  return (JSON.parse(content) as { readonly spent?: Spent }).spent;
}

/** Encrypts a text, so that the store alone does not tell it: its reader needs the refresh token. */
function sealed(token: string, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(token), iv);
  const encrypted = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...encrypted]).toString('base64url');
}

function opened(token: string, text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const tagged = bytes.subarray(IV_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(token), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(tagged.subarray(0, TAG_BYTES));
  return decipher.update(tagged.subarray(TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function keyOf(token: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', ANSWER, KEY_BYTES));
}
