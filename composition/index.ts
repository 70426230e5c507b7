/**
 * The composition for hosts with an inversify container of their own: load `coreModule`, a storage module, and what else is wanted.
 * @module automation-marketplace/composition
 */
export { coreModule } from './core-module.js';
export type { CoreOptions } from './core-module.js';
export { inMemoryModule } from './in-memory-module.js';
export { sqliteModule } from './sqlite-module.js';
export { mongoModule } from './mongo-module.js';
export { oauthModule } from './oauth-module.js';
export { httpModule } from './http-module.js';
export {
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
  HTTP_APP,
  MARKETPLACE,
  SESSION_REPOSITORY,
} from './tokens.js';
