import assert from './assert.js';
import type { AutomationRepository } from '../../domain/ports.js';
import {
  addOne,
  assertOnSale,
  at,
  auditEntry,
  automation,
  automationIdOf,
  EUR,
  mixedOffers,
  numbers,
  offer,
  query,
  store,
  storeMany,
  tally,
  USD,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';
import { minorUnits } from '../../domain/price.js';

type Automations = Suite<AutomationRepository>;

export function addPromises(suite: Automations): void {
  order(suite);
  marketOrder(suite);
  visibility(suite);
  conflict(suite);
  currency(suite);
  unavailable(suite);
}

function currency({ describe, it }: Automations): void {
  describe(
    'A price in another currency than the recorded one is refused as `other-currency`; ' +
      'where none is recorded, that of the first price is',
    () => {
      const inEuro = { price: { minorUnits: minorUnits(1), currency: EUR } };
      const refused = { outcome: 'other-currency', currency: USD };

      it('each offer alone, and nothing of it is kept', async (repository) => {
        const [first] = await store(repository, offer(1));
        const entry = auditEntry(2);
        const refusedOffer = offer(2, { ...inEuro, key: 'key', auditEntry: entry });
        assert.deepEqual(await repository.add([refusedOffer]), [refused]);
        const both = [offer(3, inEuro), offer(2, { key: 'key' })];
        assert.deepEqual(await repository.add(both), [refused, { outcome: 'stored' }]);
        await assertOnSale(repository, [first ?? automation(0), automation(2)]);
      });

      it('with an idempotency key that was used, and with an id that is taken', async (repository) => {
        await store(repository, offer(1, { key: 'key' }));
        const offers = [offer(2, { ...inEuro, key: 'key' }), offer(1, inEuro)];
        assert.deepEqual(await repository.add(offers), [refused, refused]);
      });

      it('among many at once', async (repository) => {
        await store(repository, offer(1_000));
        const answers = await Promise.all(
          numbers(40).map((n) => addOne(repository, offer(n, n % 2 === 0 ? inEuro : {}))),
        );
        assert.deepEqual(tally(answers), { stored: 20, 'other-currency': 20 });
      });
    },
  );
}

function order({ describe, it }: Automations): void {
  describe(
    'Stores the offers, 500 at most, one after the other, as if each had been added alone, ' +
      'and returns one outcome for each, in the same order',
    () => {
      it('one offer', async (repository) => {
        assert.deepEqual(await repository.add([offer(1)]), [{ outcome: 'stored' }]);
      });

      it('no offers', async (repository) => {
        assert.deepEqual(await repository.add([]), []);
        await assertOnSale(repository, []);
      });

      it('with the entry of the audit and the hash of the request, each as without', async (repository) => {
        const offers = [1, 2].map((n) =>
          offer(n, { auditEntry: auditEntry(n), hash: 'a'.repeat(64), key: `key-${n}` }),
        );
        await assertOnSale(repository, await store(repository, ...offers));
      });

      it('1,001, 500 of them at a time', async (repository) => {
        await assertOnSale(repository, await storeMany(repository, mixedOffers(1_001)), [100]);
      });

      it('stored, earlier and conflict in turn', async (repository) => {
        await store(repository, offer(1, { key: 'first' }), offer(2));
        const answers = await repository.add([
          offer(3),
          offer(4, { key: 'first' }),
          offer(2),
          offer(5, { key: 'second' }),
          offer(3),
          offer(6, { key: 'second' }),
          offer(7),
        ]);
        assert.deepEqual(answers, [
          { outcome: 'stored' },
          { outcome: 'earlier', automation: automation(1) },
          { outcome: 'conflict' },
          { outcome: 'stored' },
          { outcome: 'conflict' },
          { outcome: 'earlier', automation: automation(5) },
          { outcome: 'stored' },
        ]);
        await assertOnSale(
          repository,
          [1, 2, 3, 5, 7].map((n) => automation(n)),
        );
      });
    },
  );
}

function marketOrder({ describe, it }: Automations): void {
  describe('The order of the market is the order of the offers in one call, and of calls that do not overlap', () => {
    it('500 in one call', async (repository) => {
      await assertOnSale(repository, await store(repository, ...mixedOffers(500)), [100]);
    });

    it('300 in one call, 10 alone and 300 in one call', async (repository) => {
      const offers = mixedOffers(610);
      const stored = [...(await store(repository, ...offers.slice(0, 300)))];
      for (const one of offers.slice(300, 310)) stored.push(...(await store(repository, one)));
      stored.push(...(await store(repository, ...offers.slice(310))));
      await assertOnSale(repository, stored, [100]);
    });

    it('10 calls of 20 at once: each in its order', async (repository) => {
      const offers = numbers(200).map((n) => offer(n));
      await Promise.all(numbers(10).map((n) => store(repository, ...offers.slice((n - 1) * 20, n * 20))));
      const pages = await Promise.all([2, 1].map((page) => repository.list(query(page, 100))));
      const ids = pages.flatMap(({ items }) => items.map(({ id }) => id).reverse());
      for (const n of numbers(10)) {
        const call = offers.slice((n - 1) * 20, n * 20).map((one) => one.automation.id);
        assert.deepEqual(
          ids.filter((id) => call.includes(id)),
          call,
        );
      }
    });
  });
}

function visibility({ describe, it }: Automations): void {
  describe(
    'What is `stored` is durable and is seen by every `find`, ' + '`list` and `countByCategory` that starts afterwards',
    () => {
      it('one after the other', async (repository) => {
        const offers = mixedOffers(5);
        for (const count of numbers(5)) {
          await store(repository, ...offers.slice(count - 1, count));
          await assertOnSale(
            repository,
            offers.slice(0, count).map((one) => one.automation),
          );
        }
      });

      it('50 at once, each by its own writer', async (repository) => {
        const writeAndRead = async (n: number) => {
          const [stored] = await store(repository, offer(n));
          assert.deepEqual(await repository.find(automationIdOf(n)), stored);
          const { items } = await repository.list(query(1, 100));
          assert.ok(items.some(({ id }) => id === automationIdOf(n)));
        };
        await Promise.all(numbers(50).map(writeAndRead));
        assert.equal((await repository.list(query(1, 1))).total, 50);
      });
    },
  );
}

function conflict({ describe, it }: Automations): void {
  describe(
    'An id that is taken is a `conflict`, also when it was withdrawn and also when raced; ' +
      'then nothing of the offer is kept',
    () => {
      it('twice in one call', async (repository) => {
        const answers = await repository.add([offer(1), offer(1, { title: 'Another' })]);
        assert.deepEqual(answers, [{ outcome: 'stored' }, { outcome: 'conflict' }]);
        await assertOnSale(repository, [automation(1)]);
      });

      it('in two calls', async (repository) => {
        await store(repository, offer(1));
        assert.deepEqual(await addOne(repository, offer(1, { title: 'Another' })), { outcome: 'conflict' });
        await assertOnSale(repository, [automation(1)]);
      });

      it('withdrawn', async (repository) => {
        await store(repository, offer(1));
        await repository.withdraw(automationIdOf(1), withdrawal(1));
        assert.deepEqual(await addOne(repository, offer(1)), { outcome: 'conflict' });
        await assertOnSale(repository, []);
      });

      it('100 at once: one is stored, 99 are conflicts', async (repository) => {
        const offers = numbers(100).map((n) => offer(1, { title: `Title ${n}` }));
        const answers = await Promise.all(offers.map((one) => addOne(repository, one)));
        assert.deepEqual(tally(answers), { stored: 1, conflict: 99 });
        const winner = offers[answers.findIndex(({ outcome }) => outcome === 'stored')]?.automation;
        await assertOnSale(repository, [winner ?? automation(0)]);
      });

      it('its idempotency key stays free within the call', async (repository) => {
        await store(repository, offer(1));
        const answers = await repository.add([offer(1, { key: 'key' }), offer(2, { key: 'key' })]);
        assert.deepEqual(answers, [{ outcome: 'conflict' }, { outcome: 'stored' }]);
      });

      it('its idempotency key stays free', async (repository) => {
        await store(repository, offer(1));
        assert.deepEqual(await addOne(repository, offer(1, { key: 'key' })), { outcome: 'conflict' });
        await store(repository, offer(2, { key: 'key' }));
      });

      it('an idempotency key that would have passed to it stays where it was', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(10) }), offer(2));
        assert.deepEqual(await addOne(repository, offer(2, { key: 'key', createdAt: at(10) })), {
          outcome: 'conflict',
        });
        const answer = await addOne(repository, offer(3, { key: 'key', createdAt: at(9) }));
        assert.deepEqual(answer, { outcome: 'earlier', automation: automation(1) });
      });
    },
  );
}

function unavailable({ describe, it }: Automations): void {
  describe('When it rejects as `unavailable`, none of the offers was stored', () => {
    it('100 calls at once, of two offers each, are stored or unavailable as a whole', async (repository) => {
      const pairs = numbers(100).map((n) => [offer(n), offer(1000 + n)] as const);
      const answers = await Promise.allSettled(pairs.map((pair) => repository.add(pair)));
      for (const [index, answer] of answers.entries()) {
        if (answer.status === 'rejected') assert.equal((answer.reason as { kind?: unknown }).kind, 'unavailable');
        for (const { automation: one } of pairs[index] ?? [])
          assert.deepEqual(await repository.find(one.id), answer.status === 'fulfilled' ? one : undefined);
      }
    });
  });
}
