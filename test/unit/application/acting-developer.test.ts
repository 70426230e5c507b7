import { expect } from 'chai';
import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/api-key-repository.js';
import { inMemoryStorage } from '../../../adapters/in-memory/storage.js';
import { ScanningSearch } from '../../../adapters/storage/scanning-search.js';
import { AuditTrail } from '../../../application/audit-trail.js';
import { AutomationRecords } from '../../../application/automation-records.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { Marketplace } from '../../../application/marketplace.js';
import { OPERATOR } from '../../../domain/access.js';
import { newCategory } from '../../../domain/category.js';
import { requestKey } from '../../../domain/idempotency.js';
import { failureOf } from '../domain/failure.js';
import { ada, bob, countingIds, reader, StoppedClock } from './people.js';
import { issuedKeys } from '../../support/lists.js';

const DRAFT = { title: 'Sorts mail', description: 'Every morning.', price: 9.99, categoryId: 'tools' };

function open() {
  const clock = new StoppedClock();
  const { automations, archive, auditLog, categories } = inMemoryStorage();
  void categories.save([newCategory({ id: 'tools', name: 'Tools' })]);
  const audit = new AuditTrail(auditLog, { now: clock.now, newId: countingIds() });
  const keys = new DeveloperKeys(new InMemoryApiKeyRepository(), { now: clock.now, audit });
  const marketplace = new Marketplace(automations, categories, { now: clock.now, newId: countingIds(), audit });
  const history = async () => {
    await audit.settled();
    const { items } = await audit.list(OPERATOR, { limit: 100 });
    return items
      .map(({ actor, action, developerId, subject }) => [actor, action, developerId, subject].join(' '))
      .reverse();
  };
  return { clock, keys, marketplace, records: new AutomationRecords(archive, new ScanningSearch(archive)), history };
}

const failing = async (attempt: () => unknown) => {
  const { kind, code } = await failureOf(attempt);
  return `${kind} ${code}`;
};

describe('a developer acting on keys', () => {
  it('has their own, and is told of no other', async () => {
    const { keys } = open();
    const { key } = await keys.issue(ada, { developer: 'ada' });
    expect(await issuedKeys(keys, ada)).to.deep.equal([key]);
    expect(await issuedKeys(keys, bob)).to.deep.equal([]);
    expect(await failing(() => keys.rotate(bob, key.id, 0))).to.equal('not-found no-such-key');
    expect(await failing(() => keys.revoke(bob, key.id))).to.equal('not-found no-such-key');
    expect(await failing(() => keys.issue(bob, { developer: 'ada' }))).to.equal('not-found no-such-developer');
    expect(await issuedKeys(keys, OPERATOR, 'ada')).to.deep.equal([key]);
    expect(await keys.read(ada, key.id)).to.deep.equal(key);
    expect(await failing(() => keys.read(bob, key.id))).to.equal('not-found no-such-key');
  });

  it('gets their own keys, also when another developer is named', async () => {
    const { keys } = open();
    const { key } = await keys.issue(ada, { developer: 'ada' });
    await keys.issue(bob, { developer: 'bob' });
    expect((await keys.list(ada, { developer: 'bob' })).items).to.deep.equal([key]);
    expect(await keys.listActive(ada, 'bob')).to.deep.equal([key]);
    await keys.revoke(ada, key.id);
    expect((await keys.listEnded(ada, { developer: 'bob' })).items.map(({ id }) => id)).to.deep.equal([key.id]);
  });

  it('hands out no scope that they lack', async () => {
    const { keys } = open();
    const { key } = await keys.issue(OPERATOR, { developer: 'ada' });
    expect(await failing(() => keys.issue(reader, { developer: 'ada' }))).to.equal('forbidden automations:write');
    expect(await failing(() => keys.rotate(reader, key.id, 0))).to.equal('forbidden automations:write');
    await keys.issue(reader, { developer: 'ada', scopes: ['automations:read'] });
    expect(await issuedKeys(keys)).to.have.length(2);
  });

  it('has at most 100 that are alive, also of many asked for at once', async () => {
    const { keys, clock } = open();
    await keys.issue(OPERATOR, { developer: 'bob' });
    const expiring = await keys.issue(OPERATOR, { developer: 'ada', lifetime: 1000 });
    const settled = await Promise.allSettled(Array.from({ length: 120 }, () => keys.issue(ada, { developer: 'ada' })));
    expect(settled.filter(({ status }) => status === 'fulfilled')).to.have.length(99);
    expect(await failing(() => keys.issue(OPERATOR, { developer: 'ada' }))).to.equal('conflict too-many-keys');
    expect(await failing(() => keys.rotate(ada, expiring.key.id, 1))).to.equal('conflict too-many-keys');
    await keys.rotate(ada, expiring.key.id, 0);
    await keys.issue(bob, { developer: 'bob' });
    clock.set(1000);
    await keys.issue(ada, { developer: 'ada' });
    expect(await failing(() => keys.issue(ada, { developer: 'ada' }))).to.equal('conflict too-many-keys');
    await keys.revoke(ada, (await issuedKeys(keys, ada)).at(-1)?.id ?? '');
    await keys.issue(ada, { developer: 'ada' });
  });

  it('is in the audit, as the operator is; a second revocation is not', async () => {
    const { keys, history } = open();
    const { key } = await keys.issue(ada, { developer: 'ada' });
    const { key: successor } = await keys.rotate(OPERATOR, key.id, 0);
    await keys.revoke(ada, successor.id);
    await keys.revoke(OPERATOR, successor.id);
    await failureOf(() => keys.revoke(bob, key.id));
    expect(await history()).to.deep.equal([
      `developer key-issued ada ${key.id}`,
      `operator key-rotated ada ${successor.id}`,
      `developer key-revoked ada ${successor.id}`,
    ]);
  });
});

