/**
 * A store in one SQLite file, or in memory: `sqliteStorage(':memory:')`. The repositories can be used alone:
 * `new SqliteAutomationRepository(database)` after `prepareSqlite(database, { currency })`, where `database` is a
 * `new SqliteDatabase('market.db')`.
 * @module automation-marketplace/sqlite
 */
export { SqliteApiKeyRepository } from './api-key-repository.js';
export { SqliteAuditLog } from './audit-log.js';
export { SqliteAutomationArchive } from './automation-archive.js';
export { SqliteAutomationRepository } from './automation-repository.js';
export { SqliteCatalogueSearch } from './catalogue-search.js';
export { SqliteCategoryRepository } from './category-repository.js';
export { SqliteDatabase } from './database.js';
export type { SqliteSettings } from './database.js';
export { SqliteDeveloperRepository } from './developer-repository.js';
export { SqliteSessionRepository } from './session-repository.js';
export { prepareSqlite, sqliteStorage } from './storage.js';
export type { SqliteStorage } from './storage.js';
