import { expect } from 'chai';
import Libsql from 'libsql';
import { derivedOf } from '../../../adapters/sql/schema.js';
import { postgresDialect } from '../../../adapters/sql/postgresql/dialect.js';
import { SQLITE } from '../../../adapters/sql/sqlite/dialect.js';
import type { DerivedObject } from '../../../adapters/sql/dialect.js';
import type { Storage } from '../../../application/index.js';
import { searchTerms } from '../../../domain/search-terms.js';
import { numbers, offer, query, USD } from '../../contracts/offers.js';
import { newPlace, openPlace, removePlace, type Place } from '../../support/place.js';
import { describePostgres, runSql } from '../../support/postgres.js';

const COUNT = 60;
/** Returns words that no other automation has, so that the index has many pages. */
const wordsOf = (n: number) =>
  numbers(100)
    .map((i) => `w${n}x${i}`)
    .join(' ');

/** Returns the statements that remove an object. */
function removing({ kind, name }: DerivedObject, prefix: string): string {
  const on = kind === 'trigger' && prefix !== '' ? ` ON ${prefix}automations` : '';
  const cascade = kind === 'function' ? ' CASCADE' : '';
  return `DROP ${kind} ${kind === 'trigger' ? '' : prefix}${name}${on}${cascade}`;
}

/** Damage of the tables that SQLite keeps the index of words in. */
const SHADOW_TABLES = ['data', 'idx', 'content', 'docsize', 'config'].flatMap((part) => [
  `DELETE FROM words_${part}`,
  `DROP TABLE words_${part}`,
]);

function suite(kind: 'SQLite' | 'PostgreSQL'): void {
  let place: Place;
  let storage: Storage;
  let next = 0;
  before(async () => {
    place = await newPlace(kind);
    storage = openPlace(place);
    await storage.prepare({ currency: USD });
    await storage.automations.add(numbers(COUNT).map((n) => offer(n, { description: wordsOf(n) })));
    next = COUNT;
  });
  after(async () => {
    await storage.close();
    await removePlace(place);
  });

  const run = async (sql: string) => {
    if (place.kind === 'PostgreSQL') await runSql(place.url, sql);
    if (place.kind !== 'SQLite') return;
    const database = new Libsql(place.file, { timeout: 5_000 });
    database.exec(sql);
    database.close();
  };
  const add = () => storage.automations.add([offer((next += 1))]);
  const found = async () => {
    const page = { number: 1, limit: 1 } as const;
    return (await storage.search?.search({ page, order: 'newest', terms: searchTerms('automation') }))?.total;
  };

  /** Asserts that a check names it, that a repair makes it, and that everything works and is counted then. */
  const assertRepaired = async (damage: string, named: RegExp) => {
    await run(damage);
    const told = await storage.check({ repair: false });
    expect(told.map(({ description }) => description).join('\n')).to.match(named);
    expect(told.filter(({ repaired }) => repaired)).to.deep.equal([]);
    await add().catch(() => undefined);
    const repaired = await storage.check({ repair: true });
    expect(repaired.map(({ description }) => description).join('\n')).to.match(named);
    expect(repaired.filter((one) => !one.repaired)).to.deep.equal([]);
    await add();
    const rows = (await storage.archive.scan({ order: 'newest-first', limit: 500 })).length;
    expect([(await storage.automations.list(query(1, 1))).total, await found()]).to.deep.equal([rows, rows]);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
  };

  const dialect = kind === 'SQLite' ? SQLITE : postgresDialect('a schema');
  for (const object of derivedOf(dialect))
    it(`${kind}: the ${object.kind} ${object.name} is named when it is gone, made and filled`, async () => {
      const prefix = place.kind === 'PostgreSQL' ? `"${place.schema}".` : '';
      await assertRepaired(removing(object, prefix), new RegExp(`the ${object.kind} ${object.name} is missing`));
    });

  if (kind === 'PostgreSQL')
    it('PostgreSQL: a trigger that is switched off is as good as none', async () => {
      const schema = place.kind === 'PostgreSQL' ? place.schema : '';
      const off = `ALTER TABLE "${schema}".automations DISABLE TRIGGER count_insert`;
      await assertRepaired(off, /the trigger count_insert is missing/);
    });

  if (kind === 'SQLite')
    for (const damage of SHADOW_TABLES)
      it(`SQLite: an index of words is made again after ${damage}`, async () => {
        await assertRepaired(damage, /the index of words is damaged|the search index has other words/);
      });

  it(`${kind}: a unique index that rows forbid is named, with the reason`, async () => {
    const prefix = place.kind === 'PostgreSQL' ? `"${place.schema}".` : '';
    await run(`DROP INDEX ${prefix}idempotency_keys`);
    const both = `idempotency_key = 'one', developer_id = 'ada' WHERE number IN (1, 2)`;
    await run(`UPDATE ${prefix}automations SET ${both}`);
    const [told] = await storage.check({ repair: true });
    expect(told).to.include({ repaired: false });
    expect(told?.description).to.match(/^the index idempotency_keys is missing, and cannot be made: .+/);
    await run(`UPDATE ${prefix}automations SET idempotency_key = NULL`);
    expect((await storage.check({ repair: true }))[0]).to.deep.equal({
      description: 'the index idempotency_keys is missing',
      repaired: true,
    });
  });
}

describe('What is derived in an SQLite store, removed by hand', () => suite('SQLite'));
describePostgres('What is derived in a PostgreSQL store, removed by hand', () => suite('PostgreSQL'));
