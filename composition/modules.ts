import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import {
  InMemoryApiKeyRepository,
  InMemoryAuditLog,
  InMemoryAutomationRepository,
  InMemoryCategoryRepository,
  InMemoryDeveloperRepository,
  InMemorySessionRepository,
} from '../adapters/in-memory/index.js';
import {
  SqliteApiKeyRepository,
  SqliteAuditLog,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDeveloperRepository,
  SqliteSessionRepository,
  type SqliteDatabase,
} from '../adapters/sqlite/index.js';
import { AuditTrail, type AuditTrailOptions } from '../application/audit-trail.js';
import { AutomationTransfer } from '../application/automation-transfer.js';
import { CachingApiKeyRepository } from '../application/caching-api-key-repository.js';
import { CachingDeveloperRepository } from '../application/caching-developer-repository.js';
import { DeveloperAccounts } from '../application/developer-accounts.js';
import { DeveloperKeys } from '../application/developer-keys.js';
import { DeveloperSessions } from '../application/developer-sessions.js';
import { GroupCommitAutomationRepository } from '../application/group-commit-automation-repository.js';
import type { CachingOptions } from '../application/lookups.js';
import { Marketplace, type MarketplaceOptions } from '../application/marketplace.js';
import { StoredApiKeyVerifier } from '../application/stored-api-key-verifier.js';
import {
  API_KEY_REPOSITORY,
  API_KEY_VERIFIER,
  AUDIT_LOG,
  AUDIT_TRAIL,
  AUTOMATION_REPOSITORY,
  AUTOMATION_TRANSFER,
  CATEGORY_REPOSITORY,
  DEVELOPER_ACCOUNTS,
  DEVELOPER_KEYS,
  DEVELOPER_REPOSITORY,
  DEVELOPER_SESSIONS,
  MARKETPLACE,
  SESSION_REPOSITORY,
} from './tokens.js';

/** What a host may choose of the core. */
export interface CoreOptions extends Pick<MarketplaceOptions, 'currency'> {
  /** Is told what could not be written into the audit, and why. */
  readonly onAuditError?: AuditTrailOptions['onError'];
}

/** The core. It needs the repositories of one of the storage modules, or a host's own. */
export function coreModule({ currency, onAuditError }: CoreOptions = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(AUDIT_TRAIL)
      .toResolvedValue((log) => new AuditTrail(log, { ...(onAuditError && { onError: onAuditError }) }), [AUDIT_LOG])
      .inSingletonScope();
    const priced = { ...(currency !== undefined && { currency }) };
    bind(MARKETPLACE)
      .toResolvedValue(
        (automations, categories, audit) => new Marketplace(automations, categories, { audit, ...priced }),
        [AUTOMATION_REPOSITORY, CATEGORY_REPOSITORY, AUDIT_TRAIL],
      )
      .inSingletonScope();
    bind(AUTOMATION_TRANSFER)
      .toResolvedValue(
        (automations, categories, audit) => new AutomationTransfer(automations, categories, { audit, ...priced }),
        [AUTOMATION_REPOSITORY, CATEGORY_REPOSITORY, AUDIT_TRAIL],
      )
      .inSingletonScope();
    bind(DEVELOPER_KEYS)
      .toResolvedValue((keys, audit) => new DeveloperKeys(keys, { audit }), [API_KEY_REPOSITORY, AUDIT_TRAIL])
      .inSingletonScope();
    bind(API_KEY_VERIFIER)
      .toResolvedValue((keys, developers) => new StoredApiKeyVerifier(keys, { developers }), [API_KEY_REPOSITORY, DEVELOPER_REPOSITORY])
      .inSingletonScope();
    bind(DEVELOPER_ACCOUNTS)
      .toResolvedValue(
        (developers, sessions, audit) => new DeveloperAccounts(developers, sessions, { audit }),
        [DEVELOPER_REPOSITORY, SESSION_REPOSITORY, AUDIT_TRAIL],
      )
      .inSingletonScope();
    bind(DEVELOPER_SESSIONS)
      .toResolvedValue(
        (developers, sessions, audit) => new DeveloperSessions(developers, sessions, { audit }),
        [DEVELOPER_REPOSITORY, SESSION_REPOSITORY, AUDIT_TRAIL],
      )
      .inSingletonScope();
  });
}

/** Every repository in memory. */
export function inMemoryModule(): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(AUTOMATION_REPOSITORY).toResolvedValue(() => new InMemoryAutomationRepository()).inSingletonScope();
    bind(CATEGORY_REPOSITORY).toResolvedValue(() => new InMemoryCategoryRepository()).inSingletonScope();
    bind(API_KEY_REPOSITORY).toResolvedValue(() => new InMemoryApiKeyRepository()).inSingletonScope();
    bind(DEVELOPER_REPOSITORY).toResolvedValue(() => new InMemoryDeveloperRepository()).inSingletonScope();
    bind(SESSION_REPOSITORY).toResolvedValue(() => new InMemorySessionRepository()).inSingletonScope();
    bind(AUDIT_LOG).toResolvedValue(() => new InMemoryAuditLog()).inSingletonScope();
  });
}

/** Every repository in an SQLite database, which stays its opener's to close. */
export function sqliteModule(database: SqliteDatabase, keyCache: CachingOptions = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(AUTOMATION_REPOSITORY)
      .toResolvedValue(() => new GroupCommitAutomationRepository(new SqliteAutomationRepository(database)))
      .inSingletonScope();
    bind(CATEGORY_REPOSITORY).toResolvedValue(() => new SqliteCategoryRepository(database)).inSingletonScope();
    bind(API_KEY_REPOSITORY)
      .toResolvedValue(() => new CachingApiKeyRepository(new SqliteApiKeyRepository(database), keyCache))
      .inSingletonScope();
    bind(DEVELOPER_REPOSITORY)
      .toResolvedValue(() => new CachingDeveloperRepository(new SqliteDeveloperRepository(database), keyCache))
      .inSingletonScope();
    bind(SESSION_REPOSITORY).toResolvedValue(() => new SqliteSessionRepository(database)).inSingletonScope();
    bind(AUDIT_LOG).toResolvedValue(() => new SqliteAuditLog(database)).inSingletonScope();
  });
}
