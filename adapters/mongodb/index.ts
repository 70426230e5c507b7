/** Every repository over a MongoDB `Db` that the host has: a replica set or a sharded cluster. Run `prepareMongo(db)` once before. */
export { MongoApiKeyRepository } from './api-key-repository.js';
export { MongoAutomationRepository } from './automation-repository.js';
export { MongoCategoryRepository } from './category-repository.js';
export { newMongoClient } from './client.js';
export { noteCurrency, ping, prepareMongo } from './store.js';
