import { parseDeveloperId, requireOperator, type Operator } from '../domain/access.js';
import type { ApiKeyId } from '../domain/api-key.js';
import type { Category } from '../domain/category.js';
import { DomainError } from '../domain/errors.js';
import type { Storage } from '../domain/ports.js';
import type { Account } from './account.js';
import { Context, type ContextOptions } from './context.js';
import type { DeveloperAccounts } from './developer-accounts.js';
import type { DeveloperKeys, IssuedKey } from './developer-keys.js';

/** The lifetime of the first key: it is printed, and terminals keep what is printed. */
export const FIRST_KEY_DAYS = 30;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The id of the first key of every store: the store takes it once, so of several processes one makes this key. */
const FIRST_KEY_ID = '00000000-0000-7000-8000-000000000001' as ApiKeyId;

/** How long API keys and reports are kept after their end. */
const KEPT_MS = 365 * DAY_MS;

const ADDRESS_KEPT_MS = 30 * DAY_MS;

/** The first access to a new marketplace, shown once: a key, and the token of a sign-in link. */
export interface FirstAccess {
  /** The name of the account. */
  readonly name: string;
  readonly key?: { readonly id: ApiKeyId; readonly text: string };
  readonly token?: string;
}

/** Which parts of a first access are made: those that can be shown. */
export interface FirstAccessParts {
  /** Whether there is a place for a key that keeps nothing, such as a terminal. */
  readonly key: boolean;
  /** Whether there is a panel, to which a link leads. */
  readonly link: boolean;
}

/** The use cases of the first start, the clock and the audit. */
export interface MaintenanceParts extends ContextOptions {
  readonly keys: DeveloperKeys;
  readonly accounts: DeveloperAccounts;
}

/** The upkeep of a store: what its first start adds, and what is swept out while it runs. */
export class Maintenance {
  readonly #context: Context;

  /** Uses the repositories of one store. */
  constructor(
    private readonly repositories: Pick<
      Storage,
      'automations' | 'categories' | 'developers' | 'keys' | 'sessions' | 'oauthRecords' | 'reports'
    >,
    private readonly parts: MaintenanceParts,
  ) {
    this.#context = new Context(parts);
  }

  /** Adds the categories to a store that has none, and returns how many were added. */
  async addFirstCategories(by: Operator, categories: readonly Category[]): Promise<number> {
    requireOperator(by);
    const present = await this.repositories.categories.list();
    return present.length > 0 ? 0 : this.repositories.categories.save(categories);
  }

  /**
   * Makes an account for an operator with this name, with a key and a sign-in link as far as they are asked for;
   * undefined if the store has a key or an account, or another process that starts at the same time has made it.
   */
  async firstAccess(by: Operator, name: string, parts: FirstAccessParts): Promise<FirstAccess | undefined> {
    requireOperator(by);
    if ((await this.repositories.keys.list({ limit: 1 })).length > 0) return undefined;
    const { items } = await this.parts.accounts.list(by);
    if (!items.every((account) => isInterrupted(account, name))) return undefined;
    const issued = parts.key ? await this.#issueFirstKey(by, name) : undefined;
    const isFirst = parts.key ? issued !== undefined : await this.#register(by, name);
    if (!isFirst) return undefined;
    const access = { name, ...(issued && { key: { id: issued.key.id, text: issued.text } }) };
    if (!parts.link) return access;
    const { token } = await this.parts.accounts.invite(by, name, { role: 'operator' });
    return { ...access, token };
  }

  /** Returns whether an operator has signed in once and is not suspended. */
  async hasOperator(by: Operator): Promise<boolean> {
    requireOperator(by);
    return (await this.repositories.developers.countOperators()) > 0;
  }

  /** Revokes a first key that could not be shown. */
  async revoke(by: Operator, { key }: FirstAccess): Promise<void> {
    requireOperator(by);
    if (key !== undefined) await this.parts.keys.revoke(by, key.id);
  }

  /**
   * Frees expired idempotency keys, ends expired sessions, removes expired records of the authorization server, API
   * keys and reports a year after their end, and the addresses of reports after 30 days. Call it about once a minute.
   */
  async sweep(by: Operator): Promise<void> {
    requireOperator(by);
    const at = this.#context.now();
    const yearAgo = new Date(at.getTime() - KEPT_MS);
    await Promise.all([
      this.repositories.automations.freeIdempotencyKeys(at),
      this.repositories.sessions.endExpired(at),
      this.repositories.oauthRecords?.removeExpired(at),
      this.repositories.keys.removeEnded(yearAgo),
      this.repositories.reports?.removeClosed(yearAgo),
      this.repositories.reports?.removeAddresses(new Date(at.getTime() - ADDRESS_KEPT_MS)),
    ]);
  }

  #register(by: Operator, name: string): Promise<boolean> {
    const id = parseDeveloperId(name);
    return this.repositories.developers.register(id, this.#context.addition(by, id));
  }

  async #issueFirstKey(by: Operator, name: string): Promise<IssuedKey | undefined> {
    try {
      const request = { developer: name, name: 'First key', lifetime: FIRST_KEY_DAYS * DAY_MS };
      return await this.parts.keys.issueAs(by, FIRST_KEY_ID, request);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'duplicate-key') return undefined;
      throw error;
    }
  }
}

/** Returns whether this is what a start leaves that was interrupted before it had stored the first key. */
function isInterrupted({ id, status }: Account, name: string): boolean {
  return id === name && status === 'no-sign-in';
}
