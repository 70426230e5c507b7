import assert from 'node:assert/strict';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { AutomationRepository } from '../../domain/ports.js';
import {
  addOne,
  at,
  automation,
  automationIdOf,
  BOB,
  GAMES,
  mixedOffers,
  numbers,
  offer,
  store,
  storeMany,
  storeWhile,
  TOOLS,
} from './offers.js';
import { tamper } from './handles.js';
import type { Suite } from './runner.js';

type Automations = Suite<AutomationRepository>;

/** Every part of this size, one after the other, until one is empty. */
async function partsOf(
  repository: AutomationRepository,
  limit: number,
): Promise<readonly (readonly Automation[])[]> {
  const parts: (readonly Automation[])[] = [];
  for (;;) {
    const last = parts.at(-1)?.at(-1);
    const part = await repository.listOldestFirst({ limit, ...(last && { after: last.id }) });
    if (part.length === 0) return parts;
    parts.push(part);
    assert.ok(parts.length < 1_000, 'it comes to an end');
  }
}

/** That parts of every size are the slices of these, oldest first. */
async function assertOldestFirst(
  repository: AutomationRepository,
  stored: readonly Automation[],
  limits = [1, 3, 1_000],
): Promise<void> {
  for (const limit of limits) {
    const slices = numbers(Math.ceil(stored.length / limit)).map((n) => stored.slice((n - 1) * limit, n * limit));
    assert.deepEqual(await partsOf(repository, limit), slices);
  }
}

export function listOldestFirstPromises({ describe, it }: Automations): void {
  const after = (repository: AutomationRepository, id: AutomationId) =>
    repository.listOldestFirst({ limit: 100, after: id });

  describe('Returns all automations on sale, oldest first: in the order in which `add` stored them, ' +
    'whatever their `createdAt`; at most `limit` of them, and fewer only at the end', () => {
    it('none', (repository) => assertOldestFirst(repository, []));

    it('of every category and developer, field for field', async (repository) => {
      const first = numbers(8).map((n) =>
        offer(n, { createdAt: at(-n), ...(n % 3 === 0 && { categoryId: GAMES, developerId: BOB }) }),
      );
      const stored = [
        ...(await store(repository, ...first)),
        ...(await store(repository, offer(9, { createdAt: at(-90) }))),
      ];
      await assertOldestFirst(repository, stored);
    });

    it('1,001 of them', async (repository) => {
      await assertOldestFirst(repository, await storeMany(repository, mixedOffers(1_001)), [101, 1_000]);
    });

    it('without what was withdrawn, also when it was many in a row', async (repository) => {
      const stored = await store(repository, ...mixedOffers(30));
      const withdrawn = [1, 3, ...numbers(15).map((n) => n + 7), 30];
      for (const n of withdrawn) await repository.withdraw(automationIdOf(n), { at: at(1) });
      await assertOldestFirst(
        repository,
        stored.filter((_, index) => !withdrawn.includes(index + 1)),
      );
    });

    it('what was not stored is not in it', async (repository) => {
      await addOne(repository, offer(1, { key: 'key' }));
      await addOne(repository, offer(2, { key: 'key' }));
      await addOne(repository, offer(1, { developerId: BOB }));
      await assertOldestFirst(repository, [automation(1)]);
    });

    it('while others are stored and withdrawn, each once and none left out that stays', async (repository) => {
      const first = await store(repository, ...mixedOffers(20));
      const stay = first.filter((_, index) => index % 4 !== 0);
      const late = numbers(20).map((n) => offer(20 + n));
      const read = async () => {
        const seen = (await partsOf(repository, 3)).flat();
        const all = [...first, ...late.map((one) => one.automation)];
        assert.deepEqual(
          seen,
          all.filter((one) => seen.some(({ id }) => id === one.id)),
          'in order, each once',
        );
        for (const { id } of stay)
          assert.ok(
            seen.some((one) => one.id === id),
            'none is left out',
          );
      };
      const gone = numbers(20).filter((n) => n % 4 === 1);
      const withdrawing = async () => {
        for (const n of gone) await repository.withdraw(automationIdOf(n), { at: at(1) });
      };
      await Promise.all([withdrawing(), storeWhile(read, repository, late)]);
      await assertOldestFirst(repository, [...stay, ...late.map((one) => one.automation)]);
    });
  });

  describe('With `after`, those that come after that automation in this order, also when it was withdrawn; ' +
    'none when it is unknown', () => {
    it('a withdrawn one keeps its place', async (repository) => {
      const stored = await store(repository, ...mixedOffers(6));
      for (const n of [1, 3, 4, 6]) await repository.withdraw(automationIdOf(n), { at: at(1) });
      assert.deepEqual(await after(repository, automationIdOf(1)), [stored[1], stored[4]]);
      assert.deepEqual(await after(repository, automationIdOf(3)), [stored[4]]);
      assert.deepEqual(await after(repository, automationIdOf(6)), []);
    });

    it('what comes later is found by whoever asks again', async (repository) => {
      await store(repository, offer(1));
      assert.deepEqual(await after(repository, automationIdOf(1)), []);
      const later = await store(repository, offer(2, { categoryId: TOOLS }), offer(3, { categoryId: GAMES }));
      assert.deepEqual(await after(repository, automationIdOf(1)), later);
    });

    it('of the newest and of an unknown one, nothing', async (repository) => {
      await store(repository, offer(1), offer(2));
      for (const n of [2, 9]) assert.deepEqual(await after(repository, automationIdOf(n)), []);
    });
  });

  describe('Values that `listOldestFirst` returns are copies', () => {
    it('changing it changes nothing there', async (repository) => {
      await store(repository, offer(1));
      tamper(await repository.listOldestFirst({ limit: 1 }));
      await assertOldestFirst(repository, [automation(1)]);
    });
  });
}
