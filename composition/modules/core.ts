import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import { AuditTrail, type AuditTrailOptions } from '../../application/audit-trail.js';
import { AutomationTransfer } from '../../application/automation-transfer.js';
import { DeveloperAccounts } from '../../application/developer-accounts.js';
import { DeveloperKeys } from '../../application/developer-keys.js';
import { DeveloperSessions } from '../../application/developer-sessions.js';
import { Marketplace, type MarketplaceOptions } from '../../application/marketplace.js';
import { StoredApiKeyVerifier } from '../../application/stored-api-key-verifier.js';
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
} from '../tokens.js';

/** The options of the core. */
export interface CoreOptions extends Pick<MarketplaceOptions, 'currency' | 'now'> {
  /** Is told what could not be written into the audit, and why. */
  readonly onAuditError?: AuditTrailOptions['onError'];
}

/** The core. It needs the repositories of one of the storage modules, or a host's own. */
export function coreModule({ currency, now, onAuditError }: CoreOptions = {}): ContainerModule {
  const clock = now === undefined ? {} : { now };
  return new ContainerModule(({ bind }) => {
    bind(AUDIT_TRAIL)
      .toResolvedValue(
        (log) => new AuditTrail(log, { ...clock, ...(onAuditError && { onError: onAuditError }) }),
        [AUDIT_LOG],
      )
      .inSingletonScope();
    const priced = { ...(currency !== undefined && { currency }) };
    bind(MARKETPLACE)
      .toResolvedValue(
        (automations, categories, audit) => new Marketplace(automations, categories, { audit, ...priced, ...clock }),
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
      .toResolvedValue((keys, audit) => new DeveloperKeys(keys, { audit, ...clock }), [API_KEY_REPOSITORY, AUDIT_TRAIL])
      .inSingletonScope();
    bind(API_KEY_VERIFIER)
      .toResolvedValue(
        (keys, developers) => new StoredApiKeyVerifier(keys, { developers, ...clock }),
        [API_KEY_REPOSITORY, DEVELOPER_REPOSITORY],
      )
      .inSingletonScope();
    bind(DEVELOPER_ACCOUNTS)
      .toResolvedValue(
        (developers, sessions, audit, keys) => new DeveloperAccounts(developers, sessions, { audit, keys, ...clock }),
        [DEVELOPER_REPOSITORY, SESSION_REPOSITORY, AUDIT_TRAIL, API_KEY_REPOSITORY],
      )
      .inSingletonScope();
    bind(DEVELOPER_SESSIONS)
      .toResolvedValue(
        (developers, sessions, audit) => new DeveloperSessions(developers, sessions, { audit, ...clock }),
        [DEVELOPER_REPOSITORY, SESSION_REPOSITORY, AUDIT_TRAIL],
      )
      .inSingletonScope();
  });
}
