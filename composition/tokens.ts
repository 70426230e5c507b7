import type { ServiceIdentifier } from 'inversify';
import type Koa from 'koa';
import type { AccountSecurity } from '../application/account-security.js';
import type { AuditTrail } from '../application/audit-trail.js';
import type { AutomationRecords } from '../application/automation-records.js';
import type { CatalogueDevelopers } from '../application/catalogue-developers.js';
import type { Catalogue } from '../application/catalogue.js';
import type { AutomationTransfer } from '../application/automation-transfer.js';
import type { DeveloperAccounts } from '../application/developer-accounts.js';
import type { DeveloperKeys } from '../application/developer-keys.js';
import type { DeveloperProfiles } from '../application/developer-profiles.js';
import type { DeveloperSessions } from '../application/developer-sessions.js';
import type { DeveloperWithdrawals } from '../application/developer-withdrawals.js';
import type { LoginThrottle } from '../application/login-throttle.js';
import type { Maintenance } from '../application/maintenance.js';
import type { MarketplaceCategories } from '../application/marketplace-categories.js';
import type { Marketplace } from '../application/marketplace.js';
import type { Passwords } from '../application/passwords.js';
import type {
  ApiKeyRepository,
  ApiKeyVerifier,
  AuditLog,
  AutomationArchive,
  AutomationRepository,
  CatalogueSearch,
  CategoryRepository,
  DeveloperRepository,
  SessionRepository,
  Storage,
} from '../domain/ports.js';

/** The store as a whole; bound by each storage module. */
export const STORAGE: ServiceIdentifier<Storage> = Symbol('Storage');
/** The port of automations; bound by each storage module. */
export const AUTOMATION_REPOSITORY: ServiceIdentifier<AutomationRepository> = Symbol('AutomationRepository');
/** The port of automations, also of withdrawn ones; bound by each storage module. */
export const AUTOMATION_ARCHIVE: ServiceIdentifier<AutomationArchive> = Symbol('AutomationArchive');
/** The port of the search; bound by each storage module, for a storage without one to a search that scans. */
export const CATALOGUE_SEARCH: ServiceIdentifier<CatalogueSearch> = Symbol('CatalogueSearch');
/** The port of categories; bound by each storage module. */
export const CATEGORY_REPOSITORY: ServiceIdentifier<CategoryRepository> = Symbol('CategoryRepository');
/** The port of API keys; bound by each storage module. */
export const API_KEY_REPOSITORY: ServiceIdentifier<ApiKeyRepository> = Symbol('ApiKeyRepository');
/** The port of developers; bound by each storage module. */
export const DEVELOPER_REPOSITORY: ServiceIdentifier<DeveloperRepository> = Symbol('DeveloperRepository');
/** The port of sessions; bound by each storage module. */
export const SESSION_REPOSITORY: ServiceIdentifier<SessionRepository> = Symbol('SessionRepository');
/** The port of the audit log; bound by each storage module. */
export const AUDIT_LOG: ServiceIdentifier<AuditLog> = Symbol('AuditLog');
/** The port that verifies credentials; bound by `coreModule` to API keys, and extended by `oauthModule`. */
export const API_KEY_VERIFIER: ServiceIdentifier<ApiKeyVerifier> = Symbol('ApiKeyVerifier');
/** The use cases of buyers and developers; bound by `coreModule`. */
export const MARKETPLACE: ServiceIdentifier<Marketplace> = Symbol('Marketplace');
/** How the operator keeps the categories; bound by `coreModule`. */
export const MARKETPLACE_CATEGORIES: ServiceIdentifier<MarketplaceCategories> = Symbol('MarketplaceCategories');
/** The catalogue for buyers; bound by `coreModule`. */
export const CATALOGUE: ServiceIdentifier<Catalogue> = Symbol('Catalogue');
/** The names of developers in public; bound by `coreModule`. */
export const CATALOGUE_DEVELOPERS: ServiceIdentifier<CatalogueDevelopers> = Symbol('CatalogueDevelopers');
/** What developers and the operator read of automations; bound by `coreModule`. */
export const AUTOMATION_RECORDS: ServiceIdentifier<AutomationRecords> = Symbol('AutomationRecords');
/** Export and import of automations; bound by `coreModule`. */
export const AUTOMATION_TRANSFER: ServiceIdentifier<AutomationTransfer> = Symbol('AutomationTransfer');
/** The use cases of API keys; bound by `coreModule`. */
export const DEVELOPER_KEYS: ServiceIdentifier<DeveloperKeys> = Symbol('DeveloperKeys');
/** The use cases of accounts; bound by `coreModule`. */
export const DEVELOPER_ACCOUNTS: ServiceIdentifier<DeveloperAccounts> = Symbol('DeveloperAccounts');
/** Passwords and sessions of those who are signed in; bound by `coreModule`. */
export const ACCOUNT_SECURITY: ServiceIdentifier<AccountSecurity> = Symbol('AccountSecurity');
/** The hashing of passwords, of which a process has one; bound by `coreModule`. */
export const PASSWORDS: ServiceIdentifier<Passwords> = Symbol('Passwords');
/** The throttle of sign-ins, of which a process has one; bound by `coreModule`. */
export const LOGIN_THROTTLE: ServiceIdentifier<LoginThrottle> = Symbol('LoginThrottle');
/** Public names and websites of developers; bound by `coreModule`. */
export const DEVELOPER_PROFILES: ServiceIdentifier<DeveloperProfiles> = Symbol('DeveloperProfiles');
/** Withdraws all that a developer sells; bound by `coreModule`. */
export const DEVELOPER_WITHDRAWALS: ServiceIdentifier<DeveloperWithdrawals> = Symbol('DeveloperWithdrawals');
/** The use cases of sign-in; bound by `coreModule`. */
export const DEVELOPER_SESSIONS: ServiceIdentifier<DeveloperSessions> = Symbol('DeveloperSessions');
/** The audit trail; bound by `coreModule`. */
export const AUDIT_TRAIL: ServiceIdentifier<AuditTrail> = Symbol('AuditTrail');
/** The upkeep of the store, whose `sweep` runs about once a minute; bound by `coreModule`. */
export const MAINTENANCE: ServiceIdentifier<Maintenance> = Symbol('Maintenance');
/** The four endpoints as a Koa application; bound by `httpModule`. */
export const HTTP_APP: ServiceIdentifier<Koa> = Symbol('HttpApp');
