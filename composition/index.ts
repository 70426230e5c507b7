/**
 * The composition: `createService` for the whole service over a storage; for hosts with an inversify container of their
 * own, `coreModule`, a storage module, and others. What needs other packages loads them when it is called.
 * @module automation-marketplace-composition
 */
export { createService } from './create-service.js';
export type { MarketplaceService, ServiceOptions, ServiceRateLimits } from './create-service.js';
export type { ServiceLog } from './service/service-log.js';
export type { StorageSettings } from './storage-settings.js';
export { coreModule } from './modules/core.js';
export type { CoreOptions } from '../application/core.js';
export { inMemoryModule, storageModule } from './modules/storage.js';
export { oauthModule } from './modules/oauth.js';
export { httpModule } from './modules/http.js';
export {
  API_KEY_REPOSITORY,
  API_KEY_VERIFIER,
  AUTOMATION_STORE,
  CATEGORY_REPOSITORY,
  CORE,
  DEVELOPER_REPOSITORY,
  HTTP_APP,
  MARKETPLACE,
  SESSION_REPOSITORY,
  STORAGE,
} from './tokens.js';
export type { AutomationStore } from './tokens.js';
