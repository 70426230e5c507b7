import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { AuditTrail } from '../../../application/audit-trail.js';
import { DeveloperAccounts } from '../../../application/developer-accounts.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { Maintenance } from '../../../application/maintenance.js';
import { isActive, type ApiKeyId } from '../../../domain/api-key.js';
import type { ApiKeyRepository } from '../../../domain/ports.js';
import { newCategory } from '../../../domain/category.js';
import { allKeys, apiKey, hashOf, keyIdOf } from '../../contracts/keys.js';
import { at, automationIdOf, offer } from '../../contracts/offers.js';
import { closing, report } from '../../contracts/reports.js';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import { allAccounts, issuedKeys } from '../../support/lists.js';
import { DAY, NOON } from './people.js';
import { session, start } from '../../contracts/sessions.js';
import { activation } from '../../contracts/developers.js';

const WITH_LINK = { key: true, link: true };
const KEY_ALONE = { key: true, link: false };

const STARTERS = [newCategory({ id: 'sales', name: 'Sales' }), newCategory({ id: 'support', name: 'Support' })];

/** Every port of one store, and what works on it. */
function store() {
  const storage = inMemoryStorage();
  const developerKeys = new DeveloperKeys(storage.keys, storage);
  const accounts = new DeveloperAccounts(storage, { audit: new AuditTrail(storage.auditLog) });
  const maintenance = (now?: () => Date) => new Maintenance(storage, { keys: developerKeys, accounts, now });
  return { ...storage, developerKeys, accounts, maintenance };
}

