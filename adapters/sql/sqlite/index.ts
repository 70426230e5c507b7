/**
 * A store in one SQLite file: `sqliteStorage('market.db')`.
 * @module automation-marketplace-sqlite
 */
export { sqliteStorage } from './storage.js';
export type { SqliteStorage } from './storage.js';
export type { SqlSettings as SqliteSettings } from '../storage.js';
export { restoreStore } from './restore.js';
