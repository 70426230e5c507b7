import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/storage.js';
import { AuditTrail } from '../../../application/audit-trail.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { Marketplace } from '../../../application/marketplace.js';
import { OPERATOR } from '../../../domain/access.js';
import { newCategory } from '../../../domain/category.js';
import { requestKey } from '../../../domain/idempotency.js';
import { failureOf } from '../domain/failure.js';
import { ada, bob, countingIds, StoppedClock } from './people.js';
import { issuedKeys } from '../../support/lists.js';
import { signedIn } from '../../support/signed-in.js';

const DRAFT = { title: 'Sorts mail', description: 'Every morning.', price: 9.99, categoryId: 'tools' };

function open() {
  const clock = new StoppedClock();
  const { automations, auditLog, categories, keys: keyRepository } = inMemoryStorage();
  void categories.save([newCategory({ id: 'tools', name: 'Tools' })]);
  const audit = new AuditTrail(auditLog, { now: clock.now, newId: countingIds() });
  const keys = new DeveloperKeys(keyRepository, { now: clock.now, audit });
  const marketplace = new Marketplace(automations, categories, { now: clock.now, newId: countingIds(), audit });
  const history = async () => {
    await audit.settled();
    const { items } = await audit.list(OPERATOR, { limit: 100 });
    return items
      .map(({ actor, action, developerId, subject, predecessor }) =>
        [actor, action, developerId, subject, ...(predecessor ? [`for ${predecessor}`] : [])].join(' '),
      )
      .reverse();
  };
  return { clock, keys, marketplace, history };
}

const failing = async (attempt: () => unknown) => {
  const { kind, code } = await failureOf(attempt);
  return `${kind} ${code}`;
};

describe('a developer acting on keys', () => {
  it('has their own, and is told of no other', async () => {
    const { keys } = open();
    const { key } = await keys.issue(signedIn(ada), { developer: 'ada' });
    expect(await issuedKeys(keys, signedIn(ada))).to.deep.equal([key]);
    expect(await issuedKeys(keys, signedIn(bob))).to.deep.equal([]);
    expect(await failing(() => keys.rotate(signedIn(bob), key.id, 0))).to.equal('not-found no-such-key');
    expect(await failing(() => keys.revoke(signedIn(bob), key.id))).to.equal('not-found no-such-key');
    expect(await failing(() => keys.issue(signedIn(bob), { developer: 'ada' }))).to.equal(
      'not-found no-such-developer',
    );
    expect(await issuedKeys(keys, OPERATOR, 'ada')).to.deep.equal([key]);
    expect(await keys.read(signedIn(ada), key.id)).to.deep.equal(key);
    expect(await failing(() => keys.read(signedIn(bob), key.id))).to.equal('not-found no-such-key');
  });

  it('gets their own keys, also when another developer is named', async () => {
    const { keys } = open();
    const { key } = await keys.issue(signedIn(ada), { developer: 'ada' });
    await keys.issue(signedIn(bob), { developer: 'bob' });
    expect((await keys.list(signedIn(ada), { developer: 'bob' })).items).to.deep.equal([key]);
    expect(await keys.listActive(signedIn(ada), 'bob')).to.deep.equal([key]);
    await keys.revoke(signedIn(ada), key.id);
    expect((await keys.listEnded(signedIn(ada), { developer: 'bob' })).items.map(({ id }) => id)).to.deep.equal([
      key.id,
    ]);
  });

  it('hands out no scope that their role does not allow', async () => {
    const { keys } = open();
    const { key } = await keys.issue(OPERATOR, { developer: 'ada' });
    const buyer = signedIn(ada, 'buyer');
    const scopes = ['automations:write'];
    expect(await failing(() => keys.issue(buyer, { developer: 'ada', scopes }))).to.equal('invalid scopes');
    expect((await keys.rotate(buyer, key.id, 0)).key.scopes).to.deep.equal(['automations:read']);
    expect((await keys.issue(buyer, { developer: 'ada' })).key.scopes).to.deep.equal(['automations:read']);
  });

  it('has at most 100 that are alive, also of many asked for at once', async () => {
    const { keys, clock } = open();
    await keys.issue(OPERATOR, { developer: 'bob' });
    const expiring = await keys.issue(OPERATOR, { developer: 'ada', lifetime: 1000 });
    const settled = await Promise.allSettled(
      Array.from({ length: 120 }, () => keys.issue(signedIn(ada), { developer: 'ada' })),
    );
    expect(settled.filter(({ status }) => status === 'fulfilled')).to.have.length(99);
    expect(await failing(() => keys.issue(OPERATOR, { developer: 'ada' }))).to.equal('conflict too-many-keys');
    expect(await failing(() => keys.rotate(signedIn(ada), expiring.key.id, 1))).to.equal('conflict too-many-keys');
    await keys.rotate(signedIn(ada), expiring.key.id, 0);
    await keys.issue(signedIn(bob), { developer: 'bob' });
    clock.set(1000);
    await keys.issue(signedIn(ada), { developer: 'ada' });
    expect(await failing(() => keys.issue(signedIn(ada), { developer: 'ada' }))).to.equal('conflict too-many-keys');
    await keys.revoke(signedIn(ada), (await issuedKeys(keys, signedIn(ada))).at(-1)?.id ?? '');
    await keys.issue(signedIn(ada), { developer: 'ada' });
  });

  it('is in the audit, as the operator is; a second revocation is not', async () => {
    const { keys, history } = open();
    const { key } = await keys.issue(signedIn(ada), { developer: 'ada' });
    const { key: successor } = await keys.rotate(OPERATOR, key.id, 0);
    await keys.revoke(signedIn(ada), successor.id);
    await keys.revoke(OPERATOR, successor.id);
    await failureOf(() => keys.revoke(signedIn(bob), key.id));
    expect(await history()).to.deep.equal([
      `developer key-issued ada ${key.id}`,
      `operator key-rotated ada ${successor.id} for ${key.id}`,
      `developer key-revoked ada ${successor.id}`,
    ]);
  });
});

describe('a developer acting on automations', () => {
  it('is in the audit, once for a create that is asked for again', async () => {
    const { marketplace, history } = open();
    const [one, again] = [
      await marketplace.createAutomationOnce(ada, DRAFT, requestKey('k')),
      await marketplace.createAutomationOnce(ada, DRAFT, requestKey('k')),
    ];
    expect(again.replayed).to.be.true;
    const other = await marketplace.createAutomation(bob, DRAFT);
    await failureOf(() => marketplace.withdrawAutomation(signedIn(bob), one.automation.id));
    await marketplace.reviseAutomation(signedIn(ada), one.automation.id, { title: 'New' });
    await marketplace.reviseAutomation(OPERATOR, other.id, { price: 1 });
    await marketplace.withdrawAutomation(signedIn(ada), one.automation.id);
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
