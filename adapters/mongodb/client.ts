import { MongoClient, type MongoClientOptions } from 'mongodb';

/** In milliseconds: no wait on the database is longer. The driver's own defaults wait for ever on a server that hangs. */
const SETTINGS: MongoClientOptions = {
  appName: 'automation-marketplace',
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  socketTimeoutMS: 5_000,
  waitQueueTimeoutMS: 500,
  heartbeatFrequencyMS: 2_000,
  maxPoolSize: 20,
  retryReads: true,
  retryWrites: true,
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
};

/** A client with settings that suit the repositories. It opens nothing until it is used, and stays its maker's to close. */
export function newMongoClient(url: string): MongoClient {
  return new MongoClient(url, SETTINGS);
}
