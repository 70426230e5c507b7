import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { LineCopies } from '../../../adapters/cli/line-copies.js';

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

describe('LineCopies', () => {
  it('numbers the copies of each digest from 1', () => {
    const copies = new LineCopies();
    const counts = ['a', 'b', 'a', 'a', 'c', 'b'].map((text) => copies.count(digestOf(text)));
    expect(counts).to.deep.equal([1, 1, 2, 3, 1, 2]);
  });

  it('holds digests of nothing but zeros or ones, and those that fall on the same place', () => {
    const copies = new LineCopies();
    const digests = [Buffer.alloc(32), Buffer.alloc(32, 0xff), Buffer.concat([Buffer.alloc(6), Buffer.alloc(26, 1)])];
    const ends = Array.from({ length: 40 }, (_, last) => Buffer.from([0, 255, 255, 255, 255, 255, 255 - last]));
    for (const digest of [...digests, ...ends]) expect(copies.count(digest)).to.equal(1);
    for (const digest of [...digests, ...ends]) expect(copies.count(digest)).to.equal(2);
  });

  it('counts a million digests in at most 32 bytes each, at every size on the way', () => {
    const copies = new LineCopies();
    const bytes = createHash('shake256', { outputLength: 8_000_000 }).update('a million digests').digest();
    const digest = (index: number): Buffer => bytes.subarray(8 * index, 8 * index + 8);
    for (let index = 0; index < 1_000_000; index += 1) {
      if (copies.count(digest(index)) !== 1) throw new Error(`digest ${index} is counted as a copy`);
      if (index >= 100_000 && index % 1000 === 0) expect(copies.byteSize() / index).to.be.at.most(32);
    }
    for (let index = 0; index < 1_000_000; index += 1)
      if (copies.count(digest(index)) !== 2) throw new Error(`digest ${index} was forgotten`);
    expect(copies.byteSize() / 1_000_000).to.be.within(12, 32);
  });
});