describe('Maintenance', () => {
  it('adds the first categories to a store that has none, and only there', async () => {
    const { categories, maintenance } = store();
    expect(await maintenance().addFirstCategories(OPERATOR, STARTERS)).to.equal(2);
    expect(await categories.list()).to.deep.equal(STARTERS);
    expect(await maintenance().addFirstCategories(OPERATOR, [newCategory({ id: 'other', name: 'Other' })])).to.equal(0);
    expect(await categories.list()).to.deep.equal(STARTERS);
  });

  it('adds them also where there is a key or an account', async () => {
    const { categories, developerKeys, accounts, maintenance } = store();
    await developerKeys.issue(OPERATOR, { developer: 'ada' });
    await accounts.invite(OPERATOR, 'ada');
    expect(await maintenance().addFirstCategories(OPERATOR, STARTERS)).to.equal(2);
    expect(await categories.list()).to.have.length(2);
  });

  it('issues one key and one sign-in link for the first developer, once', async () => {
    const { accounts, developerKeys, maintenance } = store();
    const access = await maintenance().firstAccess(OPERATOR, 'operator', WITH_LINK);
    expect(access).to.have.all.keys('name', 'key', 'token');
    expect((await issuedKeys(developerKeys)).map(({ id, developerId }) => [id, developerId])).to.deep.equal([
      [access?.key?.id, 'operator'],
    ]);
    const made = await allAccounts(accounts);
    expect(made.map(({ id, status }) => [id, status])).to.deep.equal([['operator', 'invited']]);
    expect(await maintenance().firstAccess(OPERATOR, 'operator', WITH_LINK)).to.equal(undefined);
  });

  it('knows whether an operator has signed in, and names the first account as it is told', async () => {
    const { accounts, developers, maintenance } = store();
    const access = await maintenance().firstAccess(OPERATOR, 'olga', WITH_LINK);
    expect((await allAccounts(accounts)).map(({ id, role }) => [id, role])).to.deep.equal([['olga', 'operator']]);
    expect(await maintenance().hasOperator(OPERATOR)).to.equal(false);
    const hash = createHash('sha256')
      .update(access?.token ?? '')
      .digest('hex');
    await developers.activate(hash, activation('Olga', { at: new Date() }));
    expect(await maintenance().hasOperator(OPERATOR)).to.equal(true);
    await developers.suspend(parseDeveloperId('olga'), { at: new Date(), keepOneOperator: false, entries: [] });
    expect(await maintenance().hasOperator(OPERATOR)).to.equal(false);
  });

  it('issues a first key that ends after 30 days, since logs keep what was printed', async () => {
    const { developerKeys, maintenance } = store();
    await maintenance().firstAccess(OPERATOR, 'operator', KEY_ALONE);
    const [key] = await issuedKeys(developerKeys);
    expect(Number(key?.expiresAt) - Number(key?.createdAt)).to.equal(30 * 24 * 60 * 60 * 1000);
  });

  it('makes the account of an operator and its link without a key where none can be shown, once', async () => {
    const { accounts, developerKeys, maintenance } = store();
    const asked = { key: false, link: true };
    const all = await Promise.all(
      Array.from({ length: 5 }, () => maintenance().firstAccess(OPERATOR, 'operator', asked)),
    );
    const made = all.filter((access) => access !== undefined);
    expect(made).to.have.length(1);
    expect(made[0]).to.have.all.keys('name', 'token');
    expect(await issuedKeys(developerKeys)).to.deep.equal([]);
    expect((await allAccounts(accounts)).map(({ role, status }) => [role, status])).to.deep.equal([
      ['operator', 'invited'],
    ]);
    expect(await maintenance().firstAccess(OPERATOR, 'operator', WITH_LINK)).to.equal(undefined);
  });

  it('issues no link without a panel', async () => {
    const { accounts, maintenance } = store();
    expect(await maintenance().firstAccess(OPERATOR, 'operator', KEY_ALONE)).to.have.all.keys('name', 'key');
    expect((await allAccounts(accounts)).map(({ id, status }) => [id, status])).to.deep.equal([
      ['operator', 'no-sign-in'],
    ]);
  });

  it('issues the first key after a start that was interrupted before it stored one', async () => {
    const { developers, maintenance } = store();
    await developers.register(parseDeveloperId('operator'), { at: new Date(), entries: [] });
    expect(await maintenance().firstAccess(OPERATOR, 'operator', WITH_LINK)).to.have.all.keys('name', 'key', 'token');
  });

  it('issues nothing where there is a developer without a sign-in', async () => {
    const { developers, maintenance } = store();
    await developers.register(parseDeveloperId('ada'), { at: new Date(), entries: [] });
    expect(await maintenance().firstAccess(OPERATOR, 'operator', WITH_LINK)).to.equal(undefined);
  });

  it('issues nothing where there is a key, also a revoked one, or an account', async () => {
    const [withKey, withAccount] = [store(), store()];
    const { key } = await withKey.developerKeys.issue(OPERATOR, { developer: 'ada' });
    await withKey.developerKeys.revoke(OPERATOR, key.id);
    await withAccount.accounts.invite(OPERATOR, 'ada');
    for (const { maintenance } of [withKey, withAccount])
      expect(await maintenance().firstAccess(OPERATOR, 'operator', WITH_LINK)).to.equal(undefined);
    expect(await issuedKeys(withAccount.developerKeys)).to.deep.equal([]);
  });

  it('leaves one key that works, and one link, when several start at once', async () => {
    const { accounts, developerKeys, maintenance } = store();
    const all = await Promise.all(
      Array.from({ length: 5 }, () => maintenance().firstAccess(OPERATOR, 'operator', WITH_LINK)),
    );
    const [winner, ...others] = all.filter((access) => access !== undefined);
    expect(others).to.deep.equal([]);
    const alive = (await issuedKeys(developerKeys)).filter((key) => isActive(key, new Date()));
    expect(alive.map(({ id }) => id)).to.deep.equal([winner?.key?.id]);
    expect(await allAccounts(accounts)).to.have.length(1);
  });

  it('shows one key when the one that was made first is stored last, in front of the other', async () => {
    const { accounts, developers, categories, automations, sessions, keys } = store();
    let isStored: () => void = () => undefined;
    const other = new Promise<void>((resolve) => (isStored = resolve));
    const startWith = (name: string, add: ApiKeyRepository['add']) => {
      const own: ApiKeyRepository = Object.assign(Object.create(keys) as ApiKeyRepository, {
        add,
        find: (id: ApiKeyId) => keys.find(id),
        list: () => keys.list({ limit: 1 }),
        revoke: (...revocation: Parameters<ApiKeyRepository['revoke']>) => keys.revoke(...revocation),
      });
      const now = () => new Date(name === 'first' ? 1 : 2);
      const developerKeys = new DeveloperKeys(own, { now, developers });
      const repositories = { automations, categories, developers, sessions, keys: own };
      return new Maintenance(repositories, { keys: developerKeys, accounts }).firstAccess(
        OPERATOR,
        'operator',
        KEY_ALONE,
      );
    };
    const first = startWith('first', async (addition) => {
      await other;
      await keys.add(addition);
    });
    const second = await startWith('second', (addition) => keys.add(addition));
    isStored();
    expect([await first, second].filter((access) => access !== undefined)).to.have.length(1);
    const alive = (await allKeys(keys)).filter((key) => isActive(key, new Date(2)));
    expect(alive.map(({ id }) => id)).to.deep.equal([second?.key?.id]);
  });

  it('revokes a first key that could not be shown', async () => {
    const { developerKeys, maintenance } = store();
    const access = await maintenance().firstAccess(OPERATOR, 'operator', KEY_ALONE);
    if (access !== undefined) await maintenance().revoke(OPERATOR, access);
    expect((await issuedKeys(developerKeys))[0]?.revokedAt).to.be.instanceOf(Date);
  });

  it('removes keys a year after their end, and no other', async () => {
    const { keys, maintenance } = store();
    const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    await keys.add({ key: apiKey(1, { expiresAt: daysAgo(366) }), entries: [] });
    await keys.add({ key: apiKey(2, { revokedAt: daysAgo(366) }), entries: [] });
    await keys.add({ key: apiKey(3, { expiresAt: daysAgo(364) }), entries: [] });
    await keys.add({ key: apiKey(4, { createdAt: daysAgo(900) }), entries: [] });
    await maintenance().sweep(OPERATOR);
    expect((await allKeys(keys)).map(({ id }) => id)).to.deep.equal([keyIdOf(3), keyIdOf(4)]);
  });

  it('removes reports a year after they were closed, and addresses after 30 days, and no others', async () => {
    const { reports, maintenance } = store();
    const after = (days: number) => maintenance(() => new Date(at(0).getTime() + days * DAY)).sweep(OPERATOR);
    const address = '192.0.2.1';
    for (const n of [1, 2]) {
      await reports?.add({ report: report(n, { at: at(0), address, automationId: automationIdOf(n) }), entries: [] });
      if (n === 1) await reports?.close(automationIdOf(1), closing(0));
    }
    const seen = async () => {
      const found = [1, 2].map(async (n) => reports?.list({ automationId: automationIdOf(n), limit: 9 }));
      return (await Promise.all(found)).map((part) => part?.map((one) => one.address ?? 'none'));
    };
    await after(29.99);
    expect(await seen()).to.deep.equal([[address], [address]]);
    await after(30);
    expect(await seen()).to.deep.equal([['none'], ['none']]);
    await after(364.99);
    expect(await seen()).to.deep.equal([['none'], ['none']]);
    await after(365);
    expect(await seen()).to.deep.equal([[], ['none']]);
  });

  it('ends expired sessions and frees expired idempotency keys', async () => {
    const { automations, developers, sessions, maintenance } = store();
    const [past, future] = [new Date(0), new Date(Date.now() + 60_000)];
    for (const [n, until] of [past, future].entries()) {
      await start({ developers }, session(n, { createdAt: past, until }));
      await automations.add([offer(n, { key: `key-${n}`, until })]);
    }
    await maintenance().sweep(OPERATOR);
    expect(await sessions.findByHash(hashOf(0))).to.equal(undefined);
    expect(await sessions.findByHash(hashOf(1))).not.to.equal(undefined);
    expect(await automations.freeIdempotencyKeys(future)).to.equal(1);
  });

  it('sweeps by the clock that it is given', async () => {
    const { automations, developers, sessions, keys, maintenance } = store();
    const until = new Date(NOON);
    await start({ developers }, session(1, { createdAt: new Date(0), until }));
    await automations.add([offer(1, { key: 'key', until })]);
    await keys.add({ key: apiKey(1, { expiresAt: until }), entries: [] });
    await maintenance(() => new Date(NOON - 1)).sweep(OPERATOR);
    expect(await sessions.findByHash(hashOf(1))).not.to.equal(undefined);
    expect(await allKeys(keys)).to.have.length(1);
    await maintenance(() => new Date(NOON + 365 * DAY)).sweep(OPERATOR);
    expect(await sessions.findByHash(hashOf(1))).to.equal(undefined);
    expect(await allKeys(keys)).to.deep.equal([]);
    expect(await automations.freeIdempotencyKeys(until)).to.equal(0);
  });
});
