import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { SlowLane } from '../../../adapters/http/slow-lane.js';

/** In milliseconds: longer than a lane remembers. */
const LONG = 1_100;

describe('The slow lane', () => {
  const enter = (lane: SlowLane, credential: string, count: number): number[] => {
    const gone: number[] = [];
    for (let n = 0; n < count; n += 1) lane.enter(credential, () => void gone.push(n));
    return gone;
  };

  it('keeps nobody who is not known to be over the quota', () => {
    const lane = new SlowLane();
    lane.noteOver('noisy');
    expect(enter(lane, 'quiet', 3)).to.deep.equal([0, 1, 2]);
  });

  it('lets those who are go on later, a few at a time, in their order, and loses none', async () => {
    const lane = new SlowLane();
    lane.noteOver('noisy');
    const gone = enter(lane, 'noisy', 100);
    expect(gone).to.deep.equal([]);
    while (gone.length === 0) await setTimeout(1);
    expect(gone.length).to.be.below(100);
    while (gone.length < 100) await setTimeout(5);
    expect(gone).to.deep.equal(Array.from({ length: 100 }, (_, n) => n));
    const again = enter(lane, 'noisy', 3);
    while (again.length < 3) await setTimeout(5);
    expect(again).to.deep.equal([0, 1, 2]);
  });

  it('forgets them after a second', async () => {
    const lane = new SlowLane();
    lane.noteOver('noisy');
    await setTimeout(LONG);
    expect(enter(lane, 'noisy', 3)).to.deep.equal([0, 1, 2]);
  });

  it('keeps a thousand waiting at most, and knows a thousand credentials at most', () => {
    const lane = new SlowLane();
    lane.noteOver('noisy');
    expect(enter(lane, 'noisy', 1_002)).to.deep.equal([1_000, 1_001]);
    for (let n = 0; n < 1_000; n += 1) lane.noteOver(`another ${n}`);
    expect(enter(lane, 'noisy', 1)).to.deep.equal([0]);
  });
});
