import { MongoClient, type MongoClientOptions } from 'mongodb';

/** In milliseconds: no wait on the database is longer. The driver's own defaults wait for ever on a server that hangs. */
const USUAL: MongoClientOptions = {
  appName: 'automation-marketplace',
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  socketTimeoutMS: 5_000,
  waitQueueTimeoutMS: 500,
  heartbeatFrequencyMS: 2_000,
  maxPoolSize: 20,
};

/** What the repositories' promises rest on; no connection string changes it. */
const FIRM: MongoClientOptions = {
  retryReads: true,
  retryWrites: true,
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
};

const USUAL_NAMES = new Set(Object.keys(USUAL).map((name) => name.toLowerCase()));
/** By what names a connection string would change what is firm, in lower case. */
const FIRM_NAMES = new Set(['retryreads', 'retrywrites', 'w', 'journal', 'readconcernlevel', 'readpreference']);

/**
 * A client with settings that suit the repositories. Of these times and sizes those that the connection string names count, but for 0, which
 * the driver takes for no limit. It opens nothing until it is used, and stays its maker's to close.
 */
export function newMongoClient(url: string): MongoClient {
  const [address = '', query = ''] = url.split('?');
  const counting = query.split('&').filter((option) => !FIRM_NAMES.has(nameOf(option)) && !isNoLimit(option));
  const named = new Set(counting.map(nameOf));
  const usual = Object.entries(USUAL).filter(([name]) => !named.has(name.toLowerCase()));
  return new MongoClient(`${address}?${counting.join('&')}`, { ...Object.fromEntries(usual), ...FIRM });
}

function isNoLimit(option: string): boolean {
  return option.endsWith('=0') && USUAL_NAMES.has(nameOf(option));
}

/** Of an option in a connection string, where it is in any case (https://www.mongodb.com/docs/manual/reference/connection-string-options/). */
function nameOf(option: string): string {
  return (option.split('=')[0] ?? '').toLowerCase();
}
