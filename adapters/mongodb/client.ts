import { MongoClient } from 'mongodb';
import { FIRM_OPTIONS, LIMITS } from './connection-options.js';

const USUAL = { appName: 'automation-marketplace', heartbeatFrequencyMS: 2_000, ...LIMITS };
const FIRM = Object.entries(FIRM_OPTIONS).map(([name, value]) => `${name}=${value}`);
const FIRM_NAMES = namesOf(FIRM_OPTIONS);
const USUAL_NAMES = namesOf(USUAL);

/**
 * A client with settings that suit the repositories. Of the times and sizes those that the connection string names
 * count, but for 0, which the driver takes for no limit. It opens nothing until it is used, and stays its maker's to
 * close.
 */
export function newMongoClient(url: string): MongoClient {
  const [address = '', query = ''] = url.split('?');
  const counting = query.split('&').filter((option) => !FIRM_NAMES.has(nameOf(option)) && !isNoLimit(option));
  const named = new Set(counting.map(nameOf));
  const usual = Object.entries(USUAL).filter(([name]) => !named.has(name.toLowerCase()));
  return new MongoClient(`${address}?${[...counting, ...FIRM].join('&')}`, Object.fromEntries(usual));
}

function isNoLimit(option: string): boolean {
  return option.endsWith('=0') && USUAL_NAMES.has(nameOf(option));
}

/** Returns the name of an option, which a connection string has in any case. */
function nameOf(option: string): string {
  return (option.split('=')[0] ?? '').toLowerCase();
}

function namesOf(options: object): ReadonlySet<string> {
  return new Set(Object.keys(options).map((name) => name.toLowerCase()));
}
