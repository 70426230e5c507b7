import type { Db } from 'mongodb';
import { collectionsOf } from '../../adapters/mongodb/collections.js';
import type { KeptQuery } from '../../adapters/storage/page-cache.js';

/** Reads a page and its total as is usually done: it skips and counts, with an index that suits it. */
export type Peer = (query: KeptQuery) => Promise<unknown>;

export function sqlPeer(query: (sql: string, values: string[]) => Promise<unknown>, prefix: string): Peer {
  return ({ page, category }) => {
    const values = category === undefined ? [] : [category];
    const from = `FROM ${prefix}automations WHERE withdrawn_at IS NULL ${category ? 'AND category_id = $1' : ''}`;
    const part = `LIMIT ${page.limit} OFFSET ${(page.number - 1) * page.limit}`;
    return Promise.all([
      query(`SELECT id, title, price, currency ${from} ORDER BY number DESC ${part}`, values),
      query(`SELECT count(*) AS total ${from}`, values),
    ]);
  };
}

export function mongoPeer(db: Db): Peer {
  const { automations } = collectionsOf(db);
  return ({ page, category }) => {
    const filter = { on_sale: true as const, ...(category && { category_id: category }) };
    const found = automations.find(filter).sort({ seq: -1 });
    return Promise.all([
      found
        .skip((page.number - 1) * page.limit)
        .limit(page.limit)
        .toArray(),
      automations.countDocuments(filter),
    ]);
  };
}
