import { expect } from 'chai';
import { hungMongod, stoppedWhileHung } from './hung.js';
import { readYourWrites } from './read-your-writes.js';
import { ReplicaSet } from '../../support/replica-set.js';
import { STEP_DOWN, storm } from './service-load.js';
import { setModel } from './set-model.js';
import { describeMongod } from '../../support/mongodb.js';
import type { Report } from '../../support/soak-report.js';

describeMongod('Services on a MongoDB replica set', () => {
  let three: ReplicaSet;
  let one: ReplicaSet;
  before(async () => {
    [three, one] = await Promise.all([ReplicaSet.start(3), ReplicaSet.start(1)]);
  });
  after(() => Promise.all([three.stop(), one.stop()]));

  const stepDown = { ...STEP_DOWN, pause: 2_000 };
  const expectNothingWrong = ({ figures, violations }: Report): Report => {
    console.log(
      `      ${Object.entries(figures)
        .map(([figure, value]) => `${figure} ${value}`)
        .join(' · ')}`,
    );
    expect(violations).to.deep.equal([]);
    return { figures, violations };
  };

  it('lose and double no create while a primary steps down', async () => {
    const { figures } = expectNothingWrong(await storm(three, stepDown, { perSecond: 50, seconds: 4 }));
    expect(figures).to.include({ lost: 0, doubled: 0 });
    expect(figures['step-downs']).to.be.at.least(1);
  });

  it('keep what they acknowledged and nothing that they refused', async () => {
    expectNothingWrong(await setModel(three, stepDown, 5));
  });

  it('show at once what another has stored', async () => {
    expect(expectNothingWrong(await readYourWrites(three, 150)).figures).to.include({ seen: 150 });
  });

  it('say that the database hangs, live on and are well after that', async () => {
    expectNothingWrong(await hungMongod(one, 4_000));
  });

  it('stop while the database hangs', async () => {
    expectNothingWrong(await stoppedWhileHung(one));
  });
});
