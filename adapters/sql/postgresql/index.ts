/**
 * A store in PostgreSQL: `postgresStorage(new pg.Pool({ connectionString }))`.
 * @module automation-marketplace-postgresql
 */
export { postgresStorage } from './storage.js';
export type { PostgresSettings } from './storage.js';
export type { PooledClient, PostgresPool, Statement, StatementResult } from './pool.js';
