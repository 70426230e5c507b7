import type { Caller } from '../domain/access.js';
import { isAlive, isKeyText, type ApiKey, type ApiKeyId } from '../domain/api-key.js';
import type { ApiKeyRepository, ApiKeyVerifier, DeveloperRepository } from '../domain/ports.js';
import { now, sha256 } from './defaults.js';

const MINUTE = 60 * 1000;
const MOST_NOTED = 10_000;

export interface StoredApiKeyVerifierOptions {
  readonly now?: () => Date;
  /** Who may be suspended; a developer who is not among them may not. A `CachingDeveloperRepository`, or each request asks the store. */
  readonly developers?: Pick<DeveloperRepository, 'find'>;
}

/** Verifies the keys that `DeveloperKeys` issued. Over a `CachingApiKeyRepository`, or each request asks the store. */
export class StoredApiKeyVerifier implements ApiKeyVerifier {
  readonly #now: () => Date;
  readonly #developers: Pick<DeveloperRepository, 'find'> | undefined;
  readonly #noted = new Map<ApiKeyId, number>();

  constructor(
    private readonly keys: ApiKeyRepository,
    options: StoredApiKeyVerifierOptions = {},
  ) {
    this.#now = options.now ?? now;
    this.#developers = options.developers;
  }

  async verify(credential: string): Promise<Caller | undefined> {
    if (!isKeyText(credential)) return undefined;
    const key = await this.keys.findByHash(sha256(credential));
    const at = this.#now();
    if (key === undefined || !isAlive(key, at)) return undefined;
    if ((await this.#developers?.find(key.developerId))?.suspendedAt !== undefined) return undefined;
    this.#noteUse(key, at);
    return { developerId: key.developerId, scopes: key.scopes, credentialId: key.id };
  }

  /** At most once a minute, and not waited for: a request must not fail because its trace could not be written. */
  #noteUse(key: ApiKey, at: Date): void {
    const noted = Math.max(key.lastUsedAt?.getTime() ?? 0, this.#noted.get(key.id) ?? 0);
    if (at.getTime() - noted < MINUTE) return;
    if (this.#noted.size >= MOST_NOTED) this.#noted.clear();
    this.#noted.set(key.id, at.getTime());
    this.keys.noteUse(key.id, at).catch(() => undefined);
  }
}
