import { LRUCache } from 'lru-cache';
import type { DeveloperId } from '../../domain/access.js';
import { copyOf, type ApiKey, type ApiKeyId } from '../../domain/api-key.js';
import { copyOfDeveloper, type Developer, type Invitation } from '../../domain/developer.js';
import type {
  Activation,
  ApiKeyQuery,
  ApiKeyRepository,
  DeveloperQuery,
  DeveloperRepository,
  EndedKeyQuery,
  SignIn,
} from '../../domain/ports.js';
import type { Profile } from '../../domain/public-developer.js';
import type { Role } from '../../domain/role.js';

/** The lifetime of cached values. */
export interface CachingOptions {
  /** Seconds until the store is asked again, 0 or more; 5 by default, 0 asks every time. */
  readonly seconds?: number | undefined;
  /** The current time in milliseconds, from any start; for tests. */
  readonly clock?: (() => number) | undefined;
}

const MAX_ENTRIES = 10_000;

/** Keeps the answers of a store, also that it has none, each from the time when the store was asked. */
class Lookups<Value> {
  readonly #answers: LRUCache<string, Promise<Value | undefined>> | undefined;

  constructor(
    private readonly lookUp: (name: string) => Promise<Value | undefined>,
    { seconds = 5, clock }: CachingOptions,
  ) {
    if (!Number.isFinite(seconds) || seconds < 0)
      throw new RangeError('the seconds of a cache (keyCacheSeconds) must be a finite number, 0 or more');
    if (seconds === 0) return;
    this.#answers = new LRUCache({
      max: MAX_ENTRIES,
      ttl: seconds * 1000,
      ttlResolution: 0,
      ...(clock && { perf: { now: clock } }),
    });
  }

  /** Returns the kept answer, or asks the store. Calls that overlap share one question. */
  find(name: string): Promise<Value | undefined> {
    const kept = this.#answers?.get(name);
    if (kept !== undefined) return kept;
    const answer = this.lookUp(name);
    this.#answers?.set(name, answer);
    answer.catch(() => {
      if (this.#answers?.peek(name) === answer) this.#answers.delete(name);
    });
    return answer;
  }

  forget(name: string): void {
    this.#answers?.delete(name);
  }

  /** Forgets everything when a change has ended, also what was asked before and is not answered yet. */
  async forgettingAll<Result>(change: Promise<Result>): Promise<Result> {
    try {
      return await change;
    } finally {
      this.#answers?.clear();
    }
  }
}

/**
 * Copied for an unknown key, so that the time does not tell it from a revoked one (row A7: t = 5.3 without, 2.3 with).
 */
const NO_KEY: ApiKey = {
  id: '' as ApiKeyId,
  hash: '',
  prefix: '',
  developerId: '' as DeveloperId,
  name: '',
  scopes: [],
  createdAt: new Date(0),
  expiresAt: new Date(0),
};

/**
 * A repository around a repository that keeps keys by their hash for 5 seconds, or as long as `seconds` says.
 * A change made through it is seen at once, a change made elsewhere after that time.
 */
export class CachingApiKeyRepository implements ApiKeyRepository {
  readonly #lookups: Lookups<ApiKey>;
  readonly #hashes = new LRUCache<ApiKeyId, string>({ max: MAX_ENTRIES });

  /** Wraps the keys of one store. @throws RangeError for seconds that are not a finite number, 0 or more. */
  constructor(
    private readonly inner: ApiKeyRepository,
    options: CachingOptions = {},
  ) {
    this.#lookups = new Lookups((hash) => this.#findInStore(hash), options);
  }

  async findByHash(hash: string): Promise<ApiKey | undefined> {
    const key = await this.#lookups.find(hash);
    const copy = copyOf(key ?? NO_KEY);
    return key && copy;
  }

  add(key: ApiKey): Promise<void> {
    return this.#lookups.forgettingAll(this.inner.add(key));
  }

  find(id: ApiKeyId): Promise<ApiKey | undefined> {
    return this.inner.find(id);
  }

  list(query: ApiKeyQuery): Promise<readonly ApiKey[]> {
    return this.inner.list(query);
  }

