import type { Caller } from '../domain/access.js';
import { isActive, isKeyText, type ApiKey, type ApiKeyId } from '../domain/api-key.js';
import { safeCall } from './safe-call.js';
import type { ApiKeyRepository, ApiKeyVerifier } from '../domain/ports.js';
import { withAccountRights, type Accounts } from './account-rights.js';
import { sha256 } from './defaults.js';
import { clockOf } from './host-sources.js';

const MINUTE_MS = 60 * 1000;
const MAX_NOTED = 10_000;

/** The clock by which keys expire, and the developers, who have a role and may be suspended. */
export interface StoredApiKeyVerifierOptions {
  /** Returns the current time; the clock of the machine by default. */
  readonly now?: (() => Date) | undefined;
  /**
   * Without them no developer counts as suspended or as a buyer. Wrap them in `cachedDevelopers`, or each
   * request asks the store.
   */
  readonly developers?: Accounts | undefined;
}

/**
 * Verifies the keys that `DeveloperKeys` issued. Wrap `keys` in `cachedKeys`, or each request asks the
 * store.
 */
export class StoredApiKeyVerifier implements ApiKeyVerifier {
  readonly #now: () => Date;
  readonly #developers: Accounts | undefined;
  readonly #noted = new Map<ApiKeyId, number>();

  /** Works on the keys of one store. */
  constructor(
    private readonly keys: ApiKeyRepository,
    options: StoredApiKeyVerifierOptions = {},
  ) {
    this.#now = clockOf(options.now);
    this.#developers = options.developers;
  }

  async verify(credential: string): Promise<Caller | undefined> {
    const key = isKeyText(credential) ? await this.keys.findByHash(sha256(credential)) : undefined;
    const at = this.#now();
    if (key === undefined || !isActive(key, at)) return undefined;
    const owner = { developerId: key.developerId, scopes: key.scopes, credentialId: key.id };
    const caller = this.#developers === undefined ? owner : await withAccountRights(owner, this.#developers);
    if (caller !== undefined) this.#noteUse(key, at);
    return caller;
  }

  /** Stores at most once a minute that a key was used, without waiting: a request must not fail when this fails. */
  #noteUse(key: ApiKey, at: Date): void {
    const noted = Math.max(key.lastUsedAt?.getTime() ?? 0, this.#noted.get(key.id) ?? 0);
    if (at.getTime() - noted < MINUTE_MS) return;
    if (this.#noted.size >= MAX_NOTED) this.#noted.clear();
    this.#noted.set(key.id, at.getTime());
    safeCall(() => this.keys.noteUse(key.id, at));
  }
}
