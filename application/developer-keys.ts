import { isOperator, parseDeveloperId, requireActor, type Actor, type DeveloperId } from '../domain/access.js';
import {
  checkKeyName,
  isActive,
  newApiKey,
  newKeyText,
  type ApiKey,
  type ApiKeyId,
  type KeyOwner,
} from '../domain/api-key.js';
import { Violations, DomainError } from '../domain/errors.js';
import { requireOptions } from '../domain/options.js';
import type { ApiKeyRepository, DeveloperRepository } from '../domain/ports.js';
import { newPage } from '../domain/page.js';
import { boundedScopes, DEFAULT_ROLE, type Role } from '../domain/role.js';
import { uuidOf } from '../domain/uuid.js';
import { Context, type ContextOptions } from './context.js';
import { beforeOf, cursorPage, type CursorPage, type CursorRequest } from './cursor-page.js';
import { randomBytes, sha256 } from './defaults.js';
import { allowedScopes, checkOverlap, DEFAULT_OVERLAP_MS, parseKeyRequest, type KeyRequest } from './key-request.js';

/** The clock, the sources of ids and randomness, and the audit. */
export interface DeveloperKeysOptions extends ContextOptions {
  /** Returns this number of random bytes; of `node:crypto` by default. */
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
  /** Without them, every owner counts as a developer, and none is registered. */
  readonly developers?: Pick<DeveloperRepository, 'find' | 'register'> | undefined;
}

/** A new key. Its text is returned only here. */
export interface IssuedKey {
  readonly text: string;
  readonly key: ApiKey;
}

/** A part of the keys, the latest first. */
export interface KeysRequest extends CursorRequest {
  /** For the operator: only the keys of this developer. */
  readonly developer?: string | undefined;
}

/** A part of the keys that have ended. */
export interface EndedKeys extends CursorPage<ApiKey> {
  readonly total: number;
}

const NAMES = { developer: true, limit: true, before: true } as const;

/** Active keys of one developer. */
const MAX_KEYS = 100;

/**
 * How developers get their API keys, and how they end. A person manages their own keys. A key of another developer is
 * reported as not found.
 */
export class DeveloperKeys {
  readonly #context: Context;
  readonly #randomBytes: (count: number) => Uint8Array;
  readonly #developers: DeveloperKeysOptions['developers'];

  /** Uses the keys of one store. */
  constructor(
    private readonly keys: ApiKeyRepository,
    options: DeveloperKeysOptions = {},
  ) {
    this.#context = new Context(options);
    this.#randomBytes = options.randomBytes ?? randomBytes;
    this.#developers = options.developers;
  }

