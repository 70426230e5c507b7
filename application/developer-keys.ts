import { parseDeveloperId, parseScopes, SCOPES } from '../domain/access.js';
import {
  displayPrefix,
  expiryOf,
  isAlive,
  newKeyText,
  readKeyName,
  type ApiKey,
  type ApiKeyId,
} from '../domain/api-key.js';
import { BrokenRules, DomainError } from '../domain/errors.js';
import type { ApiKeyRepository } from '../domain/ports.js';
import { newUuid, now, randomBytes, sha256 } from './defaults.js';

export interface DeveloperKeysOptions {
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly randomBytes?: (count: number) => Uint8Array;
}

export interface KeyRequest {
  /** Whose key it is; a slug. */
  readonly developer: string;
  /** 1 to 100 characters, for its owner; `API key` by default. */
  readonly name?: string | undefined;
  /** Every scope by default. */
  readonly scopes?: readonly string[] | undefined;
  /** In milliseconds; for ever by default. */
  readonly lifetime?: number | undefined;
}

/** A key that was made: the only time that its text is told. */
export interface IssuedKey {
  readonly text: string;
  readonly key: ApiKey;
}

const DAY = 24 * 60 * 60 * 1000;
const LONGEST_OVERLAP = 365 * DAY;

type KeyOwner = Pick<ApiKey, 'developerId' | 'name' | 'scopes'> & { readonly lifetime: number | undefined };

/** How developers get their API keys, and how they end. */
export class DeveloperKeys {
  readonly #now: () => Date;
  readonly #newId: () => string;
  readonly #randomBytes: (count: number) => Uint8Array;

  constructor(
    private readonly keys: ApiKeyRepository,
    options: DeveloperKeysOptions = {},
  ) {
    this.#now = options.now ?? now;
    this.#newId = options.newId ?? newUuid;
    this.#randomBytes = options.randomBytes ?? randomBytes;
  }

  /** Makes a key and stores its hash. Fails as `invalid`. */
  async issue(request: KeyRequest): Promise<IssuedKey> {
    const { lifetime } = request;
    const broken = new BrokenRules();
    const name = readKeyName(request.name ?? 'API key', broken.on('name'));
    const developerId = broken.of(() => parseDeveloperId(request.developer));
    const scopes = broken.of(() => parseScopes(request.scopes ?? SCOPES));
    broken.of(() => expiryOf(lifetime, this.#now()));
    broken.throwIfAny('the key');
    const issued = this.#make({ developerId, name, scopes, lifetime } as KeyOwner);
    await this.keys.add(issued.key);
    return issued;
  }

  /** The keys of one developer, or of all; never a key's text. */
  async list(developer?: string): Promise<readonly ApiKey[]> {
    return this.keys.list(developer === undefined ? undefined : parseDeveloperId(developer));
  }

  /**
   * Makes a successor with the same owner, name, scopes and lifetime; the old key works for `overlap` milliseconds more, a day by default.
   * Fails as `not-found`, as `conflict` when the key is revoked or expired already, or as `invalid`.
   */
  async rotate(id: string, overlap: number = DAY): Promise<IssuedKey> {
    if (!(overlap >= 0 && overlap <= LONGEST_OVERLAP)) throw invalidOverlap();
    const old = await this.keys.find(id as ApiKeyId);
    if (old === undefined) throw noSuchKey();
    const at = this.#now();
    const issued = this.#make({ ...old, lifetime: old.lifetime });
    const until = new Date(at.getTime() + overlap);
    if (!isAlive(old, at) || !(await this.keys.replace(old.id, issued.key, until))) throw keyHasEnded();
    return issued;
  }

  /** Ends a key at once; again is no error. Fails as `not-found`. */
  async revoke(id: string): Promise<void> {
    if (!(await this.keys.revoke(id as ApiKeyId, this.#now()))) throw noSuchKey();
  }

  #make(owner: KeyOwner): IssuedKey {
    const text = newKeyText(this.#randomBytes);
    const createdAt = this.#now();
    const expiresAt = expiryOf(owner.lifetime, createdAt);
    const key: ApiKey = Object.freeze({
      id: this.#newId() as ApiKeyId,
      hash: sha256(text),
      prefix: displayPrefix(text),
      developerId: owner.developerId,
      name: owner.name,
      scopes: owner.scopes,
      createdAt,
      ...(owner.lifetime !== undefined && { lifetime: owner.lifetime }),
      ...(expiresAt && { expiresAt }),
    });
    return { text, key };
  }
}

function noSuchKey(): DomainError {
  return new DomainError('not-found', 'no-such-key', 'there is no key with this id');
}

function keyHasEnded(): DomainError {
  return new DomainError('conflict', 'key-has-ended', 'this key is revoked or expired; issue a new one instead');
}

function invalidOverlap(): DomainError {
  const detail = 'must be from 0 to 365 days';
  return new DomainError('invalid', 'key-overlap', `the overlap ${detail}`, [
    { field: 'overlap', code: 'out-of-range', detail },
  ]);
}
