import type { Currency } from '../../domain/currency.js';
import { notPrepared } from '../../domain/errors.js';
import { apiKeyWrites } from './api-key-writes.js';
import { auditWrites } from './audit-writes.js';
import { automationWrites } from './automation-writes.js';
import { categoryWrites } from './category-writes.js';
import { firstRow, type Connection } from './connection.js';
import { developerWrites } from './developer-writes.js';
import { repairs } from './repairs.js';
import { sessionWrites } from './session-writes.js';
import { wordWrites } from './word-writes.js';

/** Finds the currency, which the preparation of a store records. */
export const FIND_CURRENCY = `SELECT value FROM settings WHERE name = 'currency'`;

/** Everything that writes to a store, by its name. Each runs in a transaction of its own. */
export type Writes = ReturnType<typeof writesOf>;

/** Prepares the writes over a connection: those of the ports, and those that a store is kept with. */
export function writesOf(connection: Connection) {
  return { ...portWrites(connection), ...upkeepWrites(connection) };
}

/** Prepares the same writes for a file. Those of the ports are refused until the store is prepared. */
export function writesOfFile(connection: Connection) {
  return { ...oncePrepared(connection, portWrites(connection)), ...upkeepWrites(connection) };
}

function portWrites(connection: Connection) {
  return {
    ...automationWrites(connection),
    ...categoryWrites(connection),
    ...apiKeyWrites(connection),
    ...developerWrites(connection),
    ...sessionWrites(connection),
    ...auditWrites(connection),
  };
}

/** Writes for which no client waits. They may take long. */
export const UPKEEP: ReadonlySet<keyof Writes> = new Set([
  ...(['dropWords', 'keepWords', 'indexWords', 'reindexWords'] as const),
  ...(['repairCounts', 'repairChanges', 'repairSignInNames'] as const),
]);

function upkeepWrites(connection: Connection) {
  return { ...settingWrites(connection), ...repairs(connection), ...wordWrites(connection) };
}

/** Returns the same writes. They are refused until the store has a currency, which is looked up until then. */
function oncePrepared<Ports extends Record<string, (...args: never) => unknown>>(
  connection: Connection,
  ports: Ports,
): Ports {
  const currency = connection.prepare(FIND_CURRENCY).raw();
  let isPrepared = false;
  const call = 'prepare({ currency }) of the storage, or prepareSqlite(database, { currency })';
  const guarded = Object.entries(ports).map(([name, write]) => [
    name,
    (...args: never) => {
      isPrepared ||= firstRow(currency) !== undefined;
      if (!isPrepared) throw notPrepared(call);
      return write(...args);
    },
  ]);
  return Object.fromEntries(guarded) as Ports;
}

function settingWrites(connection: Connection) {
  const insert = connection.prepare(`INSERT INTO settings VALUES ('currency', ?) ON CONFLICT DO NOTHING`);
  const find = connection.prepare(FIND_CURRENCY).raw();
  return {
    /** Records a currency if there is none yet, and returns the recorded one. */
    recordCurrency(currency: Currency): Currency {
      insert.run(currency);
      const [recorded] = firstRow(find) as [Currency];
      return recorded;
    },
  };
}
