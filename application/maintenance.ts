import type { ApiKeyId } from '../domain/api-key.js';
import type { Category } from '../domain/category.js';
import type { Storage } from '../domain/ports.js';
import type { AuditTrail } from './audit-trail.js';
import type { DeveloperAccounts } from './developer-accounts.js';
import type { DeveloperKeys } from './developer-keys.js';
import { now } from './defaults.js';

/** The name of the first developer. */
export const FIRST_DEVELOPER = 'developer';

/** The first access to a new marketplace, shown once: a key, and the token of a sign-in link if there is a panel. */
export interface FirstAccess {
  readonly key: string;
  readonly keyId: ApiKeyId;
  readonly token?: string;
}

/** The upkeep of a store: what its first start adds, and what is swept out while it runs. */
export class Maintenance {
  /** Uses the repositories of one store. */
  constructor(
    private readonly repositories: Pick<Storage, 'automations' | 'categories' | 'keys' | 'sessions'>,
    private readonly developerKeys: DeveloperKeys,
    private readonly accounts: DeveloperAccounts,
    private readonly audit: AuditTrail,
  ) {}

  /** Adds the categories to a store that has none, and returns how many were added. */
  async addFirstCategories(categories: readonly Category[]): Promise<number> {
    const present = await this.repositories.categories.list();
    return present.length > 0 ? 0 : this.repositories.categories.save(categories);
  }

  /**
   * Issues the first key, and the first sign-in link if there is a panel; undefined if the store has a key or an
   * account. Of two processes that start at once, the one whose key was added second revokes it.
   */
  async firstAccess(panel: boolean): Promise<FirstAccess | undefined> {
    if ((await this.repositories.keys.list()).length > 0 || (await this.accounts.list()).length > 0) return undefined;
    const { text, key } = await this.developerKeys.issue({ developer: FIRST_DEVELOPER, name: 'First key' });
    const [oldest] = await this.repositories.keys.list();
    if (oldest?.id !== key.id) {
      await this.developerKeys.revoke(key.id);
      return undefined;
    }
    if (!panel) return { key: text, keyId: key.id };
    const { token } = await this.accounts.invite(FIRST_DEVELOPER);
    return { key: text, keyId: key.id, token };
  }

  /** Revokes a first key that could not be shown. */
  revoke({ keyId }: FirstAccess): Promise<void> {
    return this.developerKeys.revoke(keyId);
  }

  /**
   * Frees expired idempotency keys, ends expired sessions, and moves entries of the audit from automations to the log.
   * Call it about once a minute.
   */
  async sweep(): Promise<void> {
    const at = now();
    await Promise.all([
      this.repositories.automations.freeIdempotencyKeys(at),
      this.repositories.sessions.endExpired(at),
      this.audit.moveEntries(),
    ]);
  }
}
