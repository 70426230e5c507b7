import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/storage.js';
import { ScanningSearch } from '../../../adapters/storage/scanning-search.js';
import { AutomationRecords } from '../../../application/automation-records.js';
import { OPERATOR } from '../../../domain/access.js';
import { at, automation, automationIdOf, BOB, numbers, offer, store } from '../../contracts/offers.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { ada, bob, writer } from './people.js';

/** Records of a store with seven automations: every third is Bob's, the fourth was withdrawn. */
async function open() {
  const { automations, archive } = inMemoryStorage();
  await store(automations, ...numbers(7).map((n) => offer(n, n % 3 === 0 ? { developerId: BOB } : {})));
  await automations.withdraw(automationIdOf(4), { by: 'developer', at: at(9), reason: 'A fraud.' });
  return new AutomationRecords(archive, new ScanningSearch(archive));
}

describe("a developer's own automations", () => {
  it('are those on sale, newest first, by parts', async () => {
    const records = await open();
    const first = await records.listOwn(ada, { limit: 2 });
    const second = await records.listOwn(ada, { limit: 2, before: first.next });
    expect([first, second]).to.deep.equal([
      { items: [automation(7), automation(5)], next: automationIdOf(5) },
      { items: [automation(2), automation(1)] },
    ]);
    expect((await records.listOwn(bob)).items).to.have.length(2);
  });

  it('go on behind one that was withdrawn meanwhile', async () => {
    const { items } = await (await open()).listOwn(ada, { before: automationIdOf(4) });
    expect(items).to.deep.equal([automation(2), automation(1)]);
  });

  it("are none behind an id that is malformed, unknown or another developer's", async () => {
    for (const before of ['', 'malformed', automationIdOf(9), automationIdOf(3)])
      expect(await (await open()).listOwn(ada, { before })).to.deep.equal({ items: [] });
  });

  it('need the scope to read, and a limit in range', async () => {
    const records = await open();
    expect((await failureOf(() => records.listOwn(writer))).kind).to.equal('forbidden');
    expect(await brokenBy(() => records.listOwn(ada, { limit: 101 }))).to.deep.equal(['limit: out-of-range']);
  });
});

describe('the record of an automation', () => {
  it('is the automation, also when it was withdrawn, with the reason', async () => {
    const records = await open();
    expect(await records.read(ada, automationIdOf(1))).to.deep.equal({ automation: automation(1) });
    for (const by of [ada, OPERATOR] as const)
      expect(await records.read(by, automationIdOf(4))).to.deep.equal({
        automation: automation(4),
        withdrawn: { at: at(9), by: 'developer', reason: 'A fraud.' },
      });
  });

  it('is for its developer and the operator; there is none of what is malformed or unknown', async () => {
    const records = await open();
    expect((await failureOf(() => records.read(bob, automationIdOf(1)))).code).to.equal('no-such-automation');
    expect((await failureOf(() => records.read(writer, automationIdOf(1)))).kind).to.equal('forbidden');
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
    expect(await find(bob)).to.deep.equal([[6, 3], 2]);
    expect(await find(bob, { developer: 'ada' })).to.deep.equal([[6, 3], 2]);
  });

  it('needs the scope to read', async () => {
    expect((await failureOf(() => find(writer))).code).to.equal('automations:read');
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
