import { MongoClient } from 'mongodb';
import { FIRM_OPTIONS, LIMITS } from './connection-options.js';

/** Connections that stay open: on a busy machine a new one takes longer than a call waits (`waitQueueTimeoutMS`). */
const MIN_POOL_SIZE = 4;

const USUAL = { appName: 'automation-marketplace', heartbeatFrequencyMS: 2_000, ...LIMITS };

/**
 * Returns a client with settings that suit the repositories. A connection string may name other times and sizes, but
 * for 0, which the driver takes for no limit. The client opens nothing until it is used, and stays its maker's to
 * close.
 */
export function newMongoClient(url: string): MongoClient {
  if (typeof url !== 'string')
    throw new TypeError('newMongoClient takes a connection string, such as mongodb://127.0.0.1');
  const [, query = ''] = url.split('?');
  const named = new URLSearchParams(query.toLowerCase());
  const usual = Object.entries(USUAL).filter(([name]) => ['0', null].includes(named.get(name.toLowerCase())));
  const ready = named.has('maxpoolsize') || named.has('minpoolsize') ? {} : { minPoolSize: MIN_POOL_SIZE };
  return new MongoClient(url, { ...Object.fromEntries(usual), ...ready, ...FIRM_OPTIONS });
}
