import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { ArchivedAutomation, ScanQuery } from '../../domain/ports.js';
import { assertScanned, partsOf, type ArchivedStore } from './archives.js';
import {
  addOne,
  ADA,
  at,
  automation,
  automationIdOf,
  BOB,
  GAMES,
  LONGEST_DEVELOPER,
  mixedOffers,
  numbers,
  offer,
  revise,
  store,
  storeMany,
  storeWhile,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';

type Archive = Suite<ArchivedStore>;

const ORDERS = ['oldest-first', 'newest-first'] as const;

const archived = (one: Automation): ArchivedAutomation => ({ automation: one });

/** Adds this number of automations, every third Bob's, and withdraws some of them with a reason, others without. */
async function fill(
  { automations }: ArchivedStore,
  count: number,
  isWithdrawn: (n: number) => boolean,
): Promise<readonly ArchivedAutomation[]> {
  const offers = numbers(count).map((n) =>
    offer(n, { createdAt: at(-n), ...(n % 3 === 0 && { developerId: BOB, categoryId: GAMES }) }),
  );
  const stored = (await storeMany(automations, offers)).map(archived);
  for (const n of numbers(count).filter(isWithdrawn)) {
    const withdrawn = withdrawal(n, n % 2 === 0 ? { by: 'operator', reason: `Reason ${n}` } : {});
    assert.equal(await automations.withdraw(automationIdOf(n), withdrawn), 'withdrawn');
    stored[n - 1] = { automation: (stored[n - 1] ?? assert.fail()).automation, withdrawn };
  }
  return stored;
}

/** Asserts what each developer and each status has. */
async function assertEachScanned(
  subject: ArchivedStore,
  all: readonly ArchivedAutomation[],
  limits?: number[],
): Promise<void> {
  for (const developerId of [undefined, ADA, BOB])
    for (const status of [undefined, 'on-sale', 'withdrawn'] as const) {
      const matching = all.filter(
        (one) =>
          (developerId === undefined || one.automation.developerId === developerId) &&
          (status === undefined || (status === 'withdrawn') === (one.withdrawn !== undefined)),
      );
      const wanted = { ...(developerId && { developerId }), ...(status && { status }) };
      await assertScanned(subject, wanted, matching, limits);
    }
}

export function scanPromises(suite: Archive): void {
  parts(suite);
  meanwhile(suite);
  places(suite);
}

function parts({ describe, it }: Archive): void {
  describe(
    'Returns a part of the automations that match, in the order of the market or its reverse; ' +
      'at most `limit` of them, and fewer only at the end',
    () => {
      it('none', (subject) => assertEachScanned(subject, []));

      it('of each developer and status, field for field, whatever their `createdAt`', async (subject) => {
        await assertEachScanned(subject, await fill(subject, 20, (n) => n % 4 < 2));
      });

      it('without what was withdrawn, also when it was many in a row', async (subject) => {
        const withdrawn = [1, 3, ...numbers(15).map((n) => n + 7), 30];
        await assertEachScanned(subject, await fill(subject, 30, (n) => withdrawn.includes(n)));
      });

      it('1,001 of them', async (subject) => {
        const stored = await storeMany(subject.automations, mixedOffers(1_001));
        for (const wanted of [{}, { developerId: ADA }, { developerId: ADA, status: 'on-sale' as const }])
          await assertScanned(subject, wanted, stored.map(archived), [101, 1_000]);
      });

      it('what was not stored is not in it', async (subject) => {
        await addOne(subject.automations, offer(1, { key: 'key' }));
        await addOne(subject.automations, offer(2, { key: 'key' }));
        await addOne(subject.automations, offer(1, { developerId: BOB }));
        await assertEachScanned(subject, [archived(automation(1))]);
      });

      it('a revised one, as it is now, in its place', async (subject) => {
        const stored = await store(subject.automations, ...mixedOffers(5));
        const { automation: revised } = await revise(subject.automations, stored[2] ?? automation(0), {
          title: 'Revised',
          categoryId: GAMES,
          updatedAt: at(9),
        });
        await assertEachScanned(
          subject,
          stored.map((one) => archived(one.id === revised.id ? revised : one)),
        );
      });

      it('none of a developer whose id is nearly that one', async (subject) => {
        await fill(subject, 6, (n) => n > 3);
        for (const id of ['ad', 'ada-b', 'ADA', 'Bob', LONGEST_DEVELOPER, '', '\uD800', 'ada\uD800', 'ada\0'])
          for (const order of ORDERS)
            assert.deepEqual(await subject.archive.scan({ developerId: id as DeveloperId, order, limit: 10 }), []);
      });
    },
  );
}

function meanwhile({ describe, it }: Archive): void {
  describe('Calls that overlap have the outcome of some order of them', () => {
    it('others are stored and withdrawn meanwhile: each once, and none left out that stays', async (subject) => {
      const { automations } = subject;
      const first = await store(automations, ...mixedOffers(20));
      const stay = first.filter((_, index) => index % 4 !== 0);
      const late = numbers(20).map((n) => offer(20 + n));
      const all = [...first, ...late.map((one) => one.automation)];
      const read = async () => {
        for (const order of ORDERS) {
          const found = (await partsOf(subject, { status: 'on-sale', order }, 3)).flat();
          const seen = new Set(found.map((one) => one.automation.id));
          const expected = all.filter(({ id }) => seen.has(id));
          const oldestFirst = order === 'oldest-first' ? found : found.toReversed();
          assert.deepEqual(oldestFirst, expected.map(archived), 'in order, each once');
          for (const { id } of stay) assert.ok(seen.has(id), 'none is left out');
        }
      };
      const withdrawing = async () => {
        for (const { id } of first.filter((_, index) => index % 4 === 0)) await automations.withdraw(id, withdrawal(1));
      };
      await Promise.all([withdrawing(), storeWhile(read, automations, late)]);
      const onSale = [...stay, ...late.map((one) => one.automation)];
      await assertScanned(subject, { status: 'on-sale' }, onSale.map(archived));
    });
  });
}

function places({ describe, it }: Archive): void {
  const after = ({ archive }: ArchivedStore, n: number, wanted: Partial<ScanQuery>) =>
    archive.scan({ order: 'oldest-first', limit: 100, after: automationIdOf(n), ...wanted });

  describe(
    'With `after`, those that come after that automation in this order, also when it was withdrawn; ' +
      "none when it is unknown, or another developer's than the one named",
    () => {
      it('whatever its status is', async (subject) => {
        const all = await fill(subject, 10, (n) => [1, 3, 4, 6, 10].includes(n));
        for (const status of ['on-sale', 'withdrawn'] as const)
          for (const [index] of all.entries()) {
            const isWanted = (one: ArchivedAutomation) => (status === 'withdrawn') === (one.withdrawn !== undefined);
            const later = all.slice(index + 1).filter(isWanted);
            const earlier = all.slice(0, index).filter(isWanted).reverse();
            assert.deepEqual(await after(subject, index + 1, { status }), later);
            assert.deepEqual(await after(subject, index + 1, { status, order: 'newest-first' }), earlier);
          }
      });

      it('of one developer, one that was withdrawn and one that was revised', async (subject) => {
        const all = await fill(subject, 9, (n) => n === 4);
        const one = (all[4] ?? assert.fail()).automation;
        const { automation: revised } = await revise(subject.automations, one, { title: 'Revised', categoryId: GAMES });
        const [first, second, third, , , , seventh, eighth] = all;
        const wanted = { developerId: ADA, status: 'on-sale' as const };
        assert.deepEqual(await after(subject, 4, wanted), [archived(revised), seventh, eighth]);
        assert.deepEqual(await after(subject, 5, { ...wanted, order: 'newest-first' }), [second, first]);
        assert.deepEqual(await after(subject, 3, { developerId: BOB }), [all[5], all[8]]);
        assert.equal(third?.automation.developerId, BOB);
      });

      it('what comes later is found by the next call', async (subject) => {
        await store(subject.automations, offer(1));
        assert.deepEqual(await after(subject, 1, {}), []);
        const later = await store(subject.automations, offer(2), offer(3, { categoryId: GAMES }));
        assert.deepEqual(await after(subject, 1, {}), later.map(archived));
      });

      it('of the last, of an unknown one, and of one of another developer, none', async (subject) => {
        await fill(subject, 6, (n) => n === 2);
        for (const order of ORDERS) {
          assert.deepEqual(await after(subject, order === 'oldest-first' ? 6 : 1, { order }), []);
          assert.deepEqual(await after(subject, 99, { order }), []);
          for (const id of ['', '\uD800', `${automationIdOf(2)}\uD800`] as AutomationId[])
            assert.deepEqual(await subject.archive.scan({ order, limit: 100, after: id }), []);
          assert.deepEqual(await after(subject, 3, { order, developerId: ADA }), []);
          assert.deepEqual(await after(subject, 2, { order, developerId: BOB }), []);
        }
      });
    },
  );
}
