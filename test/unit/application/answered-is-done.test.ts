import { expect } from 'chai';
import { setImmediate } from 'node:timers/promises';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/automation-repository.js';
import { InMemoryCategoryRepository } from '../../../adapters/in-memory/category-repository.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { Marketplace } from '../../../application/marketplace.js';
import { OPERATOR } from '../../../domain/access.js';
import { newCategory } from '../../../domain/category.js';
import { replacing } from '../../support/service/spy.js';
import { openAccounts, PASSWORD } from './accounts.js';
import { ada } from './people.js';
import { signedIn } from '../../support/signed-in.js';

/** A store in which everything takes a while, and which knows how much of it was under way at once. */
class SlowStore {
  underWay = 0;
  atOnce = 0;

  of<Port extends object>(port: Port): Port {
    return replacing(port, (_method, run) => this.after(run));
  }

  async after(run: () => unknown): Promise<unknown> {
    this.underWay += 1;
    this.atOnce = Math.max(this.atOnce, this.underWay);
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    const answer = await run();
    this.underWay -= 1;
    return answer;
  }
}

describe('What is answered is done, and stands in the audit', () => {
  const store = new SlowStore();
  const open = openAccounts((port) => store.of(port));
  const { accounts, sessions, audit, auditLog, developers, keys: apiKeys, clock } = open;
  const { now } = clock;
  const keys = new DeveloperKeys(apiKeys, { now, audit, developers });
  const categories = store.of(new InMemoryCategoryRepository([newCategory({ id: 'tools', name: 'Tools' })]));
  const marketplace = new Marketplace(store.of(new InMemoryAutomationRepository(auditLog)), categories, { now, audit });
  const draft = { title: 'Sorts mail', description: 'Every morning.', price: 9.99, categoryId: 'tools' };
  const actionsOf = async () => (await audit.list(OPERATOR, { limit: 100 })).items.map(({ action }) => action);
  let [key, automation, welcome, token] = ['', '', '', ''];

  const deeds: readonly (readonly [name: string, deed: () => Promise<unknown>, ...actions: readonly string[]])[] = [
    ['a key is issued', async () => (key = (await keys.issue(OPERATOR, { developer: 'ada' })).key.id), 'key-issued'],
    ['a key is rotated', () => keys.rotate(OPERATOR, key), 'key-rotated'],
    ['a key is revoked', () => keys.revoke(OPERATOR, key), 'key-revoked'],
    ['one who has keys alone is suspended', () => accounts.suspend(OPERATOR, 'ada'), 'developer-suspended'],
    ['a developer is restored', () => accounts.restore(OPERATOR, 'ada'), 'developer-restored'],
    [
      'a developer is invited',
      async () => (welcome = (await accounts.invite(OPERATOR, 'ada')).token),
      'developer-invited',
    ],
    [
      'a developer accepts',
      async () => (token = (await sessions.accept(welcome, { name: 'Ada', password: PASSWORD })).token),
      'signed-in',
      'developer-activated',
    ],
    ['a developer signs out', () => sessions.signOut(token), 'signed-out'],
    ['a developer signs in', () => sessions.signIn('Ada', PASSWORD), 'signed-in'],
    ['an automation is created', async () => (automation = (await marketplace.createAutomation(ada, draft)).id)],
    [
      'an automation is withdrawn',
      () => marketplace.withdrawAutomation(signedIn(ada), automation, 'too dear'),
      'automation-withdrawn',
    ],
    ['a developer is suspended', () => accounts.suspend(OPERATOR, 'ada'), 'developer-suspended'],
  ];

  for (const [name, deed, ...actions] of deeds)
    it(`when ${name}, one thing after the other`, async () => {
      store.atOnce = 0;
      await deed();
      expect([store.underWay, store.atOnce]).to.deep.equal([0, 1]);
      expect((await actionsOf()).slice(0, actions.length)).to.deep.equal(actions);
    });
});
