import { expect } from 'chai';
import type { AutomationId } from '../../../domain/automation.js';
import { searchTerms } from '../../../domain/search-terms.js';
import type { Storage } from '../../../domain/ports.js';
import {
  at,
  automationIdOf,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  query,
  revise,
  store,
  TOOLS,
  USD,
} from '../../contracts/offers.js';
import { describePostgres } from '../../support/postgres.js';
import { newPlace, openPlace, removePlace, type Place } from '../../support/place.js';
import { openRaw, type RawSql } from './raw-sql.js';

const CATEGORIES = [undefined, TOOLS, GAMES];
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

  /** Asserts that no call fails, and that everything is right after a check, also in a process that starts then. */
  const assertRepaired = async () => {
    const [one, other] = handles;
    for (const { automations } of handles)
      for (const category of CATEGORIES)
        for (const number of numbers(12)) await automations.list(query(number, 100, category));
    const added = [next, next + 1].map((n) => offer(n)) as [ReturnType<typeof offer>, ReturnType<typeof offer>];
    next += 2;
    await Promise.all([store(one.automations, added[0]), store(other.automations, added[1])]);
    await one.automations.withdraw(added[0].automation.id, { at: at(1), by: 'developer' });
    await one.check({ repair: true });
    const late = openPlace(place);
    for (const handle of [...handles, late]) await assertRight(raw, handle);
    expect(await other.check({ repair: false })).to.deep.equal([]);
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

/** Asserts that lists show the rows that are on sale, in the order of their numbers, and that a search finds them. */
async function assertRight(raw: RawSql, { automations, search }: Storage): Promise<void> {
  const rows = (await raw.rows(
    'SELECT id, category_id, title FROM {p}automations WHERE withdrawn_at IS NULL ORDER BY number DESC',
  )) as readonly { readonly id: AutomationId; readonly category_id: string; readonly title: string }[];
  for (const category of CATEGORIES) {
    const expected = rows.filter(({ category_id: id }) => category === undefined || id === category);
    const listed: string[] = [];
    for (const number of numbers(Math.ceil(expected.length / 100))) {
      const { items, total } = await automations.list(query(number, 100, category));
      expect(total).to.equal(expected.length);
      listed.push(...items.map(({ id }) => id));
    }
    expect(listed).to.deep.equal(expected.map(({ id }) => id));
  }
  const terms = searchTerms(rows[0]?.title ?? '');
  const page = { number: 1, limit: 100 } as const;
  const found = await search?.search({ page, order: 'newest', terms, status: 'on-sale' });
  expect(found?.items.map(({ automation }) => automation.id)).to.include(rows[0]?.id);
}

describe('An SQLite store that is edited by hand while it is used', () => repairSuite('SQLite'));
describePostgres('A PostgreSQL store that is edited by hand while it is used', () => repairSuite('PostgreSQL'));
