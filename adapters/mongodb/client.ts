import { MongoClient } from 'mongodb';
import { FIRM_OPTIONS, LIMITS } from './connection-options.js';

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
  return new MongoClient(url, { ...Object.fromEntries(usual), ...FIRM_OPTIONS });
}
