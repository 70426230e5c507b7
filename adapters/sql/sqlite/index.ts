/**
 * A store in one SQLite file: `sqliteStorage('market.db')`.
 * @module automation-marketplace-sqlite
 */
export { sqliteStorage } from './storage.js';
export type { SqliteSettings, SqliteStorage } from './storage.js';
export { restoreStore } from './restore.js';
