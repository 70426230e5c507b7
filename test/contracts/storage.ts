import assert from './assert.js';
import { DEFAULT_CURRENCY } from '../../domain/currency.js';
import { requireOptions } from '../../domain/options.js';
import { minorUnits } from '../../domain/price.js';
import { assertConflict } from './keys.js';
import {
  assertOnSale,
  auditEntry,
  automation,
  automationIdOf,
  EUR,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  revise,
  revision,
  store,
  USD,
  withdrawal,
} from './offers.js';
import { ownParts } from './own-parts.js';
import { recordHandlePromises } from './records-handles.js';
import type { Storage } from '../../domain/ports.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';
import { strangeIds } from './strange-ids.js';
import { assertUnavailable, closedPromises } from './storage-closed.js';
import { handlesPromises, type StorageHandles } from './storage-handles.js';
import { assertCounts, FIRST_WRITES, unpreparedPromises } from './storage-unprepared.js';

type Handles = Suite<StorageHandles>;

/** What else the suite of a storage can do. */
export interface StorageSuiteOptions {
  /** Makes something wrong that the store derives from its automations. Without it, no damage is tested. */
  readonly damage?: ((handles: StorageHandles) => Promise<void>) | undefined;
  /** The parts that are not the storage's own, such as ours in memory: what needs one is left out, and printed. */
  readonly without?: readonly (keyof Storage)[] | undefined;
}

/** Declares what every `Storage` promises as a whole. `fresh` returns storages that are not prepared. */
export function storageContract(
  fresh: Fresh<StorageHandles>,
  runner: Runner = globalRunner(),
  options: StorageSuiteOptions = {},
): void {
  requireOptions('storageContract', options, { damage: true, without: true });
  const own: Fresh<StorageHandles> = async (onEnd) => ownParts(await fresh(onEnd), options.without);
  const suite = suiteOver(own, runner);
  const prepared = suiteOver<StorageHandles>(async (onEnd) => {
    const handles = await own(onEnd);
    await handles[0].prepare({ currency: USD });
    return handles;
  }, runner);
  suite.describe('Storage', () => {
    openingPromises(suite, prepared);
    const { damage } = options;
    if (damage !== undefined) suite.describe('check', () => damagePromises(prepared, damage));
    openPromises(prepared);
  });
}

/** What a storage promises when it is prepared and closed. */
export function openingPromises(unprepared: Handles, prepared: Handles): void {
  const { describe } = unprepared;
  describe('prepare', () => {
    preparePromises(unprepared);
    unpreparedPromises(unprepared);
  });
  describe('ping', () => pingPromises(prepared));
  describe('close', () => closedPromises(prepared));
}

/** What a storage promises while it is open: no test of these prepares or closes its handles. */
export function openPromises(prepared: Handles): void {
  const { describe } = prepared;
  describe('supports', () => supportPromises(prepared));
  describe('check', () => checkPromises(prepared));
  describe('ids', () => strangeIds(prepared));
  describe('two handles on one store', () => {
    handlesPromises(prepared);
    recordHandlePromises(prepared);
  });
}

