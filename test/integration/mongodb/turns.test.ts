import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import type { Base } from '../../../adapters/mongodb/insertion.js';
import { Turns } from '../../../adapters/mongodb/turns.js';
import type { TurnNote } from '../../../adapters/mongodb/turn-notes.js';

/**
 * In milliseconds: longer than a turn that nobody uses; from whoever has it and says nothing it is taken between the
 * two others.
 */
const UNUSED = 40;
const HELD = 200;
const LOST = 400;

/** Notes as the store tells them: in one order, a little after they were added. */
class Board {
  readonly all: TurnNote[] = [];
  isBroken = false;

  async add(note: TurnNote): Promise<void> {
    await setTimeout(1);
    if (this.isBroken) throw new Error('no notes are taken');
    this.all.push(note);
  }

  async follow(tell: (note: TurnNote) => void, goesOn: () => boolean): Promise<void> {
    for (let read = 0; goesOn();) {
      if (this.isBroken) throw new Error('no notes can be read');
      while (read < this.all.length) tell(this.all[read++] as TurnNote);
      await setTimeout(1);
    }
  }

  last(): Promise<null> {
    return Promise.resolve(null);
  }

  get joins(): readonly TurnNote[] {
    return this.all.filter(({ turn }) => turn === undefined);
  }

  /** Of those that give the same turn the first. */
  get turns(): readonly TurnNote[] {
    const turns: TurnNote[] = [];
    for (const note of this.all) if ((note.turn ?? 0) > (turns.at(-1)?.turn ?? 0)) turns.push(note);
    return turns;
  }
}

describe('Turns of processes that add', () => {
  let board: Board;
  let having: Set<Turns>;
  beforeEach(() => {
    board = new Board();
    having = new Set();
  });

  const crowd = (count: number): readonly Turns[] => {
    const all = Array.from({ length: count }, () => new Turns(board));
    for (const turns of all) turns.noteOther();
    return all;
  };
  const baseOf = (overall: number): Base => ({ overall, within: new Map([['tools', overall]]) });
  /** Takes turns again and again, with one batch in each; nobody else may have one meanwhile. */
  const work = async (turns: Turns, batches: number, told: (number | undefined)[]): Promise<void> => {
    for (let n = 0; n < batches; n += 1) {
      const turn = await turns.take();
      if (turn !== undefined) told.push(turn.base?.overall);
      expect(Array.from(having), 'have it too').to.deep.equal([]);
      having.add(turns);
      await setTimeout(8);
      having.delete(turns);
      turns.done(baseOf(board.turns.length));
    }
  };

  /** So quickly that no turn was lost. */
  const smoothly = async (taken: Promise<unknown>): Promise<void> => {
    const start = performance.now();
    await taken;
    expect(performance.now() - start).to.be.below(HELD);
  };

  it('are one after the other, each with what the one before has left behind', async () => {
    const told: (number | undefined)[][] = [[], [], []];
    await Promise.all(crowd(3).map((turns, n) => work(turns, 5, told[n] ?? [])));
    expect(told.flat()).to.have.length.of.at.least(12);
    const [first, ...others] = board.turns;
    expect(first).not.to.have.property('numbers');
    expect(others.filter(({ numbers }) => numbers === undefined)).to.deep.equal([]);
    expect(told.map(([first]) => first).filter((overall) => overall === undefined)).to.have.length(1);
  });

  it('leave behind how far the numbers of each category go', async () => {
    const [one, other] = crowd(2) as [Turns, Turns];
    const base: Base = {
      overall: 7,
      within: new Map([
        ['tools', 3],
        ['"toys"', 4],
      ]),
    };
    await one.take();
    const next = other.take();
    await setTimeout(UNUSED);
    one.done(base);
    expect(await next).to.deep.equal({ base });
  });

  it('go round, so that nobody has two before everybody who wants one has had one', async () => {
    await Promise.all(crowd(3).map((turns) => work(turns, 6, [])));
    const holders = board.turns.map(({ ring }) => ring?.[0]).slice(3, 12);
    for (let n = 3; n < holders.length; n += 1) expect(holders[n]).to.equal(holders[n - 3]);
    expect(new Set(holders)).to.have.property('size', 3);
    expect(board.joins).to.have.length(3);
  });

  it('are of the first who takes one that nobody has, though two do at the same time', async () => {
    const [one, other] = crowd(2) as [Turns, Turns];
    await smoothly(Promise.all([work(one, 1, []), work(other, 1, [])]));
    await setTimeout(UNUSED);
    await smoothly(Promise.all([work(one, 1, []), work(other, 1, [])]));
  });

  it('come again to whoever gave one up just now', async () => {
    const [one] = crowd(1) as [Turns];
    await work(one, 1, []);
    while (board.turns.length < 2) await setTimeout(0);
    await smoothly(work(one, 1, []));
  });

  it('pass by whoever has nothing to add, who says nothing more', async () => {
    const [busy, idle] = crowd(2) as [Turns, Turns];
    await smoothly(Promise.all([work(busy, 4, []), work(idle, 1, [])]));
    await setTimeout(UNUSED);
    const before = board.all.length;
    await work(busy, 3, []);
    await setTimeout(UNUSED);
    expect(new Set(board.all.slice(before).map(({ by }) => by))).to.have.property('size', 1);
    expect(board.turns.at(-1)?.ring).to.deep.equal([]);
  });

  it('are taken from whoever is there no more', async () => {
    const [one] = crowd(1) as [Turns];
    board.all.push({ by: 'gone', turn: 7, ring: ['gone', 'gone too'], numbers: '[3,[]]' });
    const told: (number | undefined)[] = [];
    const start = performance.now();
    await work(one, 1, told);
    expect(performance.now() - start).to.be.within(HELD, LOST);
    expect(told).to.deep.equal([undefined]);
    expect(board.turns.find(({ turn }) => turn === 8)?.ring?.slice(1)).to.deep.equal(['gone too']);
  });

  it('are done without where no notes can be had, and asked for no more', async () => {
    const [one] = crowd(1) as [Turns];
    board.isBroken = true;
    expect(await one.take()).to.deep.equal({ base: undefined });
    board.isBroken = false;
    expect(await one.take()).to.equal(undefined);
    expect(board.all).to.deep.equal([]);
  });

  it('end when the notes break off, and start again', async () => {
    const [one, other] = crowd(2) as [Turns, Turns];
    expect(await one.take()).to.deep.equal({ base: undefined });
    board.isBroken = true;
    await setTimeout(UNUSED);
    board.isBroken = false;
    for (const turns of [one, other]) turns.noteOther();
    expect(await one.take()).not.to.equal(undefined);
    one.done(baseOf(1));
    await Promise.all([work(one, 3, []), work(other, 3, [])]);
  });

  it('are not taken by who is alone', async () => {
    const alone = new Turns(board);
    for (let n = 0; n < 3; n += 1) {
      expect(await alone.take()).to.equal(undefined);
      alone.done(baseOf(n));
    }
    expect(board.all).to.deep.equal([]);
  });
});
