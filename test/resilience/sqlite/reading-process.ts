/** A process that reports for each file which automations are on sale in it, and what its check finds. */
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { query, USD } from '../../contracts/offers.js';

/** What is in a store. */
export interface Content {
  readonly ids: readonly string[];
  readonly differences: readonly string[];
}

async function contentOf(file: string): Promise<Content> {
  const storage = sqliteStorage(file);
  await storage.prepare({ currency: USD });
  const found = await storage.check({ repair: false });
  const { items } = await storage.automations.list(query(1, 100));
  await storage.close();
  return { ids: items.map(({ id }) => id), differences: found.map(({ description }) => description) };
}

const contents: Content[] = [];
for (const file of process.argv.slice(2)) contents.push(await contentOf(file));
process.send?.(contents);
process.channel?.unref();
