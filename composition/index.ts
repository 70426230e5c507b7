/**
 * The composition for hosts with an inversify container of their own: load `coreModule`, a storage module, and what
 * else is wanted.
 * @module automation-marketplace/composition
 */
export { coreModule } from './modules/core.js';
export type { CoreOptions } from './modules/core.js';
export { storageModule } from './modules/storage.js';
export { inMemoryModule } from './modules/in-memory.js';
export { sqliteModule } from './modules/sqlite.js';
export { mongoModule } from './modules/mongodb.js';
export { oauthModule } from './modules/oauth.js';
export { httpModule } from './modules/http.js';
export {
  API_KEY_REPOSITORY,
  API_KEY_VERIFIER,
  AUDIT_LOG,
  AUDIT_TRAIL,
  AUTOMATION_ARCHIVE,
  AUTOMATION_RECORDS,
  AUTOMATION_REPOSITORY,
  AUTOMATION_TRANSFER,
  CATEGORY_REPOSITORY,
  DEVELOPER_ACCOUNTS,
  DEVELOPER_KEYS,
  DEVELOPER_REPOSITORY,
  DEVELOPER_SESSIONS,
  HTTP_APP,
  MAINTENANCE,
  MARKETPLACE,
  SESSION_REPOSITORY,
  STORAGE,
} from './tokens.js';
