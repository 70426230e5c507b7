import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { Automation } from '../../domain/automation.js';
import type { AutomationRepository, WithdrawOutcome } from '../../domain/ports.js';
import {
  ADA,
  addOne,
  assertOnSale,
  automation,
  automationIdOf,
  BOB,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  store,
  TOOLS,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';

type Automations = Suite<AutomationRepository>;

/** Which of ten are withdrawn; the odd ones are tools, the even ones games. */
const PATTERNS: Readonly<Record<string, readonly number[]>> = {
  'the first': [1],
  'the last': [10],
  'the middle one': [5],
  'consecutive ones': [4, 5, 6],
  'consecutive ones, backwards': [6, 5, 4],
  'the first three': [1, 2, 3],
  'the last three': [8, 9, 10],
  'both ends': [10, 1, 9, 2],
  'all of a category': [2, 4, 6, 8, 10],
  'all but one': [1, 2, 3, 4, 6, 7, 8, 9, 10],
  all: [7, 3, 10, 1, 9, 5, 2, 8, 4, 6],
};

export function withdrawPromises(suite: Automations): void {
  offTheMarket(suite);
  answers(suite);
}

function offTheMarket({ describe, it }: Automations): void {
  const sentence =
    'Takes an automation off the market for good: from then on it is as if it had never existed, ' +
    'except that its id and its idempotency key stay taken';
  describe(sentence, () => {
    for (const [what, withdrawn] of Object.entries(PATTERNS))
      it(`of ten, ${what}; then three new ones`, async (repository) => {
        const ten = await store(repository, ...mixedOffers(10));
        await assertOnSale(repository, ten);
        for (const n of withdrawn) assert.equal(await withdraw(repository, n), 'withdrawn');
        const rest = ten.filter((_, index) => !withdrawn.includes(index + 1));
        await assertOnSale(repository, rest);
        const more = await store(repository, ...mixedOffers(13).slice(10));
        await assertOnSale(repository, [...rest, ...more]);
      });

    it('each as soon as it was added', async (repository) => {
      for (const n of [1, 2, 3]) {
        await store(repository, offer(n));
        await withdraw(repository, n);
        await assertOnSale(repository, []);
      }
    });

    it('100 times added and 40 withdrawn, in any order', async (repository) => {
      const next = dice(7);
      let onSale: readonly Automation[] = [];
      for (const n of numbers(100)) {
        onSale = [...onSale, ...(await store(repository, offer(n, { categoryId: next(3) === 0 ? GAMES : TOOLS })))];
        if (next(5) < 2) {
          const gone = onSale[next(onSale.length)];
          if (gone) await repository.withdraw(gone.id, withdrawal(n));
          onSale = onSale.filter((one) => one !== gone);
        }
        if (n % 25 === 0) await assertOnSale(repository, onSale, [7]);
      }
    });

    it('its id and its key stay taken', async (repository) => {
      await store(repository, offer(1, { key: 'key' }));
      await withdraw(repository, 1);
      assert.deepEqual(await addOne(repository, offer(1)), { outcome: 'conflict' });
      assert.deepEqual(await addOne(repository, offer(2, { key: 'key' })), {
        outcome: 'earlier',
        automation: automation(1),
      });
      await assertOnSale(repository, []);
    });
  });
}

function answers({ describe, it }: Automations): void {
  const sentence =
    'Returns `already-withdrawn` for one that is withdrawn, and `unknown` for an unknown id and for one of another ' +
    'developer than the one named';
  describe(sentence, () => {
    it('`withdrawn` once, then `already-withdrawn`, also for its developer', async (repository) => {
      await store(repository, offer(1, { developerId: ADA }), offer(2));
      assert.deepEqual(
        [await withdraw(repository, 1), await withdraw(repository, 1)],
        ['withdrawn', 'already-withdrawn'],
      );
      const again = await repository.withdraw(automationIdOf(1), withdrawal(9, { developerId: ADA, reason: 'again' }));
      assert.equal(again, 'already-withdrawn');
      await assertOnSale(repository, [automation(2)]);
    });

    it('`unknown` for an unknown id, and nothing changes', async (repository) => {
      const stored = await store(repository, offer(1));
      assert.equal(await withdraw(repository, 2), 'unknown');
      await assertOnSale(repository, stored);
    });

    it('`unknown` for another developer, also when it is withdrawn, and nothing changes', async (repository) => {
      const stored = await store(repository, offer(1, { developerId: ADA }));
      assert.equal(await repository.withdraw(automationIdOf(1), withdrawal(1, { developerId: BOB })), 'unknown');
      await assertOnSale(repository, stored);
      await withdraw(repository, 1);
      assert.equal(await repository.withdraw(automationIdOf(1), withdrawal(1, { developerId: BOB })), 'unknown');
    });

    it('`unknown` for a developer whose id is no text, and nothing changes', async (repository) => {
      const stored = await store(repository, offer(1));
      for (const developerId of ['', '\uD800', 'ada\uD800', 'ada\0'] as DeveloperId[])
        assert.equal(await repository.withdraw(automationIdOf(1), withdrawal(1, { developerId })), 'unknown');
      await assertOnSale(repository, stored);
    });

    it('`withdrawn` for the developer who offered it', async (repository) => {
      await store(repository, offer(1, { developerId: ADA }), offer(2, { developerId: BOB }));
      assert.equal(await repository.withdraw(automationIdOf(1), withdrawal(1, { developerId: ADA })), 'withdrawn');
      await assertOnSale(repository, [automation(2, { developerId: BOB })]);
    });

    it('whatever the reason and the time', async (repository) => {
      await store(repository, offer(1), offer(2), offer(3));
      assert.equal(
        await repository.withdraw(automationIdOf(1), withdrawal(-1e9, { reason: "it's $over 🙂" })),
        'withdrawn',
      );
      assert.equal(await repository.withdraw(automationIdOf(2), withdrawal(0, { reason: '' })), 'withdrawn');
      assert.equal(
        await repository.withdraw(automationIdOf(3), withdrawal(1, { reason: 'because '.repeat(125) })),
        'withdrawn',
      );
    });
  });

  describe('When raced, one call returns `withdrawn`', () => {
    it('30 at once, of one', async (repository) => {
      await store(repository, ...mixedOffers(3));
      const done = await Promise.all(numbers(30).map(() => withdraw(repository, 2)));
      assert.equal(done.filter((outcome) => outcome === 'withdrawn').length, 1);
      await assertOnSale(repository, [automation(1), automation(3)]);
    });

    it('20 at once, of 20, while others are added', async (repository) => {
      await store(repository, ...mixedOffers(20));
      const withdrawals = numbers(20).map((n) => withdraw(repository, n));
      const [added] = await Promise.all([store(repository, offer(21), offer(22)), ...withdrawals]);
      assert.deepEqual(
        await Promise.all(withdrawals),
        numbers(20).map(() => 'withdrawn'),
      );
      await assertOnSale(repository, added);
    });
  });
}

function withdraw(repository: AutomationRepository, n: number): Promise<WithdrawOutcome> {
  return repository.withdraw(automationIdOf(n), withdrawal(n));
}

/** Throws that are the same in every run (a linear congruential generator). */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}
