import { expect } from 'chai';
import pg from 'pg';
import { setTimeout } from 'node:timers/promises';
import { PostgresConnection } from '../../../adapters/sql/postgresql/connection.js';
import { searchTerms } from '../../../domain/search-terms.js';
import { automationIdOf, offer, USD } from '../../contracts/offers.js';
import { describePostgres, runSql } from '../../support/postgres.js';
import { openPostgres } from '../../support/postgres-storage.js';

describePostgres('A repair of the words in PostgreSQL', (newPlace) => {
  it('waits for a revision that is under way, and stores the words of the revised text', async () => {
    const place = await newPlace();
    const storage = openPostgres(place);
    await storage.prepare({ currency: USD });
    await storage.automations.add([offer(1)]);
    await runSql(place.url, `DELETE FROM "${place.schema}".words`);
    const other = new pg.Client(place.url);
    await other.connect();
    await other.query('BEGIN');
    await other.query(`UPDATE "${place.schema}".automations SET title = 'Revised meanwhile' WHERE id = $1`, [
      automationIdOf(1),
    ]);
    const repair = storage.check({ repair: true });
    await setTimeout(500);
    await other.query('COMMIT');
    await other.end();
    await repair;
    const page = { number: 1, limit: 10 };
    const found = await storage.search?.search({ page, order: 'newest', terms: searchTerms('revised meanwhile') });
    await storage.close();
    expect(found?.total).to.equal(1);
  });
});

describePostgres('The counts and the words of PostgreSQL', (newPlace) => {
  it('are repaired once when two processes repair at once', async () => {
    const place = await newPlace();
    const storages = [openPostgres(place), openPostgres(place)];
    const [one] = storages as [(typeof storages)[0]];
    await one.prepare({ currency: USD });
    await one.automations.add([offer(1), offer(2)]);
    await runSql(place.url, `DELETE FROM "${place.schema}".counts`);
    await Promise.all(storages.map((storage) => storage.check({ repair: true })));
    expect(await one.check({ repair: false })).to.deep.equal([]);
    await Promise.all(storages.map((storage) => storage.close()));
  });

  it('stay as they are in a search that runs while another process removes the index of words', async () => {
    const place = await newPlace();
    const [storage, off] = [openPostgres(place), openPostgres(place, { search: false })];
    await storage.prepare({ currency: USD });
    await storage.automations.add([offer(1)]);
    const pool = new pg.Pool({ connectionString: place.url });
    const connection = new PostgresConnection(pool, place.schema);
    const count = (table: string) => `SELECT count(*) AS count FROM "${place.schema}".${table}`;
    await connection.search(async (query) => {
      await query(count('settings'));
      await off.prepare({});
      expect(await query(count('words'))).to.deep.equal([{ count: 1 }]);
    });
    expect(await connection.query(count('words'))).to.deep.equal([{ count: 0 }]);
    await Promise.all([storage.close(), off.close(), pool.end()]);
  });
});
