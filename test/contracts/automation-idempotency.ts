import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { AutomationRepository } from '../../domain/ports.js';
import {
  ADA,
  addOne,
  assertOnSale,
  at,
  automation,
  automationIdOf,
  BOB,
  LONGEST_DEVELOPER,
  numbers,
  offer,
  revise,
  store,
  tally,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';

type Automations = Suite<AutomationRepository>;

const EARLIER = { outcome: 'earlier', automation: automation(1) };

export function idempotencyPromises(suite: Automations): void {
  const sentence =
    'An idempotency key that the same developer has used, in this call or earlier, returns the `earlier` automation, ' +
    'also when that was revised or withdrawn or the id is taken too, and also when raced; each developer has their ' +
    'own keys';
  suite.describe(sentence, () => {
    earlier(suite);
    perDeveloper(suite);
  });
  passingOn(suite);
}

function earlier({ it }: Automations): void {
  it('twice in one call', async (repository) => {
    const answers = await repository.add([offer(1, { key: 'key' }), offer(2, { key: 'key' })]);
    assert.deepEqual(answers, [{ outcome: 'stored' }, EARLIER]);
    await assertOnSale(repository, [automation(1)]);
  });

  it('in two calls, whatever the content', async (repository) => {
    await store(repository, offer(1, { key: 'key' }));
    assert.deepEqual(await addOne(repository, offer(2, { key: 'key', title: 'Another' })), EARLIER);
    await assertOnSale(repository, [automation(1)]);
  });

  it('again and again', async (repository) => {
    await store(repository, offer(1, { key: 'key' }));
    for (const n of [2, 3, 4]) assert.deepEqual(await addOne(repository, offer(n, { key: 'key' })), EARLIER);
  });

  it('the same offer again, its id taken too', async (repository) => {
    await store(repository, offer(1, { key: 'key' }));
    assert.deepEqual(await addOne(repository, offer(1, { key: 'key' })), EARLIER);
  });

  it('revised: as it is now', async (repository) => {
    const [stored = automation(0)] = await store(repository, offer(1, { key: 'key' }));
    const { automation: revised } = await revise(repository, stored, { title: 'Revised' });
    assert.deepEqual(await addOne(repository, offer(2, { key: 'key' })), { outcome: 'earlier', automation: revised });
  });

  it('with the hash that was stored with it, also when it was revised and withdrawn since', async (repository) => {
    const hash = 'c'.repeat(64);
    const [stored = automation(0)] = await store(repository, offer(1, { key: 'key', hash }));
    const other = offer(2, { key: 'key', hash: 'd'.repeat(64) });
    assert.deepEqual(await addOne(repository, other), { ...EARLIER, requestHash: hash });
    const { automation: revised } = await revise(repository, stored, { title: 'Revised' });
    await repository.withdraw(automationIdOf(1), withdrawal(9));
    const answer = await addOne(repository, other);
    assert.deepEqual(answer, { outcome: 'earlier', automation: revised, requestHash: hash });
  });

  it('twice in one call, with the hash of the first', async (repository) => {
    const [one, other] = [offer(1, { key: 'key', hash: 'first' }), offer(2, { key: 'key', hash: 'second' })];
    assert.deepEqual(await repository.add([one, other]), [{ outcome: 'stored' }, { ...EARLIER, requestHash: 'first' }]);
  });

  it('withdrawn', async (repository) => {
    await store(repository, offer(1, { key: 'key' }));
    await repository.withdraw(automationIdOf(1), withdrawal(1));
    assert.deepEqual(await addOne(repository, offer(2, { key: 'key' })), EARLIER);
    await assertOnSale(repository, []);
  });

  it('50 at once: one is stored, 49 are answered by it', async (repository) => {
    const offers = numbers(50).map((n) => offer(n, { key: 'key' }));
    const answers = await Promise.all(offers.map((one) => addOne(repository, one)));
    assert.deepEqual(tally(answers), { stored: 1, earlier: 49 });
    const winner = automation(answers.findIndex(({ outcome }) => outcome === 'stored') + 1);
    for (const answer of answers) if (answer.outcome === 'earlier') assert.deepEqual(answer.automation, winner);
    await assertOnSale(repository, [winner]);
  });

  it('what is answered by an earlier one leaves its id free', async (repository) => {
    await store(repository, offer(1, { key: 'key' }));
    await addOne(repository, offer(2, { key: 'key' }));
    assert.equal(await repository.find(automationIdOf(2)), undefined);
    await store(repository, offer(2));
  });

  it('offers without a key are never earlier ones', async (repository) => {
    await assertOnSale(repository, await store(repository, offer(1), offer(2), offer(3)));
  });
}

function perDeveloper({ it }: Automations): void {
  it('two developers, one key', async (repository) => {
    await store(repository, offer(1, { key: 'key', developerId: ADA }), offer(2, { key: 'key', developerId: BOB }));
    const answer = await addOne(repository, offer(3, { key: 'key', developerId: BOB }));
    assert.deepEqual(answer, { outcome: 'earlier', automation: automation(2, { developerId: BOB }) });
  });

  it('keys that differ by a letter, its case or its accents', async (repository) => {
    const keys = ['key', 'Key', 'key ', 'key:', 'kéy', 'ke\u0301y', '$key', 'constructor', '__proto__'];
    await store(repository, ...keys.map((key, index) => offer(index + 1, { key })));
  });

  it('the longest keys, which differ in the last letter, of the developer with the longest id', async (repository) => {
    const longest = ['y', 'z'].map((last) => 'request:' + 'x'.repeat(254) + last);
    const [one, other] = await store(
      repository,
      ...longest.map((key, n) => offer(n, { key, developerId: LONGEST_DEVELOPER })),
    );
    const again = await repository.add(longest.map((key, n) => offer(2 + n, { key, developerId: LONGEST_DEVELOPER })));
    assert.deepEqual(again, [
      { outcome: 'earlier', automation: one },
      { outcome: 'earlier', automation: other },
    ]);
  });

  it('keys and developers that look alike when run together', async (repository) => {
    const developers = ['a', 'ab', 'a-b', 'a-b-k', 'b', 'b-k', 'k', 'k-a', 'y'];
    const keys = ['k', 'bk', 'K', 'a:k', 'b:k', 'k:a', 'k:b:k', '-b', 'b-k', 'k y', 'ké', 'ke\u0301'];
    const offers = developers.flatMap((id, index) =>
      keys.map((key, copy) => offer(index * keys.length + copy, { key, developerId: id as DeveloperId })),
    );
    await store(repository, ...offers);
  });
}

function passingOn({ describe, it }: Automations): void {
  describe(
    "A key whose `idempotencyKeyUntil` is not after the new automation's `createdAt` is free: " +
      'it passes to the new one',
    () => {
      it('one millisecond before, it is taken', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(1000) }));
        assert.deepEqual(await addOne(repository, offer(2, { key: 'key', createdAt: at(999) })), EARLIER);
      });

      it('at that very time, it is free', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(1000) }));
        await store(repository, offer(2, { key: 'key', createdAt: at(1000) }));
      });

      it('in one call', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(5) }), offer(2, { key: 'key', createdAt: at(5) }));
      });

      it('passed on, it answers the new one', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(5) }));
        const [second] = await store(repository, offer(2, { key: 'key', createdAt: at(6), until: at(20) }));
        const answer = await addOne(repository, offer(3, { key: 'key', createdAt: at(19) }));
        assert.deepEqual(answer, { outcome: 'earlier', automation: second });
      });

      it('passed on, both automations are on sale', async (repository) => {
        const offers = [offer(1, { key: 'key', until: at(5) }), offer(2, { key: 'key', createdAt: at(6) })];
        await assertOnSale(repository, await store(repository, ...offers));
      });

      it('passed on, it has the hash of the new one, or none', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(5), hash: 'first' }));
        const [second] = await store(
          repository,
          offer(2, { key: 'key', createdAt: at(5), until: at(9), hash: 'second' }),
        );
        const again = offer(3, { key: 'key', createdAt: at(6) });
        assert.deepEqual(await addOne(repository, again), {
          outcome: 'earlier',
          automation: second,
          requestHash: 'second',
        });
        const [third] = await store(repository, offer(4, { key: 'key', createdAt: at(9) }));
        assert.deepEqual(await addOne(repository, again), { outcome: 'earlier', automation: third });
      });

      it('three times in one call: the last one has it', async (repository) => {
        const offers = [1, 2, 3].map((n) => offer(n, { key: 'key', createdAt: at(n * 5), until: at(n * 5 + 5) }));
        const [, , third] = await store(repository, ...offers);
        const answer = await addOne(repository, offer(4, { key: 'key', createdAt: at(19) }));
        assert.deepEqual(answer, { outcome: 'earlier', automation: third });
      });

      it('passed on without an end, it never lapses', async (repository) => {
        const [, second] = await store(
          repository,
          offer(1, { key: 'key', until: at(5) }),
          offer(2, { key: 'key', createdAt: at(5) }),
        );
        const answer = await addOne(repository, offer(3, { key: 'key', createdAt: at(1e12) }));
        assert.deepEqual(answer, { outcome: 'earlier', automation: second });
      });

      it('also from a withdrawn one', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(5) }));
        await repository.withdraw(automationIdOf(1), withdrawal(1));
        await store(repository, offer(2, { key: 'key', createdAt: at(5) }));
      });

      it('30 at once: it passes to one, which answers the others', async (repository) => {
        await store(repository, offer(1, { key: 'key', until: at(5) }));
        const offers = numbers(30).map((n) => offer(100 + n, { key: 'key', createdAt: at(6) }));
        const answers = await Promise.all(offers.map((one) => addOne(repository, one)));
        assert.deepEqual(tally(answers), { stored: 1, earlier: 29 });
      });

      it('without `idempotencyKeyUntil` it is never free', async (repository) => {
        await store(repository, offer(1, { key: 'key' }));
        assert.deepEqual(await addOne(repository, offer(2, { key: 'key', createdAt: at(1e12) })), EARLIER);
      });
    },
  );
}
