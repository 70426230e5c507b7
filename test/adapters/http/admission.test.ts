import { expect } from 'chai';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Admission } from '../../../adapters/http/admission.js';

/** A clock that stands until it is moved, and requests that come and go by hand. */
class Scene {
  #now = 0;
  #worked = 0;
  readonly admission = new Admission({ now: () => this.#now, worked: () => this.#worked });

  pass(milliseconds: number): void {
    this.#now += milliseconds;
    this.#worked += milliseconds;
  }

  /** The machine does other work. */
  stall(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** How many of so many requests are let in that come one after the other within one turn, each taking so long. */
  turn(count: number, milliseconds: number, key = 'Bearer a'): number {
    let admitted = 0;
    for (let n = 0; n < count; n += 1) {
      if (!this.comes(key)) continue;
      admitted += 1;
      this.pass(milliseconds);
    }
    return admitted;
  }

  comes(key = 'Bearer a'): boolean {
    return this.admission.admits({ headers: { authorization: key } } as IncomingMessage);
  }

  async endTurn(): Promise<void> {
    this.answerAll();
    await setImmediate();
    await setImmediate();
  }

  answerAll(): void {
    while (this.admission.underWay > 0) this.admission.isOver();
  }
}

describe('Admission', () => {
  let scene: Scene;
  beforeEach(() => {
    scene = new Scene();
  });
  afterEach(() => scene.admission.close());

  it('lets everybody in while nobody waits', async () => {
    for (let n = 0; n < 100; n += 1) {
      expect(scene.turn(20, 1)).to.equal(20);
      await scene.endTurn();
    }
  });

  it('lets a burst in, but none that would wait longer than 400 ms', () => {
    const admitted = scene.turn(1_000, 1);
    expect(admitted).to.be.within(400, 410);
  });

  it('sheds what waits longer than 50 ms, once that has been so for 250 ms', async () => {
    const admitted: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      admitted.push(scene.turn(100, 1));
      await scene.endTurn();
    }
    expect(admitted.slice(0, 2)).to.deep.equal([100, 100]);
    expect(admitted.at(-1)).to.be.within(50, 58);
  });

  it('sheds nobody for what the machine did meanwhile', () => {
    scene.turn(1, 1);
    scene.stall(5_000);
    expect(scene.turn(20, 1)).to.equal(20);
  });

  it('lets all in again after one turn in which nobody waited', async () => {
    for (let n = 0; n < 5; n += 1) {
      scene.turn(100, 1);
      await scene.endTurn();
    }
    scene.turn(5, 1);
    await scene.endTurn();
    expect(scene.turn(100, 1)).to.equal(100);
  });

  it('keeps a place for who asks little beside one who asks a lot', async () => {
    for (let n = 0; n < 5; n += 1) {
      scene.turn(100, 1);
      await scene.endTurn();
    }
    scene.turn(200, 1, 'Bearer a lot');
    expect(scene.comes('Bearer a lot')).to.equal(false);
    expect(scene.comes('Bearer little')).to.equal(true);
  });

  it('keeps no place for each of very many credentials', async () => {
    scene.turn(1_000, 1);
    const admitted = Array.from({ length: 500 }, (_, n) => scene.comes(`Bearer ${n}`)).filter(Boolean);
    expect(admitted.length).to.be.at.most(100);
  });

  it('has no more under way than one second answers, or a thousand', async () => {
    const letIn = async (count: number) => {
      let admitted = 0;
      for (let n = 0; n < count; n += 1) {
        admitted += scene.comes() ? 1 : 0;
        if (n % 100 === 0) await setImmediate();
      }
      return admitted;
    };
    expect(await letIn(1_500)).to.equal(1_000);
    expect(scene.admission.underWay).to.equal(1_000);
    expect(scene.comes()).to.equal(false);
    scene.answerAll();
    expect(scene.admission.underWay).to.equal(0);
    expect(scene.comes()).to.equal(true);
  });
});
