/**
 * Every repository in one SQLite file, or in memory: `new SqliteAutomationRepository(new SqliteDatabase(':memory:'))`.
 * @module automation-marketplace/sqlite
 */
export { SqliteApiKeyRepository } from './api-key-repository.js';
export { SqliteAuditLog } from './audit-log.js';
export { SqliteAutomationRepository } from './automation-repository.js';
export { SqliteCategoryRepository } from './category-repository.js';
export { SqliteDatabase } from './database.js';
export { SqliteDeveloperRepository } from './developer-repository.js';
export { SqliteSessionRepository } from './session-repository.js';
