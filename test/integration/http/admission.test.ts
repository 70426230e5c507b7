import { expect } from 'chai';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Admission } from '../../../adapters/http/admission.js';
import { FairQueue } from '../../../adapters/http/fair-queue.js';
import { SLICE } from '../../../adapters/http/in-slices.js';
import { Patience } from '../../../adapters/http/patience.js';
import { Turns } from '../../../adapters/http/turns.js';

/** A clock that stands but for what requests take, and requests that come by hand. */
class Scene {
  #now = 0;
  #worked = 0;
  readonly served: string[] = [];
  readonly shed: string[] = [];
  readonly admission = new Admission({ now: () => this.#now, worked: () => this.#worked });

  /** In milliseconds: what it takes to shed one. */
  constructor(private readonly shedding = 0) {}

  wait(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** The event loop stands still. */
  work(milliseconds: number): void {
    this.#now += milliseconds;
    this.#worked += milliseconds;
  }

  /** So many requests come, each of which takes a millisecond and is answered unless it is told to stay. */
  come(count: number, key = 'a', stays = false): void {
    const serve = () => {
      this.wait(1);
      this.served.push(key);
      if (!stays) this.admission.leave();
    };
    const shed = () => {
      this.wait(this.shedding);
      this.shed.push(key);
    };
    for (let n = 0; n < count; n += 1) this.admission.enter(key, serve, shed);
  }

  /** The same on as many connections: Node goes from one to the next when nothing is left to do at once. */
  async comeApart(count: number, key = 'a'): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      this.come(1, key);
      for (let tick = 0; tick < 5; tick += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
    }
  }

  /** Until everybody is answered. */
  async settle(): Promise<void> {
    const answered = () => this.served.length + this.shed.length;
    let before = -1;
    while (before !== answered()) {
      before = answered();
      await setImmediate();
      await setImmediate();
    }
  }
}

describe('Admission', () => {
  let scene: Scene;
  beforeEach(() => {
    scene = new Scene();
  });
  afterEach(() => scene.admission.close());

  it('serves the first of each at once, and the others once the connections have been read', async () => {
    scene.come(3);
    scene.come(2, 'b');
    expect(scene.served).to.deep.equal(['a', 'b']);
    await setImmediate();
    expect(scene.served).to.deep.equal(['a', 'b', 'a', 'b']);
    await scene.settle();
    expect(scene.served.length).to.equal(5);
    scene.come(1);
    expect(scene.served.length).to.equal(6);
  });

  it('serves nobody at once of whom others wait, and no more than 64', async () => {
    scene.come(20);
    await setImmediate();
    const served = scene.served.length;
    scene.come(1);
    expect(scene.served.length).to.equal(served);
    for (let n = 0; n < 70; n += 1) scene.come(1, `b${n}`);
    expect(scene.served.length).to.equal(served + 64);
    await scene.settle();
    expect([scene.served.length, scene.shed.length]).to.deep.equal([91, 0]);
  });

  it('serves those who wait for two milliseconds at a time, a hundred that come together as well', async () => {
    scene.come(100);
    await setImmediate();
    expect(scene.served.length).to.equal(1 + 2);
    await scene.settle();
    expect([scene.served.length, scene.shed.length]).to.deep.equal([100, 0]);
  });

  it('serves in turns, so that who asks a lot keeps nobody waiting', async () => {
    scene.come(50, 'a lot');
    scene.come(1, 'little');
    await scene.settle();
    expect(scene.served.indexOf('little')).to.be.at.most(4);
    expect(scene.served.length).to.equal(51);
  });

  it('looks at the connections again after each slice', async () => {
    scene.come(50, 'a lot');
    await setImmediate();
    expect(scene.served.length).to.be.at.most(6);
    scene.come(1, 'little');
    await setImmediate();
    await setImmediate();
    expect(scene.served).to.include('little');
    expect(scene.served.length).to.be.at.most(12);
  });

  it('sheds nobody for what the machine did meanwhile', async () => {
    scene.come(1);
    scene.wait(5_000);
    await setTimeout(80);
    scene.come(100);
    await scene.settle();
    expect(scene.shed).to.deep.equal([]);
  });

  it('sheds what came while the event loop stood still for long, but for a share of each', async () => {
    scene.work(600);
    await setTimeout(80);
    scene.come(40);
    scene.come(2, 'little');
    await scene.settle();
    expect([scene.served.length, scene.shed.length]).to.deep.equal([11, 31]);
    await setTimeout(120);
    scene.come(40);
    await scene.settle();
    expect([scene.served.length, scene.shed.length]).to.deep.equal([51, 31]);
  });

  it('has no more under way than one second answers, or a thousand', async () => {
    scene.come(1_500, 'a', true);
    await scene.settle();
    expect([scene.served.length, scene.shed.length, scene.admission.underWay]).to.deep.equal([1_000, 500, 1_000]);
    scene.come(1);
    await scene.settle();
    expect(scene.shed.length).to.equal(501);
    for (let n = 0; n < 1_000; n += 1) scene.admission.leave();
    scene.come(1);
    await scene.settle();
    expect(scene.served.length).to.equal(1_001);
  });

  it('has as many under way as the second before answered, where that is more than a thousand', async () => {
    scene.come(1_000, 'a', true);
    await scene.settle();
    scene.wait(1_000);
    await setTimeout(80);
    for (let n = 0; n < 1_000; n += 1) scene.admission.leave();
    scene.come(500, 'a', true);
    await scene.settle();
    for (let n = 0; n < 500; n += 1) scene.admission.leave();
    scene.wait(1_000);
    await setTimeout(80);
    scene.come(2_000, 'a', true);
    await scene.settle();
    expect(scene.admission.underWay).to.equal(1_500);
  });

  it('counts what each second answered by itself', async () => {
    for (let second = 0; second < 3; second += 1) {
      scene.come(400);
      await scene.settle();
      scene.wait(1_000);
      await setTimeout(80);
    }
    scene.come(1_500, 'a', true);
    await scene.settle();
    expect(scene.admission.underWay).to.equal(1_000);
  });
});

describe('Admission, once it is known what a request costs', () => {
  const TIMES = 600;

  /** More come than are served in the meantime, for more than a second; others ask little. */
  const crowd = async (scene: Scene, others: readonly string[] = []): Promise<void> => {
    for (let n = 0; n < TIMES; n += 1) {
      await scene.comeApart(40, 'a lot');
      if (n % 6 === 0) for (const other of others) scene.come(1, other);
      await setImmediate();
    }
    await scene.settle();
  };

  it('sheds who would wait too long, and serves the others', async () => {
    const scene = new Scene();
    await crowd(scene);
    expect(scene.shed.length).to.be.greaterThan(1_000);
    expect(scene.served.length).to.be.greaterThan(128);
    expect(scene.served.length + scene.shed.length).to.equal(TIMES * 40);
    scene.admission.close();
  });

  it('sheds none of who asks little', async () => {
    const scene = new Scene();
    await crowd(scene, ['b', 'c']);
    expect(new Set(scene.shed)).to.deep.equal(new Set(['a lot']));
    expect(scene.served.filter((key) => key === 'b')).to.have.length(TIMES / 6);
    scene.admission.close();
  });

  /** How many are shed of five hundred that come together, before any of them is served. */
  const shedOf500 = async (scene: Scene): Promise<number> => {
    const before = scene.shed.length;
    scene.come(500);
    const { length } = scene.shed;
    await scene.settle();
    return length - before;
  };

  it('sheds nobody of a burst, and all but 128 of it while it is a crowd: until nobody was shed for a second', async () => {
    const scene = new Scene();
    expect(await shedOf500(scene)).to.equal(0);
    scene.wait(10_000);
    expect(await shedOf500(scene)).to.equal(0);
    await crowd(scene);
    scene.wait(500);
    expect(await shedOf500(scene)).to.equal(500 - 1 - 128);
    scene.wait(500);
    expect(await shedOf500(scene)).to.equal(500 - 1 - 128);
    scene.wait(1_100);
    expect(await shedOf500(scene)).to.equal(0);
    scene.admission.close();
  });

  it('sheds a crowd if eight refusals cost less than an answer, and otherwise serves it', async () => {
    for (const [shedding, isShed] of [[0.05, true], [0.15, false]] as const) {
      const scene = new Scene(shedding);
      await crowd(scene);
      scene.wait(500);
      expect((await shedOf500(scene)) > 0).to.equal(isShed);
      scene.admission.close();
    }
  });

  it('serves as long as it refuses, even while the connections are read without end', async () => {
    const scene = new Scene(0.1);
    await crowd(scene);
    scene.wait(500);
    const [served, shed] = [scene.served.length, scene.shed.length];
    await scene.comeApart(4_000);
    expect((scene.served.length - served) / ((scene.shed.length - shed) * 0.1)).to.be.within(0.7, 1.4);
    scene.admission.close();
  });

  it('keeps no place for each of very many credentials', async () => {
    const scene = new Scene();
    await crowd(scene, Array.from({ length: 300 }, (_, n) => `b${n}`));
    expect(scene.shed.filter((key) => key.startsWith('b')).length).to.be.greaterThan(100);
    scene.admission.close();
  });
});

describe('Patience', () => {
  const patienceAfter = (refusals: number, took: number): Patience => {
    let now = 0;
    const patience = new Patience(() => now);
    patience.noteServed(9_000, 9_000);
    patience.noteWait();
    now = 1_000;
    for (let n = 0; n < refusals; n += 1) patience.noteShed(took);
    return patience;
  };

  it('does not judge by the first refusals, which take long', () => {
    expect(patienceAfter(100, 1).isExceeded(500)).to.equal(true);
    expect(patienceAfter(1_000, 1).isExceeded(500)).to.equal(false);
  });

  it('forgets what things cost long ago', () => {
    const patience = patienceAfter(9_000, 3);
    for (let n = 0; n < 40_000; n += 1) patience.noteShed(0);
    expect(patience.isExceeded(500)).to.equal(true);
  });
});

describe('Turns', () => {
  let now = 0;
  let done = 0;
  let turns: Turns;
  beforeEach(() => {
    [now, done] = [0, 0];
    turns = new Turns(
      () => now,
      async () => {
        done += 1;
        await new Promise<void>((resolve) => process.nextTick(resolve));
      },
    );
  });

  it('has the work done once the connections have been read, and not again unless it is told to', async () => {
    turns.take();
    turns.take();
    expect(done).to.equal(0);
    await setImmediate();
    expect(done).to.equal(1);
    await setImmediate();
    expect(done).to.equal(1);
    turns.take();
    await setImmediate();
    expect(done).to.equal(2);
  });

  it('has it done before, and once, if reading takes longer than a slice', async () => {
    now = 1_000;
    turns.hasten();
    turns.take();
    now += SLICE;
    turns.take();
    turns.hasten();
    expect(done).to.equal(0);
    now += 0.1;
    turns.hasten();
    turns.hasten();
    expect(done).to.equal(1);
    await setImmediate();
    expect(done).to.equal(1);
  });

  it('has it done again only when it is done', async () => {
    turns.take();
    now += 10;
    turns.hasten();
    turns.take();
    now += 10;
    turns.hasten();
    expect(done).to.equal(1);
    await setImmediate();
    expect(done).to.equal(2);
  });
});

describe('FairQueue', () => {
  it('gives each subject its turn, and to each its own in order', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item.charAt(0), item);
    expect([queue.size, queue.subjects, queue.waitingOf('c'), queue.waitingOf('d')]).to.deep.equal([6, 3, 2, 0]);
    expect(Array.from({ length: 7 }, () => queue.next())).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined]);
    expect([queue.size, queue.subjects]).to.deep.equal([0, 0]);
  });
});
