import { expect } from 'chai';
import type { Storage } from '../../../domain/ports.js';
import { at, automationIdOf, GAMES, mixedOffers, query, revise, store, TOOLS, USD } from '../../contracts/offers.js';
import { describePostgres } from '../../support/postgres.js';
import { newPlace, openPlace, removePlace, type Place } from '../../support/place.js';
import { openRaw, type RawSql } from './raw-sql.js';
import { assertGoesOn, assertRight } from './right-store.js';

const STATES = ['older', 'newer'] as const;

/** Changes by hand that no trigger follows. */
const DAMAGES: Readonly<Record<string, readonly string[]>> = {
  'rows removed': ['DELETE FROM {p}automations WHERE number IN (2, 5, 6, 300, 1050)'],
  'all rows of a block removed': ['DELETE FROM {p}automations WHERE number >= 256 AND number < 512'],
  'a row moved far ahead': ['UPDATE {p}automations SET number = 40000 WHERE number = 20'],
  'categories changed': [`UPDATE {p}automations SET category_id = '${TOOLS}' WHERE number < 100`],
  withdrawals: ["UPDATE {p}automations SET withdrawn_at = 1, withdrawn_by = 'operator' WHERE number IN (30, 31, 600)"],
  'counts deleted': ['DELETE FROM {p}counts'],
  'one size of counts deleted': ['DELETE FROM {p}counts WHERE size = 256'],
  'counts that are wrong': ['UPDATE {p}counts SET on_sale = on_sale + 3'],
  'counts below zero': ['UPDATE {p}counts SET on_sale = -5 WHERE block = 1'],
  'counts that are absurd': ['UPDATE {p}counts SET on_sale = 9000000000000000 WHERE block = 0'],
  'counts of blocks that are not there': [
    `INSERT INTO {p}counts (size, category_id, block, on_sale) VALUES (256, '', 900000, 7), (16384, '${GAMES}', -3, 7)`,
  ],
  'titles changed': ["UPDATE {p}automations SET title = 'Edited by hand' WHERE number < 50"],
};

/** H1 and H2. */
function repairSuite(kind: Place['kind']): void {
  let place: Place;
  let raw: RawSql;
  let handles: readonly [Storage, Storage];
  let next = 2_000;

  before(async () => {
    place = await newPlace(kind);
    handles = [openPlace(place), openPlace(place)];
    raw = openRaw(place);
    await fill(...handles, raw);
  });
  after(async () => {
    for (const handle of handles) await handle.close();
    await raw.close();
    await removePlace(place);
  });

  const restore = (rows: string, counts: string) =>
    raw.run(
      ...['DELETE FROM {p}automations', `INSERT INTO {p}automations SELECT * FROM {p}automations_${rows}`],
      'DELETE FROM {p}counts',
      ...(counts === 'missing' ? [] : [`INSERT INTO {p}counts SELECT * FROM {p}counts_${counts}`]),
    );

  const assertRepaired = async () => {
    await assertGoesOn(handles, next);
    next += 2;
    await handles[0].check({ repair: true });
    const late = openPlace(place);
    for (const handle of [...handles, late]) await assertRight(raw, handle);
    expect(await handles[1].check({ repair: false })).to.deep.equal([]);
    await late.close();
  };

  for (const rows of STATES)
    for (const counts of [...STATES, 'missing'] as const)
      it(`${kind}: is right after a restore of ${rows} rows and ${counts} counts, and a check`, async () => {
        await restore(rows, counts);
        await assertRepaired();
      });

  for (const [damage, statements] of Object.entries(DAMAGES))
    it(`${kind}: is right after ${damage} by hand, and a check`, async () => {
      await restore('newer', 'newer');
      for (const handle of handles) await handle.check({ repair: true });
      for (const { automations } of handles) await automations.list(query(1, 1));
      await raw.run(...statements);
      expect(await handles[1].check({ repair: false })).not.to.deep.equal([]);
      await assertRepaired();
    });
}

/** Stores 700 automations, keeps the tables as they are then as `older`, then 400 more, kept as `newer`. */
async function fill(one: Storage, other: Storage, raw: RawSql): Promise<void> {
  const keep = (name: string) =>
    raw.run(
      ...['automations', 'counts'].map((table) => `CREATE TABLE {p}${table}_${name} AS SELECT * FROM {p}${table}`),
    );
  await one.prepare({ currency: USD });
  const stored = await store(one.automations, ...mixedOffers(350));
  await store(other.automations, ...mixedOffers(700).slice(350));
  for (const n of [3, 200, 300, 699])
    await other.automations.withdraw(automationIdOf(n), { at: at(1), by: 'developer' });
  await keep('older');
  await store(other.automations, ...mixedOffers(1_100).slice(700));
  for (const n of [4, 201, 1_000]) await one.automations.withdraw(automationIdOf(n), { at: at(1), by: 'operator' });
  for (const n of [5, 340]) {
    const automation = stored[n - 1];
    if (automation !== undefined) await revise(other.automations, automation, { categoryId: GAMES });
  }
  await keep('newer');
}

describe('An SQLite store that is edited by hand while it is used', () => repairSuite('SQLite'));
describePostgres('A PostgreSQL store that is edited by hand while it is used', () => repairSuite('PostgreSQL'));
