import { expect } from 'chai';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/automation-repository.js';
import { InMemoryCategoryRepository } from '../../../adapters/in-memory/category-repository.js';
import { Marketplace } from '../../../application/marketplace.js';
import type { AutomationId } from '../../../domain/automation.js';
import { newCategory } from '../../../domain/category.js';
import { importKey, requestKey } from '../../../domain/idempotency.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { ada, bob, countingIds, DAY, MINUTE, reader, StoppedClock } from './people.js';
import { signedIn } from '../../support/signed-in.js';

const DRAFT = { title: 'Sorts mail', description: 'Every morning.', price: 9.99, categoryId: 'tools' };
const KEY = requestKey('key');

function open() {
  const clock = new StoppedClock();
  const categories = [newCategory({ id: 'tools', name: 'Tools' }), newCategory({ id: 'games', name: 'Games' })];
  const automations = new InMemoryAutomationRepository();
  const options = { now: clock.now, newId: countingIds() };
  const marketplace = new Marketplace(automations, new InMemoryCategoryRepository(categories), options);
  return { marketplace, automations, clock };
}

const total = async (marketplace: Marketplace) => (await marketplace.listAutomations(ada)).total;

describe('creating with an idempotency key', () => {
  it('answers the first automation again and stores nothing', async () => {
    const { marketplace, clock } = open();
    const first = await marketplace.createAutomationOnce(ada, DRAFT, KEY);
    expect(first.replayed).to.be.false;
    clock.set(MINUTE);
    expect(await marketplace.createAutomationOnce(ada, DRAFT, KEY)).to.deep.equal({ ...first, replayed: true });
    expect(await total(marketplace)).to.equal(1);
  });

  it('takes no text for a key, which would be as if there were none', async () => {
    const { marketplace } = open();
    const failure = await marketplace
      .createAutomationOnce(ada, DRAFT, 'key' as unknown as typeof KEY)
      .catch((error: unknown) => error);
    expect(failure).to.be.an.instanceOf(TypeError).with.property('message').that.includes('requestKey');
    expect(await total(marketplace)).to.equal(0);
  });

  it('compares what was validated, not what was sent', async () => {
    const { marketplace } = open();
    await marketplace.createAutomationOnce(ada, DRAFT, KEY);
    const same = { ...DRAFT, title: ` ${DRAFT.title}\n`, more: 1 };
    expect((await marketplace.createAutomationOnce(ada, same, KEY)).replayed).to.be.true;
  });

  for (const change of [{ title: 'x' }, { description: 'x' }, { price: 1 }, { categoryId: 'games' }])
    it(`fails as idempotency-key-reused when the content is another: ${Object.keys(change).join()}`, async () => {
      const { marketplace } = open();
      await marketplace.createAutomationOnce(ada, DRAFT, KEY);
      const failure = await failureOf(() => marketplace.createAutomationOnce(ada, { ...DRAFT, ...change }, KEY));
      expect(failure.kind).to.equal('idempotency-key-reused');
      expect(await total(marketplace)).to.equal(1);
    });

  it('50 times at once makes one', async () => {
    const { marketplace } = open();
    const attempts = Array.from({ length: 50 }, () => marketplace.createAutomationOnce(ada, DRAFT, KEY));
    const created = await Promise.all(attempts);
    expect(created.filter(({ replayed }) => !replayed)).to.have.length(1);
    expect(new Set(created.map(({ automation }) => automation.id)).size).to.equal(1);
    expect(await total(marketplace)).to.equal(1);
  });

  it('is a matter of each developer', async () => {
    const { marketplace } = open();
    await marketplace.createAutomationOnce(ada, DRAFT, KEY);
    expect((await marketplace.createAutomationOnce(bob, { ...DRAFT, title: 'x' }, KEY)).replayed).to.be.false;
  });

  it('is kept for 24 hours to the millisecond', async () => {
    const { marketplace, clock } = open();
    await marketplace.createAutomationOnce(ada, DRAFT, KEY);
    clock.set(DAY - 1);
    expect((await marketplace.createAutomationOnce(ada, DRAFT, KEY)).replayed).to.be.true;
    clock.set(DAY);
    expect((await marketplace.createAutomationOnce(ada, DRAFT, KEY)).replayed).to.be.false;
    expect(await total(marketplace)).to.equal(2);
  });

  it('of an import is kept for ever', async () => {
    const { marketplace, clock } = open();
    await marketplace.createAutomationOnce(ada, DRAFT, importKey('digest', 1));
    clock.set(1000 * DAY);
    expect((await marketplace.createAutomationOnce(ada, DRAFT, importKey('digest', 1))).replayed).to.be.true;
    expect((await marketplace.createAutomationOnce(ada, DRAFT, importKey('digest', 2))).replayed).to.be.false;
  });

  it('answers the first as it is now when it was revised, and compares with what was requested', async () => {
    const { marketplace } = open();
    const { automation } = await marketplace.createAutomationOnce(ada, DRAFT, KEY);
    const revised = await marketplace.reviseAutomation(signedIn(ada), automation.id, { title: 'New', price: 1 });
    const again = await marketplace.createAutomationOnce(ada, DRAFT, KEY);
    expect(again).to.deep.equal({ automation: revised.automation, replayed: true, removed: [] });
    const other = { ...DRAFT, title: 'New', price: 1 };
    const failure = await failureOf(() => marketplace.createAutomationOnce(ada, other, KEY));
    expect(failure.code).to.equal('idempotency-key-reused');
  });

  it('compares the fields where no hash was stored, as by an older version', async () => {
    const { marketplace, automations } = open();
    const { automation } = await marketplace.createAutomationOnce(ada, DRAFT);
    const older = { ...automation, id: '01900000-0000-7000-8000-00000000000f' as AutomationId };
    await automations.add([{ automation: older, idempotencyKey: KEY.value }]);
    expect(await marketplace.createAutomationOnce(ada, DRAFT, KEY)).to.deep.equal({
      automation: older,
      replayed: true,
      removed: [],
    });
    const failure = await failureOf(() => marketplace.createAutomationOnce(ada, { ...DRAFT, price: 1 }, KEY));
    expect(failure.code).to.equal('idempotency-key-reused');
  });

  it('answers the first also when it was withdrawn', async () => {
    const { marketplace } = open();
    const { automation } = await marketplace.createAutomationOnce(ada, DRAFT, KEY);
    await marketplace.withdrawAutomation(signedIn(ada), automation.id);
    const again = await marketplace.createAutomationOnce(ada, DRAFT, KEY);
    expect(again).to.deep.equal({ automation, replayed: true, removed: [] });
    expect(await total(marketplace)).to.equal(0);
  });

  it('leaves no trace of a create that failed', async () => {
    const { marketplace } = open();
    expect(await brokenBy(() => marketplace.createAutomationOnce(ada, { ...DRAFT, price: -1 }, KEY))).to.have.length(1);
    expect((await failureOf(() => marketplace.createAutomationOnce(reader, DRAFT, KEY))).kind).to.equal('forbidden');
    expect((await marketplace.createAutomationOnce(ada, DRAFT, KEY)).replayed).to.be.false;
  });

  it('is a matter of those who bring one', async () => {
    const { marketplace } = open();
    await marketplace.createAutomation(ada, DRAFT);
    await marketplace.createAutomation(ada, DRAFT);
    expect(await total(marketplace)).to.equal(2);
  });
});
