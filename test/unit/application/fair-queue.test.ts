import { expect } from 'chai';
import { FairQueue, type QueueLimits, type QueuePlace } from '../../../application/fair-queue.js';
import { settled } from './people.js';

/** A queue whose tasks end when they are told to. */
function openQueue(limits: Partial<QueueLimits> = {}) {
  const queue = new FairQueue({ atOnce: 1, refusal: () => new Error('refused'), ...limits });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string, place: QueuePlace = { client: name.charAt(0) }): Promise<string> =>
    queue
      .run(() => {
        started.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(`result of ${name}`)));
      }, place)
      .catch(String);
  const endAll = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await settled();
    }
  };
  return { ask, started, ends, endAll };
}

describe('A fair queue', () => {
  it('runs as many tasks at the same time as it may, also of one client', () => {
    const { ask, started } = openQueue({ atOnce: 3 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name);
    expect(started).to.deep.equal(['a1', 'a2', 'a3']);
  });

  it('gives the next turn to the client that was served longest ago', async () => {
    const { ask, started, endAll } = openQueue();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2', 'd1']) void ask(name);
    await endAll();
    expect(started).to.deep.equal(['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'a3']);
    for (const name of ['b3', 'a4', 'e1', 'c2']) void ask(name);
    await endAll();
    expect(started.slice(7)).to.deep.equal(['b3', 'e1', 'c2', 'a4']);
  });

  it('gives the next turn to a lower rank, whichever was served', async () => {
    const { ask, started, endAll } = openQueue();
    void ask('a1');
    void ask('b1', { client: 'b', rank: 2 });
    void ask('c1', { client: 'c', rank: 1 });
    void ask('a2', { client: 'a', rank: 0 });
    await endAll();
    expect(started).to.deep.equal(['a1', 'a2', 'c1', 'b1']);
  });

  it('keeps a place for each client: when full, the one with the most tasks loses its latest', async () => {
    const { ask, started, endAll } = openQueue({ maxWaiting: 3 });
    const asked = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'd1'].map((name) => ask(name));
    await endAll();
    expect(started).to.deep.equal(['a1', 'b1', 'c1', 'a2']);
    expect(await Promise.all(asked)).to.deep.equal([
      'result of a1',
      'result of a2',
      ...Array<string>(3).fill('Error: refused'),
      'result of b1',
      'result of c1',
      'Error: refused',
    ]);
  });

  it('refuses the highest rank when it is full', async () => {
    const { ask, endAll } = openQueue({ maxWaiting: 1 });
    const asked = [ask('a1'), ask('b1', { client: 'b', rank: 3 }), ask('a2'), ask('c1', { client: 'c', rank: 1 })];
    await endAll();
    expect(await Promise.all(asked)).to.deep.equal([
      'result of a1',
      'Error: refused',
      'result of a2',
      'Error: refused',
    ]);
  });

  it('lets equal tasks share the result of one that starts after they came', async () => {
    const { ask, started, endAll } = openQueue();
    const key = 'same';
    const asked = ['a1', 'a2', 'b1', 'c1'].map((name) => ask(name, { client: name.charAt(0), key }));
    asked.push(ask('d1', { client: 'd', key: 'other' }), ask('d2', { client: 'd' }));
    await endAll();
    expect(started).to.deep.equal(['a1', 'b1', 'd1', 'd2']);
    expect(await Promise.all(asked)).to.deep.equal([
      'result of a1',
      ...Array<string>(3).fill('result of b1'),
      'result of d1',
      'result of d2',
    ]);
  });

  it('refuses a task that waits too long, and does not run it', async () => {
    const { ask, started, endAll } = openQueue({ maxWaitMs: 1 });
    const asked = [ask('a1'), ask('b1')];
    expect(await asked[1]).to.equal('Error: refused');
    await endAll();
    expect([started, await asked[0]]).to.deep.equal([['a1'], 'result of a1']);
  });

  it('goes on after a task that fails, at once or later', async () => {
    const queue = new FairQueue({ atOnce: 1 });
    const failing = () => {
      throw new Error('at once');
    };
    const later = () => Promise.reject(new Error('later'));
    const asked = [queue.run(failing), queue.run(later), queue.run(async () => 'done')];
    expect(await Promise.all(asked.map((one) => one.catch(String)))).to.deep.equal([
      'Error: at once',
      'Error: later',
      'done',
    ]);
  });

  it('forgets who was served, beyond a thousand clients: they come before those of whom it knows', async () => {
    const { ask, started, endAll } = openQueue();
    const [first, second] = [{ client: 'first' }, { client: 'second' }];
    for (const place of [first, second]) {
      void ask('before', place);
      await endAll();
    }
    for (let n = 0; n < 998; n += 1) {
      void ask('another', { client: `client ${n}` });
      await endAll();
    }
    started.length = 0;
    for (const [name, place] of Object.entries({ running: {}, second, first })) void ask(name, place);
    await endAll();
    expect(started).to.deep.equal(['running', 'first', 'second']);
  });
});
