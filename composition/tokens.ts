import type { ServiceIdentifier } from 'inversify';
import type { MountedApp } from '../adapters/api/index.js';
import type { UseCases } from '../application/core.js';
import type {
  ApiKeyRepository,
  ApiKeyVerifier,
  CategoryRepository,
  DeveloperRepository,
  SessionRepository,
  Storage,
} from '../domain/ports.js';

/**
 * The automations, what is stored together with them, and what a storage may leave out: without `search`, the core
 * finds with `ScanningSearch` over the archive; without `oauthRecords`, there is no authorization server; without
 * `reports`, automations cannot be reported.
 */
export type AutomationStore = Pick<
  Storage,
  'automations' | 'archive' | 'search' | 'auditLog' | 'oauthRecords' | 'reports'
> &
  Partial<Pick<Storage, 'recordedCurrency'>>;

/** The store as a whole, bound by each storage module; the ports below are its own until they are rebound. */
export const STORAGE: ServiceIdentifier<Storage> = Symbol('Storage');
/** The ports that are of one database with the automations, or optional; bound by each storage module. */
export const AUTOMATION_STORE: ServiceIdentifier<AutomationStore> = Symbol('AutomationStore');
/** The port of categories; bound by each storage module. */
export const CATEGORY_REPOSITORY: ServiceIdentifier<CategoryRepository> = Symbol('CategoryRepository');
/** The port of API keys; bound by each storage module. */
export const API_KEY_REPOSITORY: ServiceIdentifier<ApiKeyRepository> = Symbol('ApiKeyRepository');
/** The port of developers; bound by each storage module. */
export const DEVELOPER_REPOSITORY: ServiceIdentifier<DeveloperRepository> = Symbol('DeveloperRepository');
/** The port of sessions; bound by each storage module. */
export const SESSION_REPOSITORY: ServiceIdentifier<SessionRepository> = Symbol('SessionRepository');
/** The port that verifies credentials; bound by `coreModule` to API keys, and extended by `oauthModule`. */
export const API_KEY_VERIFIER: ServiceIdentifier<ApiKeyVerifier> = Symbol('ApiKeyVerifier');
/** The use cases of buyers and developers; bound by `coreModule`. */
export const MARKETPLACE: ServiceIdentifier<UseCases['marketplace']> = Symbol('Marketplace');
/** All use cases, with the marketplace and the verifier that are bound; bound by `coreModule`. */
export const CORE: ServiceIdentifier<UseCases> = Symbol('Core');
/** The four endpoints as a Koa application, made of `CORE`; bound by `httpModule`. */
export const HTTP_APP: ServiceIdentifier<MountedApp> = Symbol('HttpApp');
