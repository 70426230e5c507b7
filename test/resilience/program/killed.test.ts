import { expect } from 'chai';
import { killRounds } from '../../support/service/kill-rounds.js';

const ROUNDS = 2;

/** The short form. `test/resilience/program/durability.test.ts` has more rounds, and servers. */
describe('A service that is killed during creates', () => {
  it('has lost and doubled nothing that it acknowledged', async () => {
    const { violations, figures } = await killRounds(ROUNDS, 1);
    expect(violations).to.deep.equal([]);
    expect(figures).to.include({ rounds: ROUNDS, lost: 0, doubled: 0 });
    expect(figures['interrupted']).to.be.greaterThan(ROUNDS);
  });
});
