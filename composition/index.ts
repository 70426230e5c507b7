/** The composition for hosts with an inversify container of their own: load `coreModule`, a storage module, and what else is wanted. */
export { mongoModule } from './mongo-module.js';
export { oauthModule } from './oauth-module.js';
export { httpModule } from './http-module.js';
export { coreModule, inMemoryModule, sqliteModule } from './modules.js';
export {
  API_KEY_REPOSITORY,
  API_KEY_VERIFIER,
  AUTOMATION_REPOSITORY,
  CATEGORY_REPOSITORY,
  DEVELOPER_KEYS,
  HTTP_APP,
  MARKETPLACE,
} from './tokens.js';
