import { expect } from 'chai';
import fc from 'fast-check';
import { rangeAfter, rangeOf, sizeOf, totalOf } from '../../../domain/numbering.js';

/** The numbers on sale, newest first. */
function onSale(highest: number, withdrawn: readonly number[]): readonly number[] {
  return Array.from({ length: highest }, (_, index) => highest - index).filter((number) => !withdrawn.includes(number));
}

const numberings = fc.integer({ min: 0, max: 60 }).chain((highest) =>
  fc.record({
    highest: fc.constant(highest),
    withdrawn: fc.subarray(Array.from({ length: highest }, (_, index) => index + 1)),
  }),
);

describe('numbering', () => {
  it('of nothing has no page', () => {
    const numbering = { highest: 0, withdrawn: [] };
    expect(totalOf(numbering)).to.equal(0);
    expect(rangeOf({ number: 1, limit: 100 }, numbering)).to.equal(undefined);
  });

  it('without withdrawals is a run of numbers', () => {
    const numbering = { highest: 10, withdrawn: [] };
    expect(rangeOf({ number: 1, limit: 4 }, numbering)).to.deep.equal({ lowest: 7, highest: 10 });
    expect(rangeOf({ number: 2, limit: 4 }, numbering)).to.deep.equal({ lowest: 3, highest: 6 });
    expect(rangeOf({ number: 3, limit: 4 }, numbering)).to.deep.equal({ lowest: 1, highest: 2 });
    expect(rangeOf({ number: 4, limit: 4 }, numbering)).to.equal(undefined);
  });

  it('steps over what was withdrawn', () => {
    const numbering = { highest: 10, withdrawn: Float64Array.of(1, 4, 5, 6, 10) };
    expect(totalOf(numbering)).to.equal(5);
    expect(rangeOf({ number: 1, limit: 2 }, numbering)).to.deep.equal({ lowest: 8, highest: 9 });
    expect(rangeOf({ number: 2, limit: 2 }, numbering)).to.deep.equal({ lowest: 3, highest: 7 });
    expect(rangeOf({ number: 3, limit: 2 }, numbering)).to.deep.equal({ lowest: 2, highest: 2 });
  });

  it('of all withdrawn has no page', () => {
    const numbering = { highest: 3, withdrawn: [1, 2, 3] };
    expect(totalOf(numbering)).to.equal(0);
    expect(rangeOf({ number: 1, limit: 1 }, numbering)).to.equal(undefined);
  });

  it('finds the same pages as a filter and a slice', () => {
    const pages = fc.record({ number: fc.integer({ min: 1, max: 12 }), limit: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(numberings, pages, (numbering, page) => {
        const all = onSale(numbering.highest, numbering.withdrawn);
        const wanted = all.slice((page.number - 1) * page.limit, page.number * page.limit);
        const range = rangeOf(page, numbering);
        expect(totalOf(numbering)).to.equal(all.length);
        expect(range && all.filter((number) => number >= range.lowest && number <= range.highest)).to.deep.equal(
          wanted.length > 0 ? wanted : undefined,
        );
      }),
      { numRuns: 5000 },
    );
  });

  it('ends its ranges at numbers that are on sale', () => {
    fc.assert(
      fc.property(numberings, fc.integer({ min: 1, max: 9 }), (numbering, limit) => {
        const all = onSale(numbering.highest, numbering.withdrawn);
        for (let number = 1; number <= Math.ceil(all.length / limit); number += 1) {
          const range = rangeOf({ number, limit }, numbering);
          expect(range).to.deep.equal({
            lowest: all[Math.min(number * limit, all.length) - 1],
            highest: all[(number - 1) * limit],
          });
        }
      }),
      { numRuns: 500 },
    );
  });

  it('after any number finds the same range as a filter and a slice', () => {
    const starts = fc.record({ number: fc.integer({ min: 0, max: 60 }), limit: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(numberings, starts, (numbering, { number, limit }) => {
        const after = Math.min(number, numbering.highest);
        const wanted = onSale(numbering.highest, numbering.withdrawn)
          .toReversed()
          .filter((one) => one > after)
          .slice(0, limit);
        const range = wanted.length > 0 ? { lowest: wanted[0], highest: wanted.at(-1) } : undefined;
        expect(rangeAfter(after, limit, numbering)).to.deep.equal(range);
      }),
      { numRuns: 3000 },
    );
  });

  it('counts what is on sale in a range', () => {
    const bounds = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 60 }));
    fc.assert(
      fc.property(numberings, bounds, (numbering, [lowest, length]) => {
        const range = { lowest, highest: Math.min(lowest + length, numbering.highest) };
        fc.pre(range.highest >= lowest);
        const within = onSale(numbering.highest, numbering.withdrawn).filter(
          (number) => number >= lowest && number <= range.highest,
        );
        expect(sizeOf(range, numbering)).to.equal(within.length);
      }),
      { numRuns: 3000 },
    );
  });

  it('counts a page in its range', () => {
    const numbering = { highest: 10, withdrawn: [1, 4, 5, 6, 10] };
    const sizes = [1, 2, 3].map((number) =>
      sizeOf(rangeOf({ number, limit: 2 }, numbering) ?? expect.fail(), numbering),
    );
    expect(sizes).to.deep.equal([2, 2, 1]);
  });
});
