import { expect } from 'chai';
import { addSizeOf, inWrites, MAX_ADD_SIZE } from '../../../domain/add-size.js';
import { numbers, offer } from '../../contracts/offers.js';

const LONGEST = { description: 'x'.repeat(10_000) };

describe('the size of a write of automations', () => {
  it('counts their characters, not only their number', () => {
    expect(addSizeOf({ title: 'a', description: 'b' })).to.equal(1);
    expect(addSizeOf({ title: 'a'.repeat(56), description: 'b'.repeat(200) })).to.equal(2);
    expect(addSizeOf({ title: 'a', ...LONGEST })).to.equal(40);
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
