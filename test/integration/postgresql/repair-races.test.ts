import { expect } from 'chai';
import pg from 'pg';
import { setTimeout } from 'node:timers/promises';
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
