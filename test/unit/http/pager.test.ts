import { expect } from 'chai';
import { pageNumbers } from '../../../adapters/web/pager.js';

describe('The row of page numbers', () => {
  const row = (shown: number, last: number) =>
    pageNumbers(shown, last)
      .map((one) => one ?? '…')
      .join(' ');

  it('has the first, the last, and those around the shown page', () => {
    expect(row(1, 1)).to.equal('1');
    expect(row(1, 2)).to.equal('1 2');
    expect(row(1, 3)).to.equal('1 2 3');
    expect(row(1, 4)).to.equal('1 2 3 4');
    expect(row(1, 5)).to.equal('1 2 … 5');
    expect(row(4, 9)).to.equal('1 2 3 4 5 … 9');
    expect(row(5, 9)).to.equal('1 … 4 5 6 … 9');
    expect(row(6, 9)).to.equal('1 … 5 6 7 8 9');
    expect(row(9, 9)).to.equal('1 … 8 9');
    expect(row(50, 4_167)).to.equal('1 … 49 50 51 … 4167');
  });

  it('leads back from a page past the end', () => {
    expect(row(99, 9)).to.equal('1 … 8 9');
    expect(row(99, 1)).to.equal('1');
  });

  it('has each number once, in order, and a gap only for two or more', () => {
    for (let last = 1; last <= 12; last += 1)
      for (let shown = 1; shown <= last; shown += 1) {
        const numbers = pageNumbers(shown, last);
        const known = numbers.filter((one) => one !== undefined);
        expect(known).to.deep.equal([...new Set(known)].sort((one, other) => one - other));
        for (const [index, one] of numbers.entries())
          if (one === undefined) expect(Number(numbers[index + 1]) - Number(numbers[index - 1])).to.be.above(2);
      }
  });
});
