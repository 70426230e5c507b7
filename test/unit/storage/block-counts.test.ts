import { expect } from 'chai';
import { BLOCK_SIZE, BlockCounts } from '../../../adapters/storage/block-counts.js';
import type { CategoryId } from '../../../domain/category.js';
import { GAMES, numbers, TOOLS } from '../../contracts/offers.js';
import { seeded } from '../../support/catalogue.js';

/** Counts of items that are given as numbers, each of one category. */
function countsOf(items: readonly (readonly [number: number, category: CategoryId])[]): BlockCounts {
  const counts = new BlockCounts();
  for (const [number, category] of items) counts.add(category, Math.floor(number / BLOCK_SIZE), 1);
  return counts;
}

/** Returns the item that a position leads to: the items of its block, newest first, without the skipped ones. */
function itemAt(counts: BlockCounts, items: readonly number[], position: number, category?: CategoryId) {
  const found = counts.locate(position, category);
  if (found === undefined) return undefined;
  const inBlock = items.filter((number) => Math.floor(number / BLOCK_SIZE) === found.block);
  return inBlock.sort((one, other) => other - one)[found.skip];
}

describe('the counts of blocks', () => {
  it('of nothing', () => {
    const counts = new BlockCounts();
    expect([counts.total(), counts.total(TOOLS)]).to.deep.equal([0, 0]);
    expect(counts.totals()).to.deep.equal(new Map());
    expect([counts.locate(0), counts.locate(0, TOOLS)]).to.deep.equal([undefined, undefined]);
  });

  it('find the nth newest, of all and of a category, among numbers with gaps', () => {
    const random = seeded(7);
    const categories = [TOOLS, GAMES, 'constructor' as CategoryId];
    const items = numbers(20_000)
      .filter(() => random() < 0.1)
      .map((number) => [number, categories[Math.floor(random() * random() * 3)] ?? TOOLS] as const);
    const counts = countsOf(items);
    for (const category of [undefined, ...categories]) {
      const matching = items.filter(([, of]) => category === undefined || of === category).map(([number]) => number);
      const newestFirst = matching.toReversed();
      expect(counts.total(category)).to.equal(matching.length);
      for (let position = 0; position < matching.length; position += 13)
        expect(itemAt(counts, matching, position, category)).to.equal(newestFirst[position]);
      expect(itemAt(counts, matching, matching.length - 1, category)).to.equal(matching[0]);
      expect(counts.locate(matching.length, category)).to.equal(undefined);
    }
  });

  it('skip blocks that are empty, and full ones', () => {
    const counts = new BlockCounts();
    counts.add(TOOLS, 3, BLOCK_SIZE);
    counts.add(TOOLS, 39_000, 1);
    counts.add(TOOLS, 0, 2);
    expect([0, 1, 256, 257, 258, 259].map((position) => counts.locate(position, TOOLS))).to.deep.equal([
      { block: 39_000, skip: 0 },
      { block: 3, skip: 0 },
      { block: 3, skip: 255 },
      { block: 0, skip: 0 },
      { block: 0, skip: 1 },
      undefined,
    ]);
  });

  it('follow changes: counts that are added to and taken from', () => {
    const counts = countsOf([
      [1, TOOLS],
      [300, TOOLS],
      [301, GAMES],
    ]);
    counts.add(TOOLS, 1, 4);
    counts.add(GAMES, 1, -1);
    expect([counts.total(), counts.total(TOOLS), counts.total(GAMES)]).to.deep.equal([6, 6, 0]);
    expect(counts.totals()).to.deep.equal(new Map([[TOOLS, 6]]));
    expect(counts.locate(4)).to.deep.equal({ block: 1, skip: 4 });
    expect(counts.locate(5)).to.deep.equal({ block: 0, skip: 0 });
  });
});
