/**
 * A store in the memory of one process: for tests, and for a host that keeps nothing.
 * @module automation-marketplace/in-memory
 */
export { InMemoryApiKeyRepository } from './api-key-repository.js';
export { InMemoryApiKeyVerifier } from './api-key-verifier.js';
export { InMemoryAuditLog } from './audit-log.js';
export { InMemoryAutomationRepository } from './automation-repository.js';
export type { InMemorySettings } from './automation-repository.js';
export { InMemoryCategoryRepository } from './category-repository.js';
export { InMemoryDeveloperRepository } from './developer-repository.js';
export { InMemoryOAuthRecords } from './oauth-records.js';
export { InMemorySessionRepository } from './session-repository.js';
export type { InMemoryStorage } from './storage.js';
export { inMemoryStorage } from './storage.js';
