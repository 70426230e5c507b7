import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { Readiness } from '../../../composition/service/readiness.js';
import type { StoreState } from '../../../domain/ports.js';

describe('Readiness', () => {
  let pings: number;
  let answer: () => StoreState;
  let lines: string[];
  const store = {
    ping: async () => {
      pings += 1;
      return answer();
    },
  };
  const write = (_fields: object, message: string) => void lines.push(message);
  const log = { debug: write, info: write, warn: write, error: write };
  const fails = (message: string) => () => {
    throw new Error(message);
  };
  const opened = () => {
    const readiness = new Readiness(store, log);
    readiness.open();
    return readiness;
  };

  beforeEach(() => {
    pings = 0;
    answer = () => 'ready';
    lines = [];
  });

  it('is "starting" before the service is open, and the store is not asked', async () => {
    expect(await new Readiness(store, log).state()).to.equal('starting');
    expect(pings).to.equal(0);
  });

  it('is "storage" before the service is open, once the store has failed', async () => {
    const readiness = new Readiness(store, log);
    readiness.storeFailed(new Error('refused'));
    expect(await readiness.state()).to.equal('storage');
  });

  it('asks the store once for a thousand requests at once', async () => {
    const readiness = opened();
    const states = await Promise.all(Array.from({ length: 1_000 }, () => readiness.state()));
    expect(new Set(states)).to.deep.equal(new Set(['ready']));
    expect(pings).to.equal(1);
  });

  it('is what the store says, and asks again after a second', async () => {
    const readiness = opened();
    answer = () => 'read-only';
    expect(await readiness.state()).to.equal('read-only');
    answer = () => 'ready';
    expect(await readiness.state()).to.equal('read-only');
    await setTimeout(1_050);
    expect(await readiness.state()).to.equal('ready');
  });

  it('writes a line when the store takes no writes, and one when it takes them again', async () => {
    const readiness = opened();
    for (const state of ['read-only', 'read-only', 'ready', 'ready'] as const) {
      answer = () => state;
      expect(await readiness.state()).to.equal(state);
      await setTimeout(1_050);
    }
    expect(lines).to.deep.equal([
      'the storage takes no writes at the moment; reading works, and writes are refused',
      'the storage takes writes again',
    ]);
  });

  it('is "storage" while the store is out of reach; logs each cause once, then that it is ready', async () => {
    const readiness = opened();
    for (const cause of ['refused', 'refused', 'no primary', undefined]) {
      answer = cause === undefined ? () => 'ready' : fails(cause);
      expect(await readiness.state()).to.equal(cause === undefined ? 'ready' : 'storage');
      await setTimeout(1_050);
    }
    expect(lines).to.deep.equal([
      'the store is not ready: refused',
      'the store is not ready: no primary',
      'the store is ready',
    ]);
  });

  it('is "draining" at once when it is closed, also for a request that waits for the store', async () => {
    const readiness = opened();
    const asked = readiness.state();
    readiness.close();
    expect([await asked, await readiness.state()]).to.deep.equal(['draining', 'draining']);
  });
});
