import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { describeMongo } from '../../support/mongodb.js';
import { manyWithdrawn } from './many-withdrawn.js';

describeMongo('A MongoDB store with many withdrawn automations', function (url) {
  it('counts right, and withdrawals at full speed fail no list', async () => {
    const sizes = { count: 5_000, withdrawals: 500, historyMs: 0 };
    const { figures, violations } = await manyWithdrawn(url(), `withdrawn-${randomUUID()}`, sizes);
    console.log(`      ${JSON.stringify(figures)}`);
    expect(violations).to.deep.equal([]);
  });
});
