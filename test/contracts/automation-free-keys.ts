import assert from './assert.js';
import type { AutomationRepository } from '../../domain/ports.js';
import { assertOnSale, at, automationIdOf, numbers, offer, store, storeMany, withdrawal } from './offers.js';
import type { Suite } from './runner.js';

export function freeKeysPromises({ describe, it }: Suite<AutomationRepository>): void {
  describe(
    'Frees every idempotency key whose `idempotencyKeyUntil` is not after this time, ' + 'and returns how many',
    () => {
      it('none of none', async (repository) => {
        assert.equal(await repository.freeIdempotencyKeys(at(0)), 0);
      });

      it('exactly those', async (repository) => {
        const untils = [at(8), at(9), at(10), at(11), at(12), undefined];
        await store(repository, ...untils.map((until, n) => offer(n, { key: `key-${n}`, ...(until && { until }) })));
        assert.equal(await repository.freeIdempotencyKeys(at(10)), 3);
        const again = await repository.add(untils.map((_, n) => offer(100 + n, { key: `key-${n}` })));
        const outcomes = again.map(({ outcome }) => outcome);
        assert.deepEqual(outcomes, ['stored', 'stored', 'stored', 'earlier', 'earlier', 'earlier']);
      });

      it('1,001, and one that is good a millisecond longer', async (repository) => {
        await storeMany(
          repository,
          numbers(1_001).map((n) => offer(n, { key: `key-${n}`, until: at(n) })),
        );
        await store(repository, offer(1_002, { key: 'key', until: at(1_002) }));
        assert.equal(await repository.freeIdempotencyKeys(at(1_001)), 1_001);
        assert.equal(await repository.freeIdempotencyKeys(at(1_002)), 1);
      });

      it('each once', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(5) }));
        assert.equal(await repository.freeIdempotencyKeys(at(4)), 0);
        assert.equal(await repository.freeIdempotencyKeys(at(5)), 1);
        assert.equal(await repository.freeIdempotencyKeys(at(5)), 0);
      });

      it('a key that passed on counts once, with its new end', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(5) }));
        await store(repository, offer(2, { key: 'key', createdAt: at(6), until: at(20) }));
        assert.equal(await repository.freeIdempotencyKeys(at(19)), 0);
        assert.equal(await repository.freeIdempotencyKeys(at(20)), 1);
      });

      it('also of withdrawn ones', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(5) }));
        await repository.withdraw(automationIdOf(1), withdrawal(1));
        assert.equal(await repository.freeIdempotencyKeys(at(5)), 1);
        await store(repository, offer(2, { key: 'key' }));
      });

      it('its hash goes with it', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(5), hash: 'first' }));
        await repository.freeIdempotencyKeys(at(5));
        const [second] = await store(repository, offer(2, { key: 'key' }));
        const again = await repository.add([offer(3, { key: 'key' })]);
        assert.deepEqual(again, [{ outcome: 'earlier', automation: second }]);
      });

      it('the automations stay', async (repository) => {
        const stored = await store(repository, offer(1, { key: 'key', until: at(5) }), offer(2));
        await repository.freeIdempotencyKeys(at(5));
        await assertOnSale(repository, stored);
      });
    },
  );
}
