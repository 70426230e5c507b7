import type { Caller } from '../domain/access.js';
import { isAlive, isKeyText, type ApiKey, type ApiKeyId } from '../domain/api-key.js';
import { guarded } from '../domain/guarded.js';
import type { ApiKeyRepository, ApiKeyVerifier, DeveloperRepository } from '../domain/ports.js';
import { remember } from '../domain/remember.js';
import { now, sha256 } from './defaults.js';

const MINUTE = 60 * 1000;

/** By which clock a key expires, and who knows of suspensions. */
export interface StoredApiKeyVerifierOptions {
  /** What time it is; by the clock of the machine, unless told otherwise. */
  readonly now?: () => Date;
  /** Who may be suspended; a developer who is not among them may not. A `CachingDeveloperRepository`, or each request asks the store. */
  readonly developers?: Pick<DeveloperRepository, 'find'>;
}

/** Verifies the keys that `DeveloperKeys` issued. Over a `CachingApiKeyRepository`, or each request asks the store. */
export class StoredApiKeyVerifier implements ApiKeyVerifier {
  readonly #now: () => Date;
  readonly #hashes = new Map<string, string>();
  readonly #developers: Pick<DeveloperRepository, 'find'> | undefined;
  readonly #noted = new Map<ApiKeyId, number>();

  /** Over the keys of one store. */
  constructor(
    private readonly keys: ApiKeyRepository,
    options: StoredApiKeyVerifierOptions = {},
  ) {
    this.#now = options.now ?? now;
    this.#developers = options.developers;
  }

  async verify(credential: string): Promise<Caller | undefined> {
    const hash = this.#hashOf(credential);
    const key = hash && (await this.keys.findByHash(hash));
    const at = this.#now();
    if (!key || !isAlive(key, at)) return undefined;
    if ((await this.#developers?.find(key.developerId))?.suspendedAt !== undefined) return undefined;
    this.#noteUse(key, at);
    return { developerId: key.developerId, scopes: key.scopes, credentialId: key.id };
  }

  /** Undefined for what is no key. Remembered, since one client sends the same key with each request. */
  #hashOf(credential: string): string | undefined {
    const known = this.#hashes.get(credential);
    if (known !== undefined || !isKeyText(credential)) return known;
    const hash = sha256(credential);
    remember(this.#hashes, credential, hash);
    return hash;
  }

  /** At most once a minute, and not waited for: a request must not fail because its trace could not be written. */
  #noteUse(key: ApiKey, at: Date): void {
    const noted = Math.max(key.lastUsedAt?.getTime() ?? 0, this.#noted.get(key.id) ?? 0);
    if (at.getTime() - noted < MINUTE) return;
    remember(this.#noted, key.id, at.getTime());
    guarded(() => this.keys.noteUse(key.id, at));
  }
}
