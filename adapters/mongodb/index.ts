/// <reference types="node" preserve="true" />
/**
 * A store in a MongoDB `Db` that the host has, in a replica set or a sharded cluster: as a whole, or port by port after
 * `prepareMongo(db)`.
 * @module automation-marketplace-mongodb
 */
export { MongoApiKeyRepository } from './api-key-repository.js';
export { MongoAuditLog } from './audit-log.js';
export { MongoAutomationArchive } from './automation-archive.js';
export { MongoAutomationRepository } from './automation-repository.js';
export { MongoCatalogueSearch } from './catalogue-search.js';
export { MongoCategoryRepository } from './category-repository.js';
export { newMongoClient } from './client.js';
export { MongoDeveloperRepository } from './developer-repository.js';
export { MongoOAuthRecords } from './oauth-records.js';
export { MongoReportRepository } from './report-repository.js';
export { MongoSessionRepository } from './session-repository.js';
export { recordCurrency, ping, prepareMongo } from './schema.js';
export { mongoStorage } from './storage.js';
export type { AnyDb } from './any-db.js';
export type { MongoStorageSettings } from './schema.js';
export type { MongoStorage } from './storage.js';