  /**
   * Makes a key and stores its hash. Adds its owner when there is no such developer yet. Fails as `invalid`, or as
   * `conflict` (`too-many-keys`) when the owner has 100 active keys.
   */
  async issue(by: Actor, request: KeyRequest): Promise<IssuedKey> {
    return this.issueAs(by, this.#context.newId() as ApiKeyId, request);
  }

  /** As `issue`, under a given id. Fails as `conflict` (`duplicate-key`) when a key has it already. */
  async issueAs(by: Actor, id: ApiKeyId, request: KeyRequest): Promise<IssuedKey> {
    requireActor(by);
    const requested = parseKeyRequest(request, this.#context.now());
    if (!isOwn(by, requested)) throw noSuchDeveloper();
    const owner = { ...requested, scopes: allowedScopes(requested.scopes, await this.#roleOf(by, requested)) };
    await this.#register(by, owner);
    const issued = this.#make(owner, id);
    const entries = this.#context.audited(by, 'key-issued', owner.developerId, { subject: issued.key.id });
    await this.keys.add({ key: issued.key, max: MAX_KEYS, ...entries });
    return issued;
  }

  /** Returns keys, the latest issued first: the operator gets those of all developers, a person their own. */
  async list(by: Actor, request: KeysRequest = {}): Promise<CursorPage<ApiKey>> {
    requireActor(by);
    requireOptions('keys.list', request, NAMES);
    const { developer, limit } = request;
    const page = newPage({ limit });
    const developerId = developer === undefined && isOperator(by) ? undefined : ownerOf(by, developer);
    const query = { developerId, limit: page.limit + 1, before: beforeOf(request) as ApiKeyId | undefined };
    return cursorPage(await this.keys.list(query), page.limit);
  }

  /** Returns keys that work, the latest issued first: a person's own, or for the operator those of `developer`. */
  async listActive(by: Actor, developer?: string): Promise<readonly ApiKey[]> {
    requireActor(by);
    const keys = await this.keys.listActive(ownerOf(by, developer), this.#context.now());
    return keys.toSorted((one, other) => +other.createdAt - +one.createdAt || (one.id < other.id ? 1 : -1));
  }

  /** Returns expired and revoked keys of the same developer, the latest end first, and how many there are. */
  async listEnded(by: Actor, request: KeysRequest = {}): Promise<EndedKeys> {
    requireActor(by);
    requireOptions('keys.listEnded', request, NAMES);
    const [page, developerId, asOf] = [
      newPage({ limit: request.limit }),
      ownerOf(by, request.developer),
      this.#context.now(),
    ];
    const query = { developerId, asOf, limit: page.limit + 1, before: beforeOf(request) as ApiKeyId | undefined };
    const [keys, total] = await Promise.all([this.keys.listEnded(query), this.keys.countEnded(developerId, asOf)]);
    return { ...cursorPage(keys, page.limit), total };
  }

  /** Returns a key, also an expired or revoked one. Fails as `not-found`, also for a key of another developer. */
  async read(by: Actor, id: string): Promise<ApiKey> {
    requireActor(by);
    return this.#find(by, id);
  }

  /**
   * Makes a successor with the same owner, name and lifetime, and the scopes that the owner's role allows; the old key
   * works for `overlap` milliseconds more, a day by default. Fails as `not-found`, as `conflict` when the key is
   * revoked or expired already or both would be too many, or as `invalid`.
   */
  async rotate(by: Actor, id: string, overlap = DEFAULT_OVERLAP_MS): Promise<IssuedKey> {
    requireActor(by);
    checkOverlap(overlap);
    const old = await this.#find(by, id);
    const scopes = boundedScopes(old.scopes, await this.#roleOf(by, old));
    if (scopes.length === 0) throw keyAllowsNothing();
    return this.#replace(by, { ...old, scopes }, overlap);
  }

  /** Gives a key another name, for its owner. Fails as `not-found`, or as `invalid`. */
  async rename(by: Actor, id: string, name: string): Promise<void> {
    requireActor(by);
    const key = await this.#find(by, id);
    const violations = new Violations();
    const text = checkKeyName(name, violations.field('name'));
    violations.throwIfAny('the key');
    if (text === key.name) return;
    const entries = this.#context.audited(by, 'key-renamed', key.developerId, { subject: key.id });
    if (!(await this.keys.rename(key.id, { name: text, ...entries }))) throw noSuchKey();
  }

  /** Ends a key at once. Idempotent. Fails as `not-found`. */
  async revoke(by: Actor, id: string): Promise<void> {
    requireActor(by);
    const key = await this.#find(by, id);
    const entries = this.#context.audited(by, 'key-revoked', key.developerId, { subject: key.id });
    if (!(await this.keys.revoke(key.id, { at: this.#context.now(), ...entries }))) throw noSuchKey();
  }

  /** Returns the role of the key's owner: for a person it is the one with which they are signed in. */
  async #roleOf(by: Actor, { developerId }: Pick<ApiKey, 'developerId'>): Promise<Role> {
    if (!isOperator(by)) return by.role;
    return (await this.#developers?.find(developerId))?.role ?? DEFAULT_ROLE;
  }

  /** Adds the developer who gets a key, if they are not known yet: a key never works without them. */
  async #register(by: Actor, { developerId }: KeyOwner): Promise<void> {
    if ((await this.#developers?.find(developerId)) === undefined)
      await this.#developers?.register(developerId, this.#context.addition(by, developerId));
  }

  async #find(by: Actor, id: string): Promise<ApiKey> {
    const known = uuidOf(id) as ApiKeyId | undefined;
    const key = known && (await this.keys.find(known));
    if (key === undefined || !isOwn(by, key)) throw noSuchKey();
    return key;
  }

  async #replace(by: Actor, old: ApiKey, overlap: number): Promise<IssuedKey> {
    const at = this.#context.now();
    if (!isActive(old, at)) throw keyHasEnded();
    const issued = this.#make(old, this.#context.newId() as ApiKeyId);
    const until = new Date(at.getTime() + overlap);
    const about = { subject: issued.key.id, predecessor: old.id };
    const entries = this.#context.audited(by, 'key-rotated', old.developerId, about);
    const replacement = { successor: issued.key, until, max: MAX_KEYS, ...entries };
    if (!(await this.keys.replace(old.id, replacement))) throw keyHasEnded();
    return issued;
  }

  #make(owner: KeyOwner, id: ApiKeyId): IssuedKey {
    const text = newKeyText(this.#randomBytes);
    const key = newApiKey(owner, { id, text, hash: sha256(text), createdAt: this.#context.now() });
    return { text, key };
  }
}

function isOwn(by: Actor, { developerId }: Pick<ApiKey, 'developerId'>): boolean {
  return isOperator(by) || by.developerId === developerId;
}

/** @throws DomainError `invalid` for the operator without a developer */
function ownerOf(by: Actor, developer = ''): DeveloperId {
  return isOperator(by) ? parseDeveloperId(developer) : by.developerId;
}

function noSuchDeveloper(): DomainError {
  return new DomainError('not-found', 'no-such-developer', 'you can create keys for yourself only');
}

function noSuchKey(): DomainError {
  return new DomainError('not-found', 'no-such-key', 'there is no key with this id');
}

function keyHasEnded(): DomainError {
  return new DomainError('conflict', 'key-has-ended', 'this key is revoked or expired; issue a new one instead');
}

function keyAllowsNothing(): DomainError {
  const message = "the owner's role no longer permits any scope of this key; create a new key";
  return new DomainError('conflict', 'key-has-ended', message);
}
