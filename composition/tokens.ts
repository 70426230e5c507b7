import type { ServiceIdentifier } from 'inversify';
import type Koa from 'koa';
import type { AuditTrail } from '../application/audit-trail.js';
import type { AutomationTransfer } from '../application/automation-transfer.js';
import type { DeveloperAccounts } from '../application/developer-accounts.js';
import type { DeveloperKeys } from '../application/developer-keys.js';
import type { DeveloperSessions } from '../application/developer-sessions.js';
import type { Marketplace } from '../application/marketplace.js';
import type {
  ApiKeyRepository,
  ApiKeyVerifier,
  AuditLog,
  AutomationRepository,
  CategoryRepository,
  DeveloperRepository,
  SessionRepository,
} from '../domain/ports.js';

/** The port for what is on sale; bound by each storage module. */
export const AUTOMATION_REPOSITORY: ServiceIdentifier<AutomationRepository> = Symbol('AutomationRepository');
/** The port for the shelves; bound by each storage module. */
export const CATEGORY_REPOSITORY: ServiceIdentifier<CategoryRepository> = Symbol('CategoryRepository');
/** The port for what is kept of the keys; bound by each storage module. */
export const API_KEY_REPOSITORY: ServiceIdentifier<ApiKeyRepository> = Symbol('ApiKeyRepository');
/** The port for who may come to the panel; bound by each storage module. */
export const DEVELOPER_REPOSITORY: ServiceIdentifier<DeveloperRepository> = Symbol('DeveloperRepository');
/** The port for who is signed in; bound by each storage module. */
export const SESSION_REPOSITORY: ServiceIdentifier<SessionRepository> = Symbol('SessionRepository');
/** The port for what was done; bound by each storage module. */
export const AUDIT_LOG: ServiceIdentifier<AuditLog> = Symbol('AuditLog');
/**
 * The port for who shows a credential; bound by `coreModule` to the keys that the marketplace issued, and extended by
 * `oauthModule`.
 */
export const API_KEY_VERIFIER: ServiceIdentifier<ApiKeyVerifier> = Symbol('ApiKeyVerifier');
/** What users can do; bound by `coreModule`. */
export const MARKETPLACE: ServiceIdentifier<Marketplace> = Symbol('Marketplace');
/** What moves automations between stores; bound by `coreModule`. */
export const AUTOMATION_TRANSFER: ServiceIdentifier<AutomationTransfer> = Symbol('AutomationTransfer');
/** How keys are issued and end; bound by `coreModule`. */
export const DEVELOPER_KEYS: ServiceIdentifier<DeveloperKeys> = Symbol('DeveloperKeys');
/** How developers come and go; bound by `coreModule`. */
export const DEVELOPER_ACCOUNTS: ServiceIdentifier<DeveloperAccounts> = Symbol('DeveloperAccounts');
/** How developers sign in and out; bound by `coreModule`. */
export const DEVELOPER_SESSIONS: ServiceIdentifier<DeveloperSessions> = Symbol('DeveloperSessions');
/** Who is told of what was done; bound by `coreModule`. */
export const AUDIT_TRAIL: ServiceIdentifier<AuditTrail> = Symbol('AuditTrail');
/** The four endpoints as a Koa application; bound by `httpModule`. */
export const HTTP_APP: ServiceIdentifier<Koa> = Symbol('HttpApp');
