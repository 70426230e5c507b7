import { expect } from 'chai';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Admission } from '../../../adapters/http/admission.js';
import { FairQueue } from '../../../adapters/http/fair-queue.js';
import { Patience } from '../../../adapters/http/patience.js';

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
      scene.come(40, 'a lot');
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

  it('sheds a crowd if three refusals cost less than an answer, and otherwise serves it', async () => {
    for (const [shedding, shed] of [[0.1, 371], [0.4, 0]] as const) {
      const scene = new Scene(shedding);
      await crowd(scene);
      scene.wait(500);
      expect(await shedOf500(scene)).to.equal(shed);
      scene.admission.close();
    }
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
    expect(patienceAfter(100, 3).isExceeded(500)).to.equal(true);
    expect(patienceAfter(1_000, 3).isExceeded(500)).to.equal(false);
  });

  it('forgets what things cost long ago', () => {
    const patience = patienceAfter(9_000, 3);
    for (let n = 0; n < 40_000; n += 1) patience.noteShed(0);
    expect(patience.isExceeded(500)).to.equal(true);
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
