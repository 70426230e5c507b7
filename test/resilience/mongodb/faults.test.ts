import { expect } from 'chai';
import { haltedPrimary, killedPrimary, powerCut, steppedDown } from './faults.js';
import { ReplicaSet } from '../../support/replica-set.js';
import { describeMongod } from '../../support/mongodb.js';
import type { Report } from '../../support/soak-report.js';

describeMongod('A MongoDB replica set of three', () => {
  let set: ReplicaSet;
  before(async () => {
    set = await ReplicaSet.start(3);
  });
  after(() => set.stop());

  const FAULTS: Readonly<Record<string, () => Promise<Report>>> = {
    'whose primary steps down twice': () => steppedDown(set, 2, 1_000),
    'whose primary is killed': () => killedPrimary(set, 1, 1_000),
    'whose primary is halted for some seconds': () => haltedPrimary(set, 6_000),
    'whose nodes are all killed at once': () => powerCut(set, 1, 1_000),
  };
  for (const [title, fault] of Object.entries(FAULTS))
    it(`${title} loses nothing and doubles nothing, and every call is answered`, async () => {
      const { figures, violations } = await fault();
      console.log(
        `      ${Object.entries(figures)
          .map(([figure, value]) => `${figure} ${value}`)
          .join(' · ')}`,
      );
      expect(violations).to.deep.equal([]);
      expect(figures).to.include({ lost: 0, doubled: 0 });
      expect(figures['acknowledged']).to.be.greaterThan(50);
    });
});
