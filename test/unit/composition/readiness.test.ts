import { expect } from 'chai';
import { Readiness } from '../../../composition/service/readiness.js';

describe('Readiness', () => {
  let pings = 0;
  let inReach = true;
  const store = {
    ping: async () => {
      pings += 1;
      if (!inReach) throw new Error('out of reach');
    },
  };
  beforeEach(() => {
    pings = 0;
    inReach = true;
  });

  it('is not there before it is opened, and the store is not asked', async () => {
    expect(await new Readiness(store).isReady()).to.equal(false);
    expect(pings).to.equal(0);
  });

  it('asks the store once, however many ask', async () => {
    const readiness = new Readiness(store);
    readiness.open();
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => readiness.isReady()));
    expect(answers).to.deep.equal(answers.map(() => true));
    expect(pings).to.equal(1);
  });

  it('asks again after a second, and says no when the store is out of reach', async function () {
    this.timeout(5_000);
    const readiness = new Readiness(store);
    readiness.open();
    expect(await readiness.isReady()).to.equal(true);
    inReach = false;
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect(await readiness.isReady()).to.equal(false);
    expect(pings).to.equal(2);
  });

  it('is over at once when it is closed', async () => {
    const readiness = new Readiness(store);
    readiness.open();
    const asked = readiness.isReady();
    readiness.close();
    expect([await asked, await readiness.isReady()]).to.deep.equal([false, false]);
  });
});
