import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/storage.js';
import { AuditTrail } from '../../../application/audit-trail.js';
import { Marketplace } from '../../../application/marketplace.js';
import { OPERATOR } from '../../../domain/access.js';
import { newCategory } from '../../../domain/category.js';
import type { AutomationRepository } from '../../../domain/ports.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { ada, bob, countingIds, NOON, StoppedClock } from './people.js';
import { signedIn } from '../../support/signed-in.js';

const DRAFT = { title: 'Sorts mail', description: 'Every morning.', price: 9.99, categoryId: 'tools' };
const FIRST = '01900000-0000-7000-8000-000000000001';

/** A marketplace with one automation of Ada, made at noon. It is 5 milliseconds later. */
async function open() {
  const { automations, categories, auditLog } = inMemoryStorage();
  await categories.save([newCategory({ id: 'tools', name: 'Tools' }), newCategory({ id: 'games', name: 'Games' })]);
  const clock = new StoppedClock();
  const audit = new AuditTrail(auditLog, { now: clock.now, newId: countingIds() });
  const marketplace = new Marketplace(automations, categories, { now: clock.now, newId: countingIds(), audit });
  const created = await marketplace.createAutomation(ada, DRAFT);
  clock.set(5);
  const changes = async () => (await audit.list(OPERATOR)).items.map(({ changed }) => changed).reverse();
  return { marketplace, automations, clock, created, changes };
}

const failing = async (attempt: () => unknown) => {
  const { kind, code } = await failureOf(attempt);
  return `${kind} ${code}`;
};

describe('revising an automation', () => {
  it('stores the changed fields and the time, and says what changed', async () => {
    const { marketplace, created } = await open();
    const { automation, changed } = await marketplace.reviseAutomation(signedIn(ada), FIRST, {
      title: 'New',
      price: 1,
    });
    expect(automation).to.deep.equal({
      ...created,
      title: 'New',
      price: { minorUnits: 100, currency: 'USD' },
      updatedAt: new Date(NOON + 5),
    });
    expect(changed).to.deep.equal(['title', 'price']);
    expect(await marketplace.readAutomation(ada, FIRST)).to.deep.equal(automation);
  });

  it('moves it to another category that exists', async () => {
    const { marketplace } = await open();
    await marketplace.reviseAutomation(signedIn(ada), FIRST, { categoryId: 'games' });
    expect((await marketplace.listAutomations(ada, { category: 'games' })).total).to.equal(1);
    expect((await marketplace.listAutomations(ada, { category: 'tools' })).total).to.equal(0);
    expect(
      await brokenBy(() => marketplace.reviseAutomation(signedIn(ada), FIRST, { categoryId: 'none' })),
    ).to.deep.equal(['categoryId: unknown-value']);
  });

  it('is for the developer who offered it and for the operator', async () => {
    const { marketplace } = await open();
    expect(await failing(() => marketplace.reviseAutomation(signedIn(bob), FIRST, { title: 'x' }))).to.equal(
      'not-found no-such-automation',
    );
    expect(await failing(() => marketplace.reviseAutomation(signedIn(ada, 'buyer'), FIRST, {}))).to.equal(
      'forbidden automations:write',
    );
    expect((await marketplace.reviseAutomation(OPERATOR, FIRST, { title: 'x' })).changed).to.deep.equal(['title']);
  });

  it('that changes nothing stores nothing, and makes no entry', async () => {
    const { marketplace, created, changes } = await open();
    for (const same of [{}, DRAFT, { title: ' Sorts mail' }])
      expect(await marketplace.reviseAutomation(signedIn(ada), FIRST, same)).to.deep.equal({
        automation: created,
        changed: [],
        removed: [],
      });
    expect(await changes()).to.deep.equal([undefined]);
  });

  it('fails with every broken rule, and stores nothing', async () => {
    const { marketplace, created } = await open();
    const broken = ['title: too-short', 'description: invalid-text', 'price: out-of-range'];
    const bad = { title: '', description: 'a\0', price: -1 };
    expect(await brokenBy(() => marketplace.reviseAutomation(signedIn(ada), FIRST, bad))).to.deep.equal(broken);
    expect(await marketplace.readAutomation(ada, FIRST)).to.deep.equal(created);
  });

  it('fails as not-found for what is malformed, unknown or withdrawn', async () => {
    const { marketplace } = await open();
    await marketplace.withdrawAutomation(signedIn(ada), FIRST);
    for (const by of [signedIn(ada), OPERATOR])
      for (const id of ['', 'malformed', FIRST, FIRST.replace('9', '8')])
        expect(await failing(() => marketplace.reviseAutomation(by, id, { title: 'x' }))).to.equal(
          'not-found no-such-automation',
        );
  });

  it('is in the audit, with the fields that changed', async () => {
    const { marketplace, changes } = await open();
    await marketplace.reviseAutomation(signedIn(ada), FIRST, { title: 'x', description: 'y' });
    await marketplace.reviseAutomation(OPERATOR, FIRST, { price: 0, categoryId: 'games' });
    expect(await changes()).to.deep.equal([undefined, ['title', 'description'], ['price', 'categoryId']]);
  });
});

