import { expect } from 'chai';
import { describePostgres } from '../../support/postgres.js';
import { describeMongo } from '../../support/mongodb.js';
import { runMarket } from './market-run.js';
import { newPlace, removePlace, type Place } from '../../support/place.js';

const TITLE = 'shows lists of one state each, loses nothing and records all, though processes are killed';

/** H6 and H7, in their short form. */
function marketSuite(kind: Place['kind'], processes: number): void {
  it(`${kind}: a market that ${processes} processes change at once ${TITLE}`, async () => {
    const place = await newPlace(kind);
    const { figures, violations } = await runMarket(place, { processes, seconds: 15, killEach: 1.2 });
    console.log(`      ${kind} ${JSON.stringify(figures)}`);
    expect(violations).to.deep.equal([]);
    expect(figures['kills']).to.be.above(5);
    await removePlace(place);
  });
}

describe('A market in an SQLite file', () => marketSuite('SQLite', 2));
describeMongo('A market in MongoDB', () => marketSuite('MongoDB', 4));
describePostgres('A market in PostgreSQL', () => marketSuite('PostgreSQL', 4));
