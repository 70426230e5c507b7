import type { ServiceIdentifier } from 'inversify';
import type Koa from 'koa';
import type { Exchange } from '../adapters/http/exchange.js';
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

export const AUTOMATION_REPOSITORY: ServiceIdentifier<AutomationRepository> = Symbol('AutomationRepository');
export const CATEGORY_REPOSITORY: ServiceIdentifier<CategoryRepository> = Symbol('CategoryRepository');
export const API_KEY_REPOSITORY: ServiceIdentifier<ApiKeyRepository> = Symbol('ApiKeyRepository');
export const DEVELOPER_REPOSITORY: ServiceIdentifier<DeveloperRepository> = Symbol('DeveloperRepository');
export const SESSION_REPOSITORY: ServiceIdentifier<SessionRepository> = Symbol('SessionRepository');
export const AUDIT_LOG: ServiceIdentifier<AuditLog> = Symbol('AuditLog');
export const API_KEY_VERIFIER: ServiceIdentifier<ApiKeyVerifier> = Symbol('ApiKeyVerifier');
export const MARKETPLACE: ServiceIdentifier<Marketplace> = Symbol('Marketplace');
export const AUTOMATION_TRANSFER: ServiceIdentifier<AutomationTransfer> = Symbol('AutomationTransfer');
export const DEVELOPER_KEYS: ServiceIdentifier<DeveloperKeys> = Symbol('DeveloperKeys');
export const DEVELOPER_ACCOUNTS: ServiceIdentifier<DeveloperAccounts> = Symbol('DeveloperAccounts');
export const DEVELOPER_SESSIONS: ServiceIdentifier<DeveloperSessions> = Symbol('DeveloperSessions');
export const AUDIT_TRAIL: ServiceIdentifier<AuditTrail> = Symbol('AuditTrail');
export const HTTP_APP: ServiceIdentifier<Koa<Exchange>> = Symbol('HttpApp');
