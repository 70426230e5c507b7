import assert from 'node:assert/strict';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { DeveloperId } from '../../domain/access.js';
import type { AutomationRepository } from '../../domain/ports.js';
import { addOne, ADA, at, automation, automationIdOf, BOB, numbers, offer, store, storeMany } from './offers.js';
import { tamper } from './handles.js';
import type { Suite } from './runner.js';

type Automations = Suite<AutomationRepository>;

/** Offers 1 to `count`, every third Bob's, the others Ada's. */
const mixed = (count: number) =>
  numbers(count).map((n) => offer(n, { developerId: n % 3 === 0 ? BOB : ADA, createdAt: at(-n) }));

/** That parts of every size, one after the other, are these, newest first. */
async function assertOwn(
  repository: AutomationRepository,
  developerId: DeveloperId,
  stored: readonly Automation[],
  limits = [1, 3, 100],
): Promise<void> {
  for (const limit of limits) {
    const seen: Automation[] = [];
    for (let more = true; more;) {
      const last = seen.at(-1);
      const part = await repository.listOf(developerId, { limit, ...(last && { before: last.id }) });
      assert.ok(part.length <= limit, 'no more than were asked for');
      seen.push(...part);
      assert.ok(seen.length <= stored.length, 'each once');
      assert.ok(part.length === limit || seen.length === stored.length, 'fewer only at the end');
      more = part.length > 0;
    }
    assert.deepEqual(seen, stored.toReversed());
  }
}

export function listOfPromises({ describe, it }: Automations): void {
  const before = (repository: AutomationRepository, id: AutomationId) =>
    repository.listOf(ADA, { limit: 100, before: id });

  describe("Returns a developer's own automations on sale, newest first, in the order of `list`; " +
    "at most `limit` of them, and fewer only at the end", () => {
    it('none', (repository) => assertOwn(repository, ADA, []));

    it('each their own, whatever their `createdAt`', async (repository) => {
      const stored = [...(await store(repository, ...mixed(8)))];
      for (const one of mixed(14).slice(8)) stored.push(...(await store(repository, one)));
      for (const developer of [ADA, BOB])
        await assertOwn(
          repository,
          developer,
          stored.filter((one) => one.developerId === developer),
        );
      for (const id of ['ad', 'ada-b', 'ADA']) await assertOwn(repository, id as DeveloperId, []);
    });

    it('1,001 of one developer', async (repository) => {
      const stored = await storeMany(
        repository,
        numbers(1_001).map((n) => offer(n)),
      );
      await assertOwn(repository, ADA, stored, [101, 1_000]);
    });

    it('without what was withdrawn', async (repository) => {
      const stored = await store(repository, ...numbers(6).map((n) => offer(n)));
      for (const n of [1, 3, 6]) await repository.withdraw(automationIdOf(n), { at: at(1) });
      await assertOwn(
        repository,
        ADA,
        stored.filter((_, index) => [1, 3, 4].includes(index)),
      );
    });

    it('what was not stored is not in it', async (repository) => {
      await addOne(repository, offer(1, { key: 'key' }));
      await addOne(repository, offer(2, { key: 'key' }));
      await addOne(repository, offer(1, { developerId: BOB }));
      await assertOwn(repository, ADA, [automation(1)]);
      await assertOwn(repository, BOB, []);
    });
  });

  describe("With `before`, those that come after that automation in this order, also when it was withdrawn; " +
    "none when it is unknown or another developer's", () => {
    it('a withdrawn one keeps its place', async (repository) => {
      const stored = await store(repository, ...numbers(6).map((n) => offer(n)));
      for (const n of [3, 4]) await repository.withdraw(automationIdOf(n), { at: at(1) });
      assert.deepEqual(await before(repository, automationIdOf(4)), [stored[1], stored[0]]);
    });

    it('others that come meanwhile move nothing', async (repository) => {
      const stored = await store(repository, ...numbers(4).map((n) => offer(n)));
      await store(repository, offer(5));
      assert.deepEqual(await before(repository, automationIdOf(3)), [stored[1], stored[0]]);
    });

    it("of the oldest, of an unknown one and of another's, nothing", async (repository) => {
      await store(repository, offer(1), offer(2), offer(3, { developerId: BOB }));
      for (const n of [1, 3, 9]) assert.deepEqual(await before(repository, automationIdOf(n)), []);
    });
  });

  describe('Values that `listOf` returns are copies', () => {
    it('changing it changes nothing there', async (repository) => {
      await store(repository, offer(1));
      tamper(await repository.listOf(ADA, { limit: 1 }));
      await assertOwn(repository, ADA, [automation(1)]);
    });
  });
}
