import { expect } from 'chai';
import { newUuid } from '../../../application/defaults.js';

describe('New ids', () => {
  it('are UUIDs of version 7 with the time of day', () => {
    const [before, id, after] = [Date.now(), newUuid(), Date.now()];
    expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).to.be.within(before, after + 1);
  });

  it('are each greater than the one before, however many a millisecond has', () => {
    const ids = Array.from({ length: 50_000 }, newUuid);
    const outOfOrder = ids.filter((id, index) => index > 0 && id <= (ids[index - 1] ?? ''));
    expect(outOfOrder).to.deep.equal([]);
  });
});
