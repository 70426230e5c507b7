import assert from 'node:assert/strict';
import type { Currency } from '../../domain/currency.js';
import { invitation } from './developers.js';
import { apiKey, assertConflict, hashOf } from './keys.js';
import {
  ADA,
  assertOnSale,
  at,
  auditEntry,
  automation,
  automationIdOf,
  GAMES,
  mixedOffers,
  numbers,
  revise,
  store,
  USD,
} from './offers.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';
import { assertUnavailable, closedPromises } from './storage-closed.js';
import { handlesPromises, type StorageHandles } from './storage-handles.js';

type Handles = Suite<StorageHandles>;

/** Declares what every `Storage` promises as a whole. `fresh` returns storages that are not prepared. */
export function storageContract(fresh: Fresh<StorageHandles>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(fresh, runner);
  const prepared = suiteOver(async () => {
    const handles = await fresh();
    await handles[0].prepare({ currency: USD });
    return handles;
  }, runner);
  suite.describe('Storage', () => {
    suite.describe('prepare', () => preparePromises(suite));
    suite.describe('ping', () => pingPromises(prepared));
    suite.describe('check', () => checkPromises(prepared));
    suite.describe('close', () => closedPromises(prepared));
    suite.describe('two handles on one store', () => handlesPromises(prepared));
  });
}

function preparePromises({ describe, it }: Handles): void {
  const created =
    'Creates what is missing, upgrades what an earlier version made, and records the currency at the first time';
  describe(created, () => {
    it('every port can be used', async ([one]) => {
      await one.prepare({ currency: USD });
      await assertOnSale(one.automations, await store(one.automations, ...mixedOffers(3)));
      await one.categories.save([{ id: GAMES, name: 'Games' }]);
      await one.keys.add(apiKey(1));
      await one.developers.invite(ADA, invitation(1), at(0));
      await one.sessions.add({ hash: hashOf(1), developerId: ADA, createdAt: at(0), until: at(1) });
      await one.auditLog.append([auditEntry(1)]);
      const { categories, keys, developers, auditLog } = one;
      const some = { limit: 10 };
      for (const list of [categories.list(), keys.list(some), developers.list(some), auditLog.list(some)])
        assert.equal((await list).length, 1);
    });
  });

  describe('May be repeated, also by several processes at once', () => {
    it('20 times at once, by two', async ([one, other]) => {
      await Promise.all(numbers(20).map((n) => (n % 2 === 0 ? one : other).prepare({ currency: USD })));
      await store(one.automations, ...mixedOffers(3));
    });

    it('again, and everything is still there', async ([one, other]) => {
      await one.prepare({ currency: USD });
      const stored = await store(one.automations, ...mixedOffers(3));
      await one.categories.save([{ id: GAMES, name: 'Games' }]);
      await one.auditLog.append([auditEntry(1)]);
      for (const handle of [one, other]) await handle.prepare({ currency: USD });
      for (const each of stored) assert.deepEqual(await other.automations.find(each.id), each);
      assert.deepEqual(await other.categories.list(), [{ id: GAMES, name: 'Games' }]);
      assert.deepEqual(await other.auditLog.list({ limit: 10 }), [auditEntry(1)]);
    });
  });

  describe(
    'Rejects with a `DomainError` of kind `conflict`, code `other-currency`, ' + 'when the store has another currency',
    () => {
      it('also through another handle, and the first one stays', async ([one, other]) => {
        await one.prepare({ currency: USD });
        for (const handle of [one, other])
          await assertConflict(handle.prepare({ currency: 'EUR' as Currency }), 'other-currency');
        await other.prepare({ currency: USD });
      });
    },
  );
}

function pingPromises({ describe, it }: Handles): void {
  describe('Resolves when the store can be reached. Rejects as `unavailable` otherwise', () => {
    it('twice, by each', async ([one, other]) => {
      for (const handle of [one, other, one, other]) await handle.ping();
    });

    it('closed', async ([one]) => {
      await one.close();
      await assertUnavailable(one.ping(), 'ping');
    });
  });
}

function checkPromises({ describe, it }: Handles): void {
  describe(
    'Counts again everything that is derived from the automations, while the store is in use, ' +
      'and returns what differed',
    () => {
      for (const repair of [false, true]) {
        it(`nothing of an empty store${repair ? ', with repair' : ''}`, async ([one]) => {
          assert.deepEqual(await one.check({ repair }), []);
        });

        it(`nothing after every kind of change${repair ? ', with repair' : ''}`, async ([one, other]) => {
          const stored = await store(one.automations, ...mixedOffers(500));
          for (const n of [1, 2, 250, 500]) await other.automations.withdraw(automationIdOf(n), { at: at(n) });
          for (const index of [4, 299])
            await revise(one.automations, stored[index] ?? automation(0), { categoryId: GAMES });
          assert.deepEqual(await one.check({ repair }), []);
          assert.deepEqual(await other.check({ repair }), []);
          assert.equal((await other.automations.list({ page: { number: 1, limit: 1 } })).total, 496);
        });
      }

      it('nothing, while automations are added, revised and withdrawn', async ([one, other]) => {
        const stored = await store(one.automations, ...mixedOffers(40));
        const adding = store(other.automations, ...mixedOffers(80).slice(40));
        const changing = stored.map(async (each, index) => {
          if (index % 2 === 0) await one.automations.withdraw(each.id, { at: at(1) });
          else await revise(other.automations, each, { categoryId: GAMES });
        });
        const checking = Promise.all([one.check({ repair: true }), other.check({ repair: false })]);
        await Promise.all([adding, ...changing]);
        assert.deepEqual(await checking, [[], []]);
        assert.equal((await one.automations.list({ page: { number: 1, limit: 1 } })).total, 60);
      });
    },
  );
}
