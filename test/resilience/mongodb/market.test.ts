import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { describeMongo } from '../../support/mongodb.js';
import { runMarket } from './market-run.js';

describeMongo('A market that several processes change at once', function (url) {
  it('shows lists of one state each, loses nothing and records all, though processes are killed', async function () {
    this.timeout(120_000);
    const { figures, violations } = await runMarket(url(), `market-${randomUUID()}`, {
      processes: 4,
      seconds: 15,
      killEach: 1.2,
    });
    console.log(`      ${JSON.stringify(figures)}`);
    expect(violations).to.deep.equal([]);
    expect(figures['kills']).to.be.above(5);
  });
});
