import type { ServiceIdentifier } from 'inversify';
import type Koa from 'koa';
import type { AuditTrail } from '../application/audit-trail.js';
import type { AutomationTransfer } from '../application/automation-transfer.js';
import type { Core } from '../application/core.js';
import type { DeveloperAccounts } from '../application/developer-accounts.js';
import type { DeveloperKeys } from '../application/developer-keys.js';
import type { DeveloperSessions } from '../application/developer-sessions.js';
import type { Marketplace } from '../application/marketplace.js';
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
/** All use cases; bound by `coreModule`. The tokens below are some of them. */
export const CORE: ServiceIdentifier<Core> = Symbol('Core');
/** The port that verifies credentials; bound by `coreModule` to API keys, and extended by `oauthModule`. */
export const API_KEY_VERIFIER: ServiceIdentifier<ApiKeyVerifier> = Symbol('ApiKeyVerifier');
/** The use cases of buyers and developers; bound by `coreModule`. */
export const MARKETPLACE: ServiceIdentifier<Marketplace> = Symbol('Marketplace');
/** Export and import of automations; bound by `coreModule`. */
export const AUTOMATION_TRANSFER: ServiceIdentifier<AutomationTransfer> = Symbol('AutomationTransfer');
/** The use cases of API keys; bound by `coreModule`. */
export const DEVELOPER_KEYS: ServiceIdentifier<DeveloperKeys> = Symbol('DeveloperKeys');
/** The use cases of accounts; bound by `coreModule`. */
export const DEVELOPER_ACCOUNTS: ServiceIdentifier<DeveloperAccounts> = Symbol('DeveloperAccounts');
/** The use cases of sign-in; bound by `coreModule`. */
export const DEVELOPER_SESSIONS: ServiceIdentifier<DeveloperSessions> = Symbol('DeveloperSessions');
/** The audit trail; bound by `coreModule`. */
export const AUDIT_TRAIL: ServiceIdentifier<AuditTrail> = Symbol('AuditTrail');
/** The four endpoints as a Koa application; bound by `httpModule`. */
export const HTTP_APP: ServiceIdentifier<Koa> = Symbol('HttpApp');
