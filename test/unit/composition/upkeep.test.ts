import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { Metrics } from '../../../composition/service/metrics.js';
import { Upkeep } from '../../../composition/service/upkeep.js';
import type { Difference } from '../../../application/index.js';
import { captureLog } from '../../support/captured-log.js';

const NEVER = { firstMs: 60_000, everyMs: 60_000 };
const OFTEN = { firstMs: 0, everyMs: 1 };
const COUNTED = /^marketplace_store_differences_total (\d+)$/m;

/** A task that takes some milliseconds and counts how many of its runs overlap. */
class SlowTask {
  runs = 0;
  running = 0;
  most = 0;

  constructor(private readonly outcome: () => unknown = () => undefined) {}

  async run(): Promise<void> {
    this.runs += 1;
    this.most = Math.max(this.most, (this.running += 1));
    await setTimeout(5);
    this.running -= 1;
    this.outcome();
  }
}

function upkeepOf(sweep: () => Promise<void>, check: (options: { repair: boolean }) => Promise<readonly Difference[]>) {
  const metrics = new Metrics();
  const captured = captureLog();
  const counted = async () => COUNTED.exec((await metrics.text()).body)?.[1];
  const logged = () =>
    captured.lines.map((line) => JSON.parse(line) as { readonly msg: string; readonly count?: number });
  return { upkeep: new Upkeep({ check }, { sweep }, metrics, captured.log), counted, logged };
}

const nothing = async () => [];

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(1);
}

describe('The upkeep of a store', () => {
  for (const [name, start] of Object.entries({
    sweep: (task: SlowTask) => {
      const { upkeep } = upkeepOf(() => task.run(), nothing);
      upkeep.start(OFTEN, NEVER);
      return upkeep;
    },
    'self-check': (task: SlowTask) => {
      const check = async () => {
        await task.run();
        return [];
      };
      const { upkeep } = upkeepOf(async () => undefined, check);
      upkeep.start(NEVER, OFTEN);
      return upkeep;
    },
  }))
    it(`runs the ${name} again and again, never two at once, and not after the stop`, async () => {
      const task = new SlowTask();
      const upkeep = start(task);
      await until(() => task.runs > 3);
      upkeep.stop();
      const { runs } = task;
      await setTimeout(30);
      expect(task.runs).to.equal(runs);
      expect(task.most).to.equal(1);
    });

  it('repairs what differs, logs it and counts it', async () => {
    const asked: unknown[] = [];
    const found = [1, 2, 3].map((n) => ({ description: `block ${n}: counted 1, there are 2`, repaired: true }));
    const { upkeep, counted, logged } = upkeepOf(
      async () => undefined,
      async (options) => {
        asked.push(options);
        return found;
      },
    );
    expect(await counted()).to.equal('0');
    upkeep.start(NEVER, { firstMs: 0, everyMs: 60_000 });
    await until(async () => (await counted()) !== '0');
    upkeep.stop();
    expect(asked).to.deep.equal([{ repair: true }]);
    expect(await counted()).to.equal('3');
    expect(logged().map(({ msg, count }) => [msg, count])).to.deep.equal([
      ['derived data differed from the automations', 3],
    ]);
  });

  it('logs a failure and tries again', async () => {
    const task = new SlowTask(() => {
      throw new Error('the store is away');
    });
    const { upkeep, logged } = upkeepOf(() => task.run(), nothing);
    upkeep.start(OFTEN, NEVER);
    await until(() => task.runs > 1);
    upkeep.stop();
    expect(logged()[0]?.msg).to.equal('the sweep failed; the next minute tries again');
  });

  it('does not report what fails because the service has stopped', async () => {
    const task = new SlowTask(() => {
      throw new Error('the store is closed');
    });
    const { upkeep, logged } = upkeepOf(() => task.run(), nothing);
    upkeep.start({ firstMs: 0, everyMs: 60_000 }, NEVER);
    await until(() => task.running === 1);
    upkeep.stop();
    await until(() => task.running === 0);
    await setTimeout(5);
    expect(task.runs).to.equal(1);
    expect(logged()).to.deep.equal([]);
  });
});
