import { expect } from 'chai';
import pg from 'pg';
import { postgresStorage } from '../../../adapters/sql/postgresql/index.js';
import { whyUnsuitable } from '../../../adapters/sql/postgresql/requirements.js';
import { numbers, offer, USD } from '../../contracts/offers.js';
import { describePgBouncer } from '../../support/pgbouncer.js';
import { describePostgres, newPostgresPlace, runSql, type PostgresPlace } from '../../support/postgres.js';
import { openPostgres } from '../../support/postgres-storage.js';

const FIRST_PAGE = { page: { number: 1, limit: 20 } };

const failureOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

/** Uses a store from its first start to a check. */
async function useStore(place: PostgresPlace): Promise<void> {
  const storage = openPostgres(place);
  await storage.prepare({ currency: USD });
  await storage.automations.add(numbers(3).map((n) => offer(n)));
  expect((await storage.automations.list(FIRST_PAGE)).total).to.equal(3);
  expect(await storage.check({ repair: true })).to.deep.equal([]);
  await storage.close();
}

describePostgres('A new store in PostgreSQL', (newPlace) => {
  newStores(newPlace);

  it('names the statements that an administrator can run for a user without rights', async () => {
    const { url, schema } = await newPlace();
    const role = `role-${schema}`;
    await runSql(url, `CREATE ROLE "${role}" LOGIN PASSWORD 'secret'`);
    const [ofRole, missing] = [new URL(url), `missing-${schema}`];
    ofRole.username = role;
    ofRole.password = 'secret';
    for (const name of [schema, missing]) {
      const storage = openPostgres({ url: ofRole.href, schema: name });
      const { message } = (await failureOf(storage.prepare({ currency: USD }))) as Error;
      const [, statements = ''] = /may not create tables.* can allow it: (CREATE .*;)$/.exec(message) ?? [];
      await runSql(url, statements);
      await storage.close();
      await useStore({ url: ofRole.href, schema: name });
    }
    await runSql(url, `DROP OWNED BY "${role}"`, `DROP SCHEMA "${missing}"`, `DROP ROLE "${role}"`);
  });
});

describePostgres('A database of PostgreSQL that is not suitable', () => {
  it('is refused when its encoding is not UTF-8, with a statement that makes another one', async () => {
    const { url, schema } = await newPostgresPlace();
    const database = `latin-${schema}`;
    await runSql(url, `CREATE DATABASE "${database}" ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`);
    const latin = new URL(url);
    latin.pathname = database;
    const storage = openPostgres({ url: latin.href, schema });
    const { message } = (await failureOf(storage.prepare({ currency: USD }))) as Error;
    await storage.close();
    expect(message).to.include(`the database "${database}" has the encoding LATIN1`);
    const other = `utf8-${schema}`;
    await runSql(url, (/CREATE DATABASE .*;$/.exec(message)?.[0] ?? '').replace('...', `"${other}"`));
    latin.pathname = other;
    await useStore({ url: latin.href, schema });
    await runSql(url, `DROP DATABASE "${database}"`);
    await runSql(url, `DROP DATABASE "${other}"`);
  });

  it('is refused when the server is older than PostgreSQL 14', () => {
    const server = { encoding: 'UTF8', database: 'market' };
    expect(whyUnsuitable({ ...server, version: 130_014 })).to.match(/is PostgreSQL 13; .* 14 or later/);
    expect(whyUnsuitable({ ...server, version: 140_000 })).to.equal(undefined);
  });
});

describePgBouncer('A new store in PostgreSQL behind PgBouncer', (pooled) =>
  newStores(async () => ({ ...(await newPostgresPlace()), url: pooled() })),
);

function newStores(newPlace: () => Promise<PostgresPlace>): void {
  it('is made once when eight processes start at once', async () => {
    const place = await newPlace();
    const storages = numbers(8).map(() => openPostgres(place));
    await Promise.all(storages.map((storage) => storage.prepare({ currency: USD })));
    await storages[0]?.automations.add([offer(1)]);
    for (const storage of storages) {
      expect((await storage.automations.list(FIRST_PAGE)).total).to.equal(1);
      await storage.close();
    }
  });

  for (const schema of ['Market', `a "quoted" 'name'`, 'ü'.repeat(31)])
    it(`makes its schema, also with the name ${schema}`, async () => {
      const place = { ...(await newPlace()), schema };
      await useStore(place);
      await runSql(place.url, `DROP SCHEMA "${schema.replaceAll('"', '""')}" CASCADE`);
    });

  it('refuses a name of a schema that PostgreSQL would cut off', () => {
    for (const schema of ['', 'a'.repeat(64), 'ü'.repeat(32)])
      expect(() => postgresStorage(new pg.Pool(), { schema })).to.throw('63 bytes');
  });

  it('is refused when a newer version of the program has written it', async () => {
    const place = await newPlace();
    await useStore(place);
    await runSql(place.url, `UPDATE "${place.schema}".settings SET value = '2' WHERE name = 'schema'`);
    const storage = openPostgres(place);
    expect(String(await failureOf(storage.prepare({ currency: USD })))).to.equal(
      'Error: the store was written by a newer version of this program: its schema is 2, this program knows up to 1. ' +
        'Start the newer version, or restore a backup from before the upgrade.',
    );
    await storage.close();
  });
}