describe('a developer acting on automations', () => {
  it('lists their own, newest first, by parts', async () => {
    const { marketplace, records } = open();
    const titles = ['One', 'Two', 'Three', 'Four', 'Five'];
    for (const title of titles)
      for (const by of [ada, bob]) await marketplace.createAutomation(by, { ...DRAFT, title });
    const first = await records.listOwn(ada, { limit: 3 });
    const second = await records.listOwn(ada, { limit: 3, before: first.next });
    expect([...first.items, ...second.items].map(({ title }) => title)).to.deep.equal(titles.toReversed());
    expect([...first.items, ...second.items].map(({ developerId }) => developerId)).to.deep.equal(Array(5).fill('ada'));
    expect(second).not.to.have.property('next');
    expect((await records.listOwn(ada, { limit: 5 })).next).to.equal(undefined);
    for (const before of ['', 'no-id']) expect(await records.listOwn(ada, { before })).to.deep.equal({ items: [] });
    expect(await failing(() => records.listOwn(ada, { limit: 0 }))).to.equal('invalid invalid-fields');
    expect(await failing(() => records.listOwn({ ...ada, scopes: [] }))).to.equal('forbidden automations:read');
  });

  it('is in the audit, once for a create that is asked for again', async () => {
    const { marketplace, history } = open();
    const [one, again] = [
      await marketplace.createAutomationOnce(ada, DRAFT, requestKey('k')),
      await marketplace.createAutomationOnce(ada, DRAFT, requestKey('k')),
    ];
    expect(again.replayed).to.be.true;
    const other = await marketplace.createAutomation(bob, DRAFT);
    await failureOf(() => marketplace.withdrawAutomation(bob, one.automation.id));
    await marketplace.reviseAutomation(ada, one.automation.id, { title: 'New' });
    await marketplace.reviseAutomation(OPERATOR, other.id, { price: 1 });
    await marketplace.withdrawAutomation(ada, one.automation.id);
    await marketplace.withdrawAutomation(OPERATOR, other.id);
    expect(await history()).to.deep.equal([
      `developer automation-published ada ${one.automation.id}`,
      `developer automation-published bob ${other.id}`,
      `developer automation-revised ada ${one.automation.id}`,
      `operator automation-revised bob ${other.id}`,
      `developer automation-withdrawn ada ${one.automation.id}`,
      `operator automation-withdrawn bob ${other.id}`,
    ]);
  });
});