function preparePromises({ describe, it }: Handles): void {
  describe('Creates what is missing, records what it is given, and resolves to what is recorded', () => {
    it('every port can be used', async ([one]) => {
      await one.prepare({ currency: USD });
      for (const write of Object.values(FIRST_WRITES)) await write(one);
      await assertCounts(one, 1);
    });
  });

  describe('The currency is recorded once: without one, a new store has `DEFAULT_CURRENCY`', () => {
    it('one that was given', async ([one, other]) => {
      assert.deepEqual(await one.prepare({ currency: EUR }), { currency: EUR });
      assert.deepEqual(await other.prepare({}), { currency: EUR });
    });

    it('none was given', async ([one, other]) => {
      assert.deepEqual(await one.prepare({}), { currency: DEFAULT_CURRENCY });
      await assertConflict(other.prepare({ currency: EUR }), 'other-currency');
    });
  });

  describe(
    'Returns the recorded currency, once `prepare` has resolved; ' + 'may return undefined before. `newCore` takes it',
    () => {
      it('after `prepare` of each handle, also after one that was refused', async ([one, other]) => {
        await one.prepare({ currency: EUR });
        assert.equal(one.recordedCurrency(), EUR);
        await other.prepare({});
        await assertConflict(other.prepare({ currency: USD }), 'other-currency');
        for (const handle of [one, other]) assert.equal(handle.recordedCurrency(), EUR);
      });
    },
  );

  describe('Prices in another currency than the recorded one are reported, and stay', () => {
    it('and cannot be stored, by a handle that has not prepared either', async ([one, other]) => {
      await one.prepare({ currency: EUR });
      const price = { minorUnits: minorUnits(5), currency: EUR };
      const [stored = automation(0)] = await store(other.automations, offer(1, { price }));
      const refused = { outcome: 'other-currency', currency: EUR };
      for (const { automations } of [one, other]) {
        assert.deepEqual(await automations.add([offer(2)]), [refused]);
        const inDollars = { ...stored, price: { ...price, currency: USD } };
        assert.deepEqual(await automations.revise(revision(inDollars, {})), refused);
        assert.deepEqual(await automations.find(stored.id), stored);
      }
      assert.deepEqual(await one.check({ repair: true }), []);
    });
  });

  describe('A new address replaces the recorded one', () => {
    it('which stays where none is given', async ([one, other]) => {
      const [first, second] = ['https://one.example', 'http://127.0.0.1:3000'];
      assert.deepEqual(await one.prepare({ currency: EUR, address: first }), { currency: EUR, address: first });
      assert.deepEqual(await other.prepare({ currency: undefined, address: undefined }), {
        currency: EUR,
        address: first,
      });
      assert.deepEqual(await other.prepare({ address: second }), { currency: EUR, address: second });
      assert.deepEqual(await one.prepare({}), { currency: EUR, address: second });
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
    'Rejects with a `DomainError` of kind `conflict`, code `other-currency`, when the store has another currency, ' +
      'and records nothing',
    () => {
      it('also through another handle, and the first one stays', async ([one, other]) => {
        await one.prepare({ currency: USD });
        for (const handle of [one, other]) await assertConflict(handle.prepare({ currency: EUR }), 'other-currency');
        await other.prepare({ currency: USD });
      });

      it('with an address, too', async ([one, other]) => {
        await one.prepare({ currency: USD, address: 'https://one.example' });
        const wrong = { currency: EUR, address: 'https://other.example' };
        await assertConflict(other.prepare(wrong), 'other-currency');
        assert.deepEqual(await one.prepare({}), { currency: USD, address: 'https://one.example' });
      });

      it('two currencies at once, 10 times each, by two: one of them is recorded', async ([one, other]) => {
        const currencies = [USD, EUR];
        const calls = numbers(20).map(async (n) => {
          const currency = currencies[n % 2] ?? USD;
          const preparing = (n % 3 === 0 ? one : other).prepare({ currency });
          const isRecorded = await preparing.then(
            () => true,
            () => false,
          );
          if (!isRecorded) await assertConflict(preparing, 'other-currency');
          return isRecorded ? currency : undefined;
        });
        const recorded = new Set((await Promise.all(calls)).filter((currency) => currency !== undefined));
        assert.equal(recorded.size, 1);
        for (const currency of recorded) await one.prepare({ currency });
      });
    },
  );
}

/** Prints what the storage does not support, and with it what the suites leave out. */
function supportPromises({ describe, it }: Handles): void {
  describe('What a storage can do beyond what each one must', () => {
    it('`search`: the member `search` is there', async ([one, other]) => {
      for (const { supports, search } of [one, other]) assert.equal(search !== undefined, supports.search);
      const missing = Object.entries(one.supports).flatMap(([name, isThere]) => (isThere ? [] : [name]));
      if (missing.length > 0) console.warn(`Left out, since the storage does not support it: ${missing.join(', ')}`);
    });
  });
}

function damagePromises({ describe, it }: Handles, damage: NonNullable<StorageSuiteOptions['damage']>): void {
  describe('Returns what differed. With `repair` it corrects each difference', () => {
    it('after damage: found, found again, repaired, and then nothing differs', async (handles) => {
      const [one, other] = handles;
      const stored = await store(one.automations, ...mixedOffers(10));
      await damage(handles);
      for (let times = 0; times < 2; times += 1) {
        const found = await one.check({ repair: false });
        assert.ok(found.length > 0, 'check must find the damage');
        assert.ok(found.every(({ repaired, description }) => !repaired && description !== ''));
      }
      assert.ok((await other.check({ repair: true })).some(({ repaired }) => repaired));
      for (const handle of handles) assert.deepEqual(await handle.check({ repair: false }), []);
      for (const { automations } of handles) await assertOnSale(automations, stored);
    });
  });
}

function pingPromises({ describe, it }: Handles): void {
  describe('Resolves to what the store can do, when it can be reached. Rejects as `unavailable` otherwise', () => {
    it('twice, by each', async ([one, other]) => {
      for (const handle of [one, other, one, other]) assert.equal(await handle.ping(), 'ready');
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
          for (const n of [1, 2, 250, 500]) await other.automations.withdraw(automationIdOf(n), withdrawal(n));
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
          if (index % 2 === 0) await one.automations.withdraw(each.id, withdrawal(1));
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
