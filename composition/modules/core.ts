import 'reflect-metadata';
import { ContainerModule } from 'inversify';
import { AccountSecurity } from '../../application/account-security.js';
import { AuditTrail } from '../../application/audit-trail.js';
import { AutomationRecords } from '../../application/automation-records.js';
import { AutomationTransfer } from '../../application/automation-transfer.js';
import { CatalogueDevelopers } from '../../application/catalogue-developers.js';
import { Catalogue } from '../../application/catalogue.js';
import type { CoreOptions } from '../../application/core.js';
import { DeveloperAccounts } from '../../application/developer-accounts.js';
import { DeveloperKeys } from '../../application/developer-keys.js';
import { DeveloperProfiles } from '../../application/developer-profiles.js';
import { DeveloperSessions } from '../../application/developer-sessions.js';
import { DeveloperWithdrawals } from '../../application/developer-withdrawals.js';
import { LoginThrottle } from '../../application/login-throttle.js';
import { Maintenance } from '../../application/maintenance.js';
import { MarketplaceCategories } from '../../application/marketplace-categories.js';
import { Marketplace } from '../../application/marketplace.js';
import { Passwords } from '../../application/passwords.js';
import { StoredApiKeyVerifier } from '../../application/stored-api-key-verifier.js';
import {
  ACCOUNT_SECURITY,
  API_KEY_REPOSITORY,
  API_KEY_VERIFIER,
  AUDIT_LOG,
  AUDIT_TRAIL,
  AUTOMATION_ARCHIVE,
  AUTOMATION_RECORDS,
  AUTOMATION_REPOSITORY,
  AUTOMATION_TRANSFER,
  CATALOGUE,
  CATALOGUE_DEVELOPERS,
  CATALOGUE_SEARCH,
  CATEGORY_REPOSITORY,
  DEVELOPER_ACCOUNTS,
  DEVELOPER_KEYS,
  DEVELOPER_PROFILES,
  DEVELOPER_REPOSITORY,
  DEVELOPER_SESSIONS,
  DEVELOPER_WITHDRAWALS,
  LOGIN_THROTTLE,
  MAINTENANCE,
  MARKETPLACE,
  MARKETPLACE_CATEGORIES,
  PASSWORDS,
  SESSION_REPOSITORY,
} from '../tokens.js';

/** Returns the module of the core. It needs the repositories of one of the storage modules, or a host's own. */
export function coreModule({ currency, now, newId, onAuditError }: CoreOptions = {}): ContainerModule {
  const clock = { now, newId };
  const priced = { currency };
  const audited = { ...clock, onError: onAuditError };
  return new ContainerModule(({ bind }) => {
    bind(PASSWORDS).toResolvedValue(() => new Passwords()).inSingletonScope();
    bind(LOGIN_THROTTLE).toResolvedValue(() => new LoginThrottle()).inSingletonScope();
    bind(AUDIT_TRAIL)
      .toResolvedValue((log, archive) => new AuditTrail(log, { ...audited, archive }), [AUDIT_LOG, AUTOMATION_ARCHIVE])
      .inSingletonScope();
    bind(MARKETPLACE)
      .toResolvedValue(
        (automations, categories, search, audit) =>
          new Marketplace(automations, categories, { search, audit, ...priced, ...clock }),
        [AUTOMATION_REPOSITORY, CATEGORY_REPOSITORY, CATALOGUE_SEARCH, AUDIT_TRAIL],
      )
      .inSingletonScope();
    bind(MARKETPLACE_CATEGORIES)
      .toResolvedValue(
        (categories, audit) => new MarketplaceCategories(categories, audit),
        [CATEGORY_REPOSITORY, AUDIT_TRAIL],
      )
      .inSingletonScope();
    bind(CATALOGUE)
      .toResolvedValue(
        (automations, archive, categories, search) =>
          new Catalogue({ automations, archive, categories, search }, priced),
        [AUTOMATION_REPOSITORY, AUTOMATION_ARCHIVE, CATEGORY_REPOSITORY, CATALOGUE_SEARCH],
      )
      .inSingletonScope();
    bind(CATALOGUE_DEVELOPERS)
      .toResolvedValue(
        (profiles, archive) => new CatalogueDevelopers(profiles, archive, now),
        [DEVELOPER_PROFILES, AUTOMATION_ARCHIVE],
      )
      .inSingletonScope();
    bind(AUTOMATION_RECORDS)
      .toResolvedValue(
        (archive, search) => new AutomationRecords(archive, search),
        [AUTOMATION_ARCHIVE, CATALOGUE_SEARCH],
      )
      .inSingletonScope();
    bind(AUTOMATION_TRANSFER)
      .toResolvedValue(
        (automations, archive, categories) => new AutomationTransfer(automations, archive, categories, priced),
        [AUTOMATION_REPOSITORY, AUTOMATION_ARCHIVE, CATEGORY_REPOSITORY],
      )
      .inSingletonScope();
    bind(DEVELOPER_KEYS)
      .toResolvedValue(
        (keys, audit, developers) => new DeveloperKeys(keys, { audit, developers, ...clock }),
        [API_KEY_REPOSITORY, AUDIT_TRAIL, DEVELOPER_REPOSITORY],
      )
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
    bind(DEVELOPER_PROFILES)
      .toResolvedValue(
        (developers, audit) => new DeveloperProfiles(developers, audit),
        [DEVELOPER_REPOSITORY, AUDIT_TRAIL],
      )
      .inSingletonScope();
    bind(DEVELOPER_WITHDRAWALS)
      .toResolvedValue(
        (archive, marketplace) => new DeveloperWithdrawals(archive, marketplace),
        [AUTOMATION_ARCHIVE, MARKETPLACE],
      )
      .inSingletonScope();
    bind(DEVELOPER_SESSIONS)
      .toResolvedValue(
        (developers, sessions, audit, passwords, throttle) =>
          new DeveloperSessions(developers, sessions, { audit, passwords, throttle, ...clock }),
        [DEVELOPER_REPOSITORY, SESSION_REPOSITORY, AUDIT_TRAIL, PASSWORDS, LOGIN_THROTTLE],
      )
      .inSingletonScope();
    bind(ACCOUNT_SECURITY)
      .toResolvedValue(
        (developers, sessions, audit, passwords, throttle) =>
          new AccountSecurity(developers, sessions, { audit, passwords, throttle, ...clock }),
        [DEVELOPER_REPOSITORY, SESSION_REPOSITORY, AUDIT_TRAIL, PASSWORDS, LOGIN_THROTTLE],
      )
      .inSingletonScope();
    bind(MAINTENANCE)
      .toResolvedValue(
        (automations, categories, keys, sessions, developerKeys, accounts, audit) =>
          new Maintenance({ automations, categories, keys, sessions }, developerKeys, accounts, audit),
        [
          AUTOMATION_REPOSITORY,
          CATEGORY_REPOSITORY,
          API_KEY_REPOSITORY,
          SESSION_REPOSITORY,
          DEVELOPER_KEYS,
          DEVELOPER_ACCOUNTS,
          AUDIT_TRAIL,
        ],
      )
      .inSingletonScope();
  });
}
