/**
 * A process that does one of the `WRITES`, and stops for ever before one command of its transaction. Sends `paused`
 * then, or the number of `commands` when it has come to the end.
 */
import pg from 'pg';
import { postgresStorage, type PooledClient, type PostgresPool } from '../../../adapters/sql/postgresql/index.js';
import type { PostgresPlace } from '../../support/postgres.js';
import { WRITES } from './paused-writes.js';

const [place = '{}', name = '', command = '0'] = process.argv.slice(2);
const { url, schema } = JSON.parse(place) as PostgresPlace;
const pool = new pg.Pool({ connectionString: url });
let commands = 0;

function pausing(client: PooledClient): PooledClient {
  return {
    async query(statement) {
      commands += 1;
      if (commands === Number(command)) {
        process.send?.({ paused: statement.text });
        await new Promise(() => undefined);
      }
      return client.query(statement);
    },
    release: (close) => client.release(close),
    on: (event, listener) => client.on(event, listener),
    off: (event, listener) => client.off(event, listener),
  };
}

const pausingPool: PostgresPool = {
  connect: async () => pausing(await pool.connect()),
  on: (event, listener) => pool.on(event, listener),
};
const keeper = setInterval(() => undefined, 1_000);
await WRITES[name]?.(postgresStorage(pausingPool, { schema }));
process.send?.({ commands });
clearInterval(keeper);
await pool.end();
process.disconnect();