  listActive(developerId: DeveloperId, at: Date): Promise<readonly ApiKey[]> {
    return this.inner.listActive(developerId, at);
  }

  countActive(developerId: DeveloperId, at: Date): Promise<number> {
    return this.inner.countActive(developerId, at);
  }

  listEnded(query: EndedKeyQuery): Promise<readonly ApiKey[]> {
    return this.inner.listEnded(query);
  }

  countEnded(developerId: DeveloperId, asOf: Date): Promise<number> {
    return this.inner.countEnded(developerId, asOf);
  }

  replace(id: ApiKeyId, successor: ApiKey, until: Date): Promise<boolean> {
    return this.#lookups.forgettingAll(this.inner.replace(id, successor, until));
  }

  revoke(id: ApiKeyId, at: Date): Promise<boolean> {
    return this.#lookups.forgettingAll(this.inner.revoke(id, at));
  }

  rename(id: ApiKeyId, name: string): Promise<boolean> {
    return this.#lookups.forgettingAll(this.inner.rename(id, name));
  }

  async noteUse(id: ApiKeyId, at: Date): Promise<void> {
    await this.inner.noteUse(id, at);
    this.#lookups.forget(this.#hashes.get(id) ?? '');
  }

  removeEnded(asOf: Date): Promise<number> {
    return this.#lookups.forgettingAll(this.inner.removeEnded(asOf));
  }

  async #findInStore(hash: string): Promise<ApiKey | undefined> {
    const key = await this.inner.findByHash(hash);
    if (key !== undefined) this.#hashes.set(key.id, hash);
    return key;
  }
}

/**
 * A repository around a repository that keeps developers by their id for 5 seconds, or as long as `seconds` says:
 * every request asks for the role of its developer, and whether they are suspended. A change made through it is seen at
 * once, a change made elsewhere after that time.
 */
export class CachingDeveloperRepository implements DeveloperRepository {
  readonly #lookups: Lookups<Developer>;

  /** Wraps the developers of one store. @throws RangeError for seconds that are not a finite number, 0 or more. */
  constructor(
    private readonly inner: DeveloperRepository,
    options: CachingOptions = {},
  ) {
    this.#lookups = new Lookups((id) => inner.find(id as DeveloperId), options);
  }

  async find(id: DeveloperId): Promise<Developer | undefined> {
    const developer = await this.#lookups.find(id);
    return developer && copyOfDeveloper(developer);
  }

  findBySignInName(name: string): Promise<Developer | undefined> {
    return this.inner.findBySignInName(name);
  }

  findByInvitation(hash: string): Promise<Developer | undefined> {
    return this.inner.findByInvitation(hash);
  }

  findShownAs(id: DeveloperId): Promise<Developer | undefined> {
    return this.inner.findShownAs(id);
  }

  list(query: DeveloperQuery): Promise<readonly Developer[]> {
    return this.inner.list(query);
  }

  count(text?: string): Promise<number> {
    return this.inner.count(text);
  }

  countOperators(): Promise<number> {
    return this.inner.countOperators();
  }

  invite(id: DeveloperId, invitation: Invitation, at: Date, role?: Role): Promise<void> {
    return this.#lookups.forgettingAll(this.inner.invite(id, invitation, at, role));
  }

  activate(invitationHash: string, activation: Activation): Promise<boolean> {
    return this.#lookups.forgettingAll(this.inner.activate(invitationHash, activation));
  }

  suspend(id: DeveloperId, at: Date): Promise<Developer | undefined> {
    return this.#lookups.forgettingAll(this.inner.suspend(id, at));
  }

  setRole(id: DeveloperId, role: Role): Promise<Developer | undefined> {
    return this.#lookups.forgettingAll(this.inner.setRole(id, role));
  }

  setProfile(id: DeveloperId, profile: Profile): Promise<boolean> {
    return this.#lookups.forgettingAll(this.inner.setProfile(id, profile));
  }

  changeSignIn(id: DeveloperId, current: string, signIn: SignIn): Promise<boolean> {
    return this.#lookups.forgettingAll(this.inner.changeSignIn(id, current, signIn));
  }

  restore(id: DeveloperId): Promise<Developer | undefined> {
    return this.#lookups.forgettingAll(this.inner.restore(id));
  }
}
