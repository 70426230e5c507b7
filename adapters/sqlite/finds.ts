import { BatchQueue } from '../../domain/batch-queue.js';
import type { SqliteDatabase } from './database.js';

const MAX_BATCH_SIZE = 500;

/**
 * Rows that are asked for side by side, found by one statement: to run one takes longer than to find a row. The
 * statement takes a JSON array of ids and answers one of rows, each of which begins with its id.
 */
export class Finds<Id extends string, Row extends readonly [id: Id, ...rest: unknown[]]> {
  readonly #asked: BatchQueue<Id, Row | undefined>;

  constructor(database: SqliteDatabase, sql: string) {
    const statement = database.prepare(sql).raw();
    this.#asked = new BatchQueue(async (ids) => {
      await Promise.resolve();
      const [json] = (await database.readOne(() => statement.get(JSON.stringify(ids)))) as [string];
      const found = new Map((JSON.parse(json) as Row[]).map((row) => [row[0], row]));
      return ids.map((id) => found.get(id));
    }, MAX_BATCH_SIZE);
  }

  /** Returns the row, read after this call; undefined when there is none. */
  find(id: Id): Promise<Row | undefined> {
    return this.#asked.ask(id);
  }
}