describe('two revisions of an automation', () => {
  it('based on one state conflict, and the first one stays', async () => {
    const { marketplace, created } = await open();
    await marketplace.reviseAutomation(signedIn(ada), FIRST, { title: 'First' }, created.updatedAt);
    expect(
      await failing(() => marketplace.reviseAutomation(OPERATOR, FIRST, { title: 'x' }, created.updatedAt)),
    ).to.equal('conflict revised-meanwhile');
    expect((await marketplace.readAutomation(ada, FIRST)).title).to.equal('First');
  });

  it('of which one changes nothing conflict as well when it is based on an older state', async () => {
    const { marketplace, created } = await open();
    await marketplace.reviseAutomation(signedIn(ada), FIRST, { title: 'First' });
    expect(await failing(() => marketplace.reviseAutomation(signedIn(ada), FIRST, {}, created.updatedAt))).to.equal(
      'conflict revised-meanwhile',
    );
  });

  it('of which the later one is wrong are told first what is wrong', async () => {
    const { marketplace, created } = await open();
    await marketplace.reviseAutomation(signedIn(ada), FIRST, { title: 'First' });
    const wrong = () => marketplace.reviseAutomation(signedIn(ada), FIRST, { title: '' }, created.updatedAt);
    expect(await failing(wrong)).to.match(/^invalid/);
  });

  it('at once, based on what each has just read, conflict: one is stored', async () => {
    const { marketplace } = await open();
    const attempts = ['one', 'other'].map((title) => marketplace.reviseAutomation(signedIn(ada), FIRST, { title }));
    const settled = await Promise.allSettled(attempts);
    expect(settled.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const failure = settled.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(failure.reason).to.include({ kind: 'conflict', code: 'revised-meanwhile' });
  });

  it('in the same millisecond have different times', async () => {
    const { marketplace } = await open();
    const times: number[] = [];
    for (const title of ['one', 'two', 'three'])
      times.push(
        (await marketplace.reviseAutomation(signedIn(ada), FIRST, { title })).automation.updatedAt.getTime() - NOON,
      );
    expect(times).to.deep.equal([5, 6, 7]);
  });

  it('of which one withdraws it: the revision fails as not-found', async () => {
    const { automations, marketplace } = await open();
    const withdrawn: AutomationRepository['revise'] = async (revision) => {
      await marketplace.withdrawAutomation(signedIn(ada), FIRST);
      return automations.revise(revision);
    };
    const { categories } = inMemoryStorage();
    await categories.save([newCategory({ id: 'tools', name: 'Tools' })]);
    const late = new Proxy(automations, {
      get: (port, name): unknown => (name === 'revise' ? withdrawn : Reflect.get(port, name)),
    });
    const failed = await failing(() =>
      new Marketplace(late, categories).reviseAutomation(signedIn(ada), FIRST, { title: 'x' }),
    );
    expect(failed).to.equal('not-found no-such-automation');
  });
});
