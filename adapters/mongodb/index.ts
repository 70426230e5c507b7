/// <reference types="node" preserve="true" />
/**
 * Every repository over a MongoDB `Db` that the host has: a replica set or a sharded cluster. Run `prepareMongo(db)`
 * once before.
 * @module automation-marketplace/mongodb
 */
export { MongoApiKeyRepository } from './api-key-repository.js';
export { MongoAuditLog } from './audit-log.js';
export { MongoAutomationRepository } from './automation-repository.js';
export { MongoCategoryRepository } from './category-repository.js';
export { newMongoClient } from './client.js';
export { MongoDeveloperRepository } from './developer-repository.js';
export { MongoSessionRepository } from './session-repository.js';
export { recordCurrency, ping, prepareMongo } from './schema.js';
