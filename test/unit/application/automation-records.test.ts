import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/storage.js';
import { ScanningSearch } from '../../../application/scanning-search.js';
import { AutomationRecords } from '../../../application/automation-records.js';
import { OPERATOR } from '../../../domain/access.js';
import { at, automation, automationIdOf, BOB, numbers, offer, store } from '../../contracts/offers.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { ada, bob } from './people.js';
import { signedIn } from '../../support/signed-in.js';

/** Records of a store with seven automations: every third is Bob's, the fourth was withdrawn. */
async function open() {
  const { automations, archive } = inMemoryStorage();
  await store(automations, ...numbers(7).map((n) => offer(n, n % 3 === 0 ? { developerId: BOB } : {})));
  await automations.withdraw(automationIdOf(4), { by: 'developer', at: at(9), reason: 'A fraud.' });
  return new AutomationRecords(archive, new ScanningSearch(archive));
}

describe('the record of an automation', () => {
  it('is the automation, also when it was withdrawn, with the reason', async () => {
    const records = await open();
    expect(await records.read(signedIn(ada), automationIdOf(1))).to.deep.equal({ automation: automation(1) });
    for (const by of [signedIn(ada), OPERATOR])
      expect(await records.read(by, automationIdOf(4))).to.deep.equal({
        automation: automation(4),
        withdrawn: { at: at(9), by: 'developer', reason: 'A fraud.' },
      });
  });

  it('is for its developer and the operator; there is none of what is malformed or unknown', async () => {
    const records = await open();
    expect((await failureOf(() => records.read(signedIn(bob), automationIdOf(1)))).code).to.equal('no-such-automation');
    for (const id of ['', 'malformed', automationIdOf(9)])
      expect((await failureOf(() => records.read(OPERATOR, id))).code).to.equal('no-such-automation');
  });
});

describe('finding automations on sale', () => {
  const find = async (...asked: Parameters<AutomationRecords['find']>) => {
    const { items, total } = await (await open()).find(...asked);
    return [items.map(({ automation: { title } }) => Number(title.split(' ')[1])), total];
  };

  it('is of all of them for the operator, and of one developer on demand', async () => {
    expect(await find(OPERATOR)).to.deep.equal([[7, 6, 5, 3, 2, 1], 6]);
    expect(await find(OPERATOR, { limit: 2, page: 2 })).to.deep.equal([[5, 3], 6]);
    expect(await find(OPERATOR, { developer: 'bob' })).to.deep.equal([[6, 3], 2]);
    expect(await find(OPERATOR, { developer: 'bob', q: 'NUMBER 6' })).to.deep.equal([[6], 1]);
    expect(await find(OPERATOR, { category: 'tools', limit: 1 })).to.deep.equal([[7], 6]);
    for (const category of ['games', 'No such']) expect(await find(OPERATOR, { category })).to.deep.equal([[], 0]);
  });

  it('is of their own for a developer, whatever developer is asked for', async () => {
    expect(await find(signedIn(bob))).to.deep.equal([[6, 3], 2]);
    expect(await find(signedIn(bob), { developer: 'ada' })).to.deep.equal([[6, 3], 2]);
  });

  it('fails as invalid with every broken rule', async () => {
    expect(await brokenBy(() => find(OPERATOR, { q: '!', developer: 'Ada', page: 0, limit: 101 }))).to.deep.equal([
      'page: out-of-range',
      'limit: out-of-range',
      'developer: invalid-format',
      'q: too-short',
    ]);
  });
});
