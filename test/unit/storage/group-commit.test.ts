import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/automation-repository.js';
import { groupCommit } from '../../../adapters/storage/index.js';
import { DomainError } from '../../../domain/errors.js';
import type { AddOutcome, NewAutomation } from '../../../domain/ports.js';
import { assertOnSale, automation, automationIdOf, numbers, offer } from '../../contracts/offers.js';
import { failureOf } from '../domain/failure.js';
import { settled } from '../application/people.js';

/** A store whose writes wait until they are let through, or fail. */
class GatedAutomationRepository extends InMemoryAutomationRepository {
  readonly writes: (readonly NewAutomation[])[] = [];
  #waiting: { readonly go: () => void; readonly fail: (error: unknown) => void }[] = [];

  override async add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    this.writes.push(offers);
    await new Promise<void>((go, fail) => this.#waiting.push({ go, fail }));
    return super.add(offers);
  }

  get underWay(): number {
    return this.#waiting.length;
  }

  async letThrough(): Promise<void> {
    await this.begun();
    for (const { go } of this.#waiting.splice(0)) go();
    await settled();
  }

  async failWith(error: unknown): Promise<void> {
    await this.begun();
    for (const { fail } of this.#waiting.splice(0)) fail(error);
    await settled();
  }

  /** A write may wait a little for more that go along. */
  async begun(): Promise<void> {
    for (let waited = 0; this.underWay === 0 && waited < 20; waited += 1) await setTimeout(1);
  }

  get sizes(): readonly number[] {
    return this.writes.map(({ length }) => length);
  }
}

function open() {
  const store = new GatedAutomationRepository();
  return { store, group: groupCommit(store) };
}

const unavailable = () => new DomainError('unavailable', 'store-unavailable', 'out of reach');

describe('group commit', () => {
  it('writes the first at once, and what comes meanwhile together as the next', async () => {
    const { store, group } = open();
    const answers = Promise.all(numbers(5).map((n) => group.add([offer(n)])));
    expect(store.sizes).to.deep.equal([1]);
    await store.letThrough();
    expect(store.sizes).to.deep.equal([1, 4]);
    expect(store.underWay).to.equal(1);
    await store.letThrough();
    expect((await answers).flat()).to.deep.equal(numbers(5).map(() => ({ outcome: 'stored' })));
    await assertOnSale(
      store,
      numbers(5).map((n) => automation(n)),
    );
  });

  it('has as many go together again as did last time, though they come one after another', async () => {
    const { store, group } = open();
    const first = Promise.all(numbers(4).map((n) => group.add([offer(n)])));
    await store.letThrough();
    await store.letThrough();
    await first;
    const second: Promise<unknown>[] = [];
    for (const n of [5, 6, 7]) {
      second.push(group.add([offer(n)]));
      await Promise.resolve();
    }
    await settled();
    expect(store.sizes).to.deep.equal([1, 3, 3]);
    await store.letThrough();
    await Promise.all(second);
  });

  it('has one write under way, never two', async () => {
    const { store, group } = open();
    const answers: Promise<readonly AddOutcome[]>[] = [];
    for (const n of numbers(20)) {
      answers.push(group.add([offer(n)]));
      await store.begun();
      expect(store.underWay).to.equal(1);
      if (n % 3 === 0) await store.letThrough();
    }
    while (store.writes.flat().length < 20) await store.letThrough();
    await store.letThrough();
    await Promise.all(answers);
    await assertOnSale(
      store,
      numbers(20).map((n) => automation(n)),
    );
  });

  it('gives each call its own answers, in order', async () => {
    const { store, group } = open();
    const answers = Promise.all([
      group.add([offer(1, { key: 'key' })]),
      group.add([offer(2), offer(1), offer(3, { key: 'key' })]),
      group.add([]),
      group.add([offer(2), offer(4)]),
    ]);
    await store.letThrough();
    await store.letThrough();
    expect(await answers).to.deep.equal([
      [{ outcome: 'stored' }],
      [{ outcome: 'stored' }, { outcome: 'conflict' }, { outcome: 'earlier', automation: automation(1) }],
      [],
      [{ outcome: 'conflict' }, { outcome: 'stored' }],
    ]);
  });

  it('writes at most 500 offers together', async () => {
    const { store, group } = open();
    const answers = numbers(1100).map((n) => group.add([offer(n)]));
    for (let writes = 0; writes < 4; writes += 1) await store.letThrough();
    expect(store.sizes).to.deep.equal([1, 500, 500, 99]);
    await Promise.all(answers);
    expect((await store.list({ page: { number: 1, limit: 1 } })).total).to.equal(1100);
  });

  it('writes a dozen of the longest offers together', async () => {
    const { store, group } = open();
    const answers = numbers(26).map((n) => group.add([offer(n, { description: 'x'.repeat(10_000) })]));
    for (let writes = 0; writes < 4; writes += 1) await store.letThrough();
    expect(store.sizes).to.deep.equal([1, 12, 12, 1]);
    await Promise.all(answers);
  });

  it('rejects as unavailable what has waited for more than 5 seconds, and stores none of it', async () => {
    const { store, group } = open();
    const first = group.add([offer(1)]);
    const waiting = failureOf(() => group.add([offer(2)]));
    const now = performance.now.bind(performance);
    performance.now = () => now() + 5_001;
    try {
      await store.letThrough();
    } finally {
      performance.now = now;
    }
    expect((await waiting).kind).to.equal('unavailable');
    expect(await first).to.deep.equal([{ outcome: 'stored' }]);
    expect(store.sizes).to.deep.equal([1]);
  });

  it('rejects all of a group that failed, and goes on with the next', async () => {
    const { store, group } = open();
    const first = group.add([offer(1)]);
    const failing = Promise.all([2, 3].map(async (n) => (await failureOf(() => group.add([offer(n)]))).kind));
    await store.letThrough();
    const next = group.add([offer(4)]);
    await store.failWith(unavailable());
    expect(await failing).to.deep.equal(['unavailable', 'unavailable']);
    await store.letThrough();
    expect([await first, await next].flat()).to.deep.equal([{ outcome: 'stored' }, { outcome: 'stored' }]);
    expect(await group.find(automationIdOf(2))).to.equal(undefined);
    await assertOnSale(group, [automation(1), automation(4)]);
  });

  it('writes again after it was idle, also after a failure', async () => {
    const { store, group } = open();
    for (const n of numbers(3)) {
      const failing = failureOf(() => group.add([offer(n)]));
      await store.failWith(unavailable());
      expect((await failing).kind).to.equal('unavailable');
      const answer = group.add([offer(n)]);
      await store.letThrough();
      expect(await answer).to.deep.equal([{ outcome: 'stored' }]);
    }
    expect(store.sizes).to.deep.equal([1, 1, 1, 1, 1, 1]);
  });

  it('forgets nobody who asks as soon as he was answered', async () => {
    const group = groupCommit(new InMemoryAutomationRepository());
    const askOnAndOn = async (who: number) => {
      for (const n of numbers(50))
        expect(await group.add([offer(who * 1000 + n)])).to.deep.equal([{ outcome: 'stored' }]);
    };
    await Promise.all(numbers(10).map(askOnAndOn));
    expect((await group.list({ page: { number: 1, limit: 1 } })).total).to.equal(500);
  });

  it('lets reads pass', async () => {
    const { store, group } = open();
    const stored = group.add([offer(1)]);
    expect(await group.find(automationIdOf(1))).to.equal(undefined);
    expect(await group.list({ page: { number: 1, limit: 1 } })).to.deep.include({ items: [], total: 0 });
    await store.letThrough();
    await stored;
  });
});
