import { expect } from 'chai';
import { BatchQueue, type BatchQueueOptions } from '../../../adapters/storage/batch-queue.js';

/** Work that waits to be let through, one batch at a time. */
function open(most: number, options?: BatchQueueOptions<number>) {
  const batches: (readonly number[])[] = [];
  let letThrough: (error?: Error) => void = () => undefined;
  const work = (requests: readonly number[]) => {
    batches.push(requests);
    return new Promise<readonly string[]>((resolve, reject) => {
      letThrough = (error) => {
        if (error) reject(error);
        else resolve(requests.map((request) => `answer ${request}`));
      };
    });
  };
  const next = async (error?: Error) => {
    letThrough(error);
    await settle();
  };
  return { asked: new BatchQueue(work, most, options), batches, next };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a queue that writes in batches', () => {
  it('take the first alone, and what comes meanwhile together', async () => {
    const { asked, batches, next } = open(10);
    const answers = Promise.all([1, 2, 3].map((n) => asked.ask(n)));
    expect(batches).to.deep.equal([[1]]);
    await next();
    expect(batches).to.deep.equal([[1], [2, 3]]);
    await next();
    expect(await answers).to.deep.equal(['answer 1', 'answer 2', 'answer 3']);
  });

  it('are no larger than told, in the order in which they were asked for', async () => {
    const { asked, batches, next } = open(2);
    const answers = Promise.all([1, 2, 3, 4, 5, 6].map((n) => asked.ask(n)));
    for (let turn = 0; turn < 4; turn += 1) await next();
    expect(batches).to.deep.equal([[1], [2, 3], [4, 5], [6]]);
    expect(await answers).to.have.length(6);
  });

  it(
    'wait for as many as went together last time, where that is wanted, ' + 'and no longer than a little while',
    async () => {
      let passTime: () => void = () => undefined;
      const later = (milliseconds: number): Promise<void> => {
        expect(milliseconds).to.equal(2);
        return new Promise((resolve) => (passTime = resolve));
      };
      const { asked, batches, next } = open(10, { later });
      const first = [1, 2, 3, 4].map((n) => asked.ask(n));
      await next();
      await next();
      expect(batches).to.deep.equal([[1], [2, 3, 4]]);
      const second = [5, 6].map((n) => asked.ask(n));
      await settle();
      expect(batches).to.have.length(2);
      second.push(asked.ask(7));
      await settle();
      expect(batches.at(-1)).to.deep.equal([5, 6, 7]);
      await next();
      const third = asked.ask(8);
      await settle();
      expect(batches).to.have.length(3);
      passTime();
      await settle();
      expect(batches.at(-1)).to.deep.equal([8]);
      await next();
      const last = asked.ask(9);
      expect(batches.at(-1)).to.deep.equal([9]);
      await next();
      expect(await Promise.all([...first, ...second, third, last])).to.have.length(9);
    },
  );

  it('share no work that started before they were asked for', async () => {
    const { asked, batches, next } = open(10);
    const first = asked.ask(1);
    const second = asked.ask(1);
    await next();
    expect(await first).to.equal('answer 1');
    expect(batches).to.deep.equal([[1], [1]]);
    await next();
    expect(await second).to.equal('answer 1');
  });

  it('fail as a whole, and the next goes on', async () => {
    const { asked, batches, next } = open(2);
    const settled = Promise.allSettled([1, 2, 3, 4].map((n) => asked.ask(n)));
    await next();
    await next(new Error('disk full'));
    await next();
    expect((await settled).map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(batches).to.deep.equal([[1], [2, 3], [4]]);
  });

  it('leave out what has waited too long when they begin, and nothing that waits meanwhile', async () => {
    let now = 0;
    const waitLimit = { maxMs: 5_000, now: () => now, tooLate: () => new Error('too late') };
    const { asked, batches, next } = open(2, { waitLimit });
    const fates: Promise<string>[] = [];
    const ask = (n: number, at: number) => {
      now = at;
      fates.push(asked.ask(n).catch(String));
    };
    ask(1, 0);
    ask(2, 0);
    ask(3, 1_000);
    ask(4, 5_001);
    await next();
    expect(batches).to.deep.equal([[1], [3, 4]]);
    now = 60_000;
    await next();
    expect(await Promise.all(fates)).to.deep.equal(['answer 1', 'Error: too late', 'answer 3', 'answer 4']);
  });

  it('go on after all that waited has waited too long', async () => {
    let now = 0;
    const waitLimit = { maxMs: 5_000, now: () => now, tooLate: () => new Error('too late') };
    const { asked, batches, next } = open(2, { waitLimit });
    const settled = Promise.allSettled([1, 2].map((n) => asked.ask(n)));
    now = 5_001;
    await next();
    expect((await settled).map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected']);
    const last = asked.ask(3);
    await next();
    expect(await last).to.equal('answer 3');
    expect(batches).to.deep.equal([[1], [3]]);
  });

  it('fail as one when the work throws at once', async () => {
    const asked = new BatchQueue<number, never>(() => {
      throw new Error('closed');
    }, 2);
    const settled = await Promise.allSettled([asked.ask(1), asked.ask(2)]);
    expect(settled.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
  });

  it('start again after they were idle', async () => {
    const asked = new BatchQueue((requests: readonly number[]) => Promise.resolve(requests), 3);
    for (let n = 0; n < 100; n += 1) expect(await asked.ask(n)).to.equal(n);
  });

  it('forget nobody who asks as soon as they were answered', async () => {
    const asked = new BatchQueue((requests: readonly number[]) => Promise.resolve(requests), 3);
    const askOnAndOn = async (who: number) => {
      for (let n = 0; n < 100; n += 1) expect(await asked.ask(who * 1000 + n)).to.equal(who * 1000 + n);
    };
    await Promise.all([1, 2, 3, 4, 5, 6, 7].map(askOnAndOn));
  });

  it('are no larger than told, by the size of each request, unless one is', async () => {
    const { asked, batches, next } = open(10, { sizeOf: (request) => request });
    const answers = Promise.all([3, 1, 9, 14, 2, 8].map((n) => asked.ask(n)));
    for (let turn = 0; turn < 4; turn += 1) await next();
    await answers;
    expect(batches).to.deep.equal([[3], [1, 9], [14], [2, 8]]);
  });
});
