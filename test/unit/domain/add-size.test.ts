import { expect } from 'chai';
import { addSizeOf, inWrites, MAX_ADD_SIZE } from '../../../domain/add-size.js';
import { numbers, offer } from '../../contracts/offers.js';

const LONGEST = { description: 'x'.repeat(10_000) };

function sizeOf(texts: { readonly title: string; readonly description: string }, bytes = 0): number {
  return addSizeOf({ automation: texts, ...(bytes > 0 && { fileContent: new Uint8Array(bytes) }) });
}

describe('the size of a write of automations', () => {
  it('counts their characters, not only their number', () => {
    expect(sizeOf({ title: 'a', description: 'b' })).to.equal(1);
    expect(sizeOf({ title: 'a'.repeat(56), description: 'b'.repeat(200) })).to.equal(2);
    expect(sizeOf({ title: 'a', ...LONGEST })).to.equal(40);
  });

  it('counts the bytes of their files', () => {
    const texts = { title: 'a', description: 'b' };
    expect([0, 1, 32_767, 32_768, 1_048_576].map((bytes) => sizeOf(texts, bytes))).to.deep.equal([1, 1, 1, 2, 33]);
    const largest = numbers(31).map((n) => ({ ...offer(n), fileContent: new Uint8Array(1_048_576) }));
    expect(inWrites(largest).map(({ length }) => length)).to.deep.equal([15, 15, 1]);
  });

  it('is 500 at most: short automations by the hundred, the longest by the dozen, in order', () => {
    const short = numbers(1_100).map((n) => offer(n));
    const long = numbers(30).map((n) => offer(2_000 + n, LONGEST));
    const writes = inWrites([...short, ...long]);
    expect(writes.map(({ length }) => length)).to.deep.equal([500, 500, 110, 12, 8]);
    expect(writes.flat()).to.deep.equal([...short, ...long]);
  });

  it('of one automation may be more', () => {
    const huge = offer(1, { description: 'x'.repeat(300 * MAX_ADD_SIZE) });
    expect(inWrites([huge, huge])).to.deep.equal([[huge], [huge]]);
    expect(inWrites([])).to.deep.equal([]);
  });
});
