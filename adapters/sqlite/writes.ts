import type { Currency } from '../../domain/currency.js';
import { apiKeyWrites } from './api-key-writes.js';
import { auditWrites } from './audit-writes.js';
import { automationWrites } from './automation-writes.js';
import { categoryWrites } from './category-writes.js';
import { firstRow, type Connection } from './connection.js';
import { developerWrites } from './developer-writes.js';
import { repairs } from './repairs.js';
import { sessionWrites } from './session-writes.js';
import { wordWrites } from './word-writes.js';

/** Everything that writes to a store, by its name. Each runs in a transaction of its own. */
export type Writes = ReturnType<typeof writesOf>;

/** Prepares the writes over a connection. */
export function writesOf(connection: Connection) {
  return {
    ...automationWrites(connection),
    ...categoryWrites(connection),
    ...apiKeyWrites(connection),
    ...developerWrites(connection),
    ...sessionWrites(connection),
    ...auditWrites(connection),
    ...settingWrites(connection),
    ...repairs(connection),
    ...wordWrites(connection),
  };
}

/** Writes for which no client waits. They may take long. */
export const UPKEEP: ReadonlySet<keyof Writes> = new Set([
  ...(['dropWords', 'keepWords', 'indexWords', 'reindexWords'] as const),
  ...(['repairCounts', 'repairChanges', 'repairSignInNames'] as const),
]);

function settingWrites(connection: Connection) {
  const insert = connection.prepare(`INSERT INTO settings VALUES ('currency', ?) ON CONFLICT DO NOTHING`);
  const find = connection.prepare(`SELECT value FROM settings WHERE name = 'currency'`).raw();
  return {
    /** Records a currency if there is none yet, and returns the recorded one. */
    recordCurrency(currency: Currency): Currency {
      insert.run(currency);
      const [recorded] = firstRow(find) as [Currency];
      return recorded;
    },
  };
}
