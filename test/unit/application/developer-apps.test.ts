import { expect } from 'chai';
import { mock } from 'node:test';
import {
  InMemoryAuditLog,
  InMemoryDeveloperRepository,
  InMemoryOAuthRecords,
  inMemoryStorage,
} from '../../../adapters/in-memory/index.js';
import { cachedStorage } from '../../../adapters/storage/index.js';
import { AuditTrail } from '../../../application/audit-trail.js';
import { DeveloperApps, isSecretOf, type AppRequest } from '../../../application/developer-apps.js';
import { OPERATOR } from '../../../domain/access.js';
import { signedIn } from '../../support/signed-in.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { ada, bob, countingIds, NOON, StoppedClock } from './people.js';

const [ADA, BOB, BUYER] = [signedIn(ada), signedIn(bob), signedIn(ada, 'buyer')];
const LEDGER: AppRequest = { name: ' Ledger ', kind: 'web', redirectUris: ['https://ledger.example/back'] };
const SHELL: AppRequest = { name: 'Shell', kind: 'native', redirectUris: ['com.example.shell:/back'] };
const NIGHTLY: AppRequest = { name: 'Nightly', kind: 'machine', redirectUris: [] };

function open() {
  const { now } = new StoppedClock();
  const auditLog = new InMemoryAuditLog();
  const [records, developers] = [new InMemoryOAuthRecords(auditLog), new InMemoryDeveloperRepository()];
  const audit = new AuditTrail(auditLog, { now });
  return {
    records,
    developers,
    audit,
    apps: new DeveloperApps(records, developers, { now, newId: countingIds(), audit }),
  };
}

const codeOf = async (attempt: () => unknown) => (await failureOf(attempt)).code;

describe('Registering an app', () => {
  it('returns it with a secret whose hash alone is stored', async () => {
    const { apps, records } = open();
    const { app, secret = '' } = await apps.register(ADA, LEDGER);
    const { secretHash = '', ...rest } = app;
    expect(rest).to.deep.equal({
      id: '01900000-0000-7000-8000-000000000001',
      developerId: 'ada',
      name: 'Ledger',
      kind: 'web',
      redirectUris: ['https://ledger.example/back'],
      scopes: ['automations:read', 'automations:write'],
      createdAt: new Date(NOON),
    });
    expect(secret).to.match(/^[\w-]{43}$/);
    expect([
      isSecretOf(secretHash, secret),
      isSecretOf(secretHash, `${secret}x`),
      isSecretOf(secretHash, ''),
    ]).to.deep.equal([true, false, false]);
    expect(await apps.read(ADA, app.id)).to.deep.equal(app);
    expect(JSON.stringify(await records.find('app', app.id)))
      .to.include(secretHash)
      .and.not.include(secret);
  });

  it('gives a machine a secret, and a program none', async () => {
    const { apps } = open();
    expect(await apps.register(ADA, NIGHTLY)).to.have.property('secret');
    const shell = await apps.register(ADA, SHELL);
    expect(shell).to.not.have.property('secret');
    expect(shell.app.secretHash).to.equal(undefined);
  });

  it('reports every broken rule at once', async () => {
    const request = { name: '', kind: 'robot', redirectUris: ['http://a.example'], scopes: ['everything'] };
    expect(await brokenBy(() => open().apps.register(ADA, request))).to.deep.equal([
      'name: too-short',
      'kind: unknown-value',
      'redirectUris: out-of-range',
      'scopes: unknown-value',
    ]);
    expect(await brokenBy(() => open().apps.register(ADA, { ...LEDGER, redirectUris: [], scopes: [] }))).to.deep.equal([
      'redirectUris: required',
      'scopes: unknown-value',
    ]);
  });

  it('gives a buyer no scope that their role does not have', async () => {
    const { apps } = open();
    expect((await apps.register(BUYER, NIGHTLY)).app.scopes).to.deep.equal(['automations:read']);
    const asked = { ...NIGHTLY, scopes: ['automations:write'] };
    expect(await brokenBy(() => apps.register(BUYER, asked))).to.deep.equal(['scopes: unknown-value']);
  });

  it('is refused from the 51st app of a developer on, and open to others', async () => {
    const { apps } = open();
    for (let n = 0; n < 50; n += 1) await apps.register(ADA, NIGHTLY);
    expect(await codeOf(() => apps.register(ADA, NIGHTLY))).to.equal('too-many-apps');
    const [first] = (await apps.list(ADA)).items;
    await apps.register(BOB, NIGHTLY);
    await apps.revoke(ADA, first?.id ?? '');
    await apps.register(ADA, NIGHTLY);
  });
});

describe('The list of apps', () => {
  it('has the latest first, in parts', async () => {
    const { apps } = open();
    for (const name of ['one', 'two', 'three']) await apps.register(ADA, { ...NIGHTLY, name });
    const { items, next } = await apps.list(ADA, { limit: 2 });
    expect(items.map(({ name }) => name)).to.deep.equal(['three', 'two']);
    expect((await apps.list(ADA, { limit: 2, before: next })).items.map(({ name }) => name)).to.deep.equal(['one']);
  });

  it('has a person’s own, whatever they ask for, and for the operator those of all or of one', async () => {
    const { apps } = open();
    await apps.register(ADA, { ...NIGHTLY, name: 'of ada' });
    await apps.register(BOB, { ...NIGHTLY, name: 'of bob' });
    const names = async (list: ReturnType<DeveloperApps['list']>) => (await list).items.map(({ name }) => name);
    expect(await names(apps.list(ADA, { developer: 'bob' }))).to.deep.equal(['of ada']);
    expect(await names(apps.list(OPERATOR))).to.deep.equal(['of bob', 'of ada']);
    expect(await names(apps.list(OPERATOR, { developer: 'ada' }))).to.deep.equal(['of ada']);
    expect(await names(apps.list(OPERATOR, { developer: 'eve' }))).to.deep.equal([]);
    expect(await codeOf(() => apps.list(OPERATOR, { developer: 'No Slug' }))).to.equal('developer-id');
  });
});

describe('An app', () => {
  it('is not found by an id that no app can have, and the store is not asked', async () => {
    const { developers } = open();
    const apps = new DeveloperApps({ find: () => expect.fail('asked') } as never, developers);
    for (const id of ['', 'x', '\u0000', 'x'.repeat(10_000), 'https://agent.example/client.json', '__proto__']) {
      expect(await codeOf(() => apps.read(OPERATOR, id)), id).to.equal('no-such-app');
      expect(await apps.findClient(id), id).to.equal(undefined);
    }
  });

  it('keeps kind, secret and time when it is changed', async () => {
    const { apps } = open();
    const { app } = await apps.register(ADA, LEDGER);
    const change = { name: 'Books', redirectUris: ['http://localhost/'], scopes: ['automations:read'] };
    await apps.change(ADA, app.id, { ...change, kind: 'machine' } as never);
    expect(await apps.read(ADA, app.id)).to.deep.equal({ ...app, ...change });
    expect(await brokenBy(() => apps.change(ADA, app.id, { ...change, redirectUris: [] }))).to.deep.equal([
      'redirectUris: required',
    ]);
    expect(await apps.read(ADA, app.id)).to.deep.equal({ ...app, ...change });
  });

  it('gets a new secret in place of the old one, unless it is a program', async () => {
    const { apps } = open();
    const old = await apps.register(ADA, LEDGER);
    const { app, secret = '' } = await apps.renewSecret(ADA, old.app.id);
    const hash = (await apps.read(ADA, app.id)).secretHash ?? '';
    expect([isSecretOf(hash, secret), isSecretOf(hash, old.secret ?? '')]).to.deep.equal([true, false]);
    const shell = await apps.register(ADA, SHELL);
    expect(await codeOf(() => apps.renewSecret(ADA, shell.app.id))).to.equal('app-has-no-secret');
  });

  it('ends with all that is of it when it is revoked', async () => {
    const { apps, records } = open();
    const { app } = await apps.register(ADA, LEDGER);
    await records.upsert({ kind: 'token', id: 'x', content: '{}', clientId: app.id, developerId: bob.developerId });
    await apps.revoke(OPERATOR, app.id);
    expect(await records.find('token', 'x')).to.equal(undefined);
    expect(await codeOf(() => apps.read(ADA, app.id))).to.equal('no-such-app');
    expect(await codeOf(() => apps.revoke(ADA, app.id))).to.equal('no-such-app');
  });

  it('is no client from the first step of its end on, also when the rest fails', async () => {
    const { apps, records, audit } = open();
    const { app } = await apps.register(ADA, LEDGER);
    mock.method(records, 'revokeByClientId', () => Promise.reject(new Error('no answer')));
    expect(await apps.revoke(ADA, app.id).catch(String)).to.equal('Error: no answer');
    expect(await apps.findClient(app.id)).to.equal(undefined);
    const [entry] = (await audit.list(OPERATOR)).items;
    expect(entry).to.include({ action: 'app-revoked', subject: app.id });
  });

  it('is revoked once, and stands so in the audit, when two revoke it at once', async () => {
    const { apps, audit } = open();
    const { app } = await apps.register(ADA, LEDGER);
    const results = await Promise.allSettled([apps.revoke(ADA, app.id), apps.revoke(OPERATOR, app.id)]);
    expect(results.map(({ status }) => status).toSorted()).to.deep.equal(['fulfilled', 'rejected']);
    const revoked = (await audit.list(OPERATOR)).items.filter(({ action }) => action === 'app-revoked');
    expect(revoked).to.have.length(1);
  });

  it('is no client while its developer is suspended', async () => {
    const { apps, developers } = open();
    await developers.register(ada.developerId, { at: new Date(NOON), entries: [] });
    const { app } = await apps.register(ADA, LEDGER);
    expect((await apps.findClient(app.id))?.id).to.equal(app.id);
    await developers.suspend(ada.developerId, { at: new Date(NOON), keepOneOperator: false, entries: [] });
    expect(await apps.findClient(app.id)).to.equal(undefined);
    await developers.restore({ id: ada.developerId, entries: [] });
    expect((await apps.findClient(app.id))?.id).to.equal(app.id);
  });

  it('has each change in the audit, under the one who made it', async () => {
    const { apps, audit } = open();
    const { app } = await apps.register(ADA, LEDGER);
    await apps.change(ADA, app.id, LEDGER);
    await apps.renewSecret(ADA, app.id);
    await apps.revoke(OPERATOR, app.id);
    const entries = (await audit.list(OPERATOR)).items.map(({ action, actor }) => `${action} ${actor}`);
    expect(entries).to.deep.equal([
      'app-revoked operator',
      'app-secret-renewed developer',
      'app-changed developer',
      'app-registered developer',
    ]);
    for (const { subject, developerId } of (await audit.list(OPERATOR)).items)
      expect([subject, developerId]).to.deep.equal([app.id, 'ada']);
  });
});

describe('An app that another process changes', () => {
  /** Two processes on one store, each with a cache that never asks again by itself. */
  function twoProcesses() {
    const [records, developers] = [new InMemoryOAuthRecords(), new InMemoryDeveloperRepository()];
    const storage = { ...inMemoryStorage(), oauthRecords: records };
    const newApps = () => {
      const cached = cachedStorage(storage, { seconds: 3_600 }).oauthRecords ?? records;
      return new DeveloperApps(cached, developers);
    };
    return { one: newApps(), other: newApps() };
  }

  it('is not stored again after it was revoked, though the cache still has it', async () => {
    const { one, other } = twoProcesses();
    const { app } = await one.register(ADA, LEDGER);
    await other.read(ADA, app.id);
    await one.revoke(OPERATOR, app.id);
    await other.read(ADA, app.id);
    expect(await codeOf(() => other.change(ADA, app.id, { ...LEDGER, name: 'Again' }))).to.equal('no-such-app');
    expect(await codeOf(() => one.read(ADA, app.id))).to.equal('no-such-app');
  });

  it('keeps its new secret when its name is changed elsewhere', async () => {
    const { one, other } = twoProcesses();
    const { app } = await one.register(ADA, LEDGER);
    await other.read(ADA, app.id);
    const { secret = '' } = await one.renewSecret(ADA, app.id);
    await other.change(ADA, app.id, { ...LEDGER, name: 'Journal' });
    const { name, secretHash = '' } = await other.read(ADA, app.id);
    expect([name, isSecretOf(secretHash, secret)]).to.deep.equal(['Journal', true]);
  });

  for (const clientId of ['https://agent.example/client.json', 'HTTPS://agent.example/client.json'])
    it(`that is known by its document is revoked by the operator, by its address ${clientId}`, async () => {
      const { apps, records, audit } = open();
      await records.upsert({ kind: 'connection', id: 'x', content: '{}', clientId });
      expect(await codeOf(() => apps.revoke(ADA, clientId))).to.equal('no-such-app');
      await apps.revoke(OPERATOR, clientId);
      expect(await records.find('connection', 'x')).to.equal(undefined);
      expect(await codeOf(() => apps.revoke(OPERATOR, clientId))).to.equal('no-such-app');
      const [entry, ...others] = (await audit.list(OPERATOR)).items;
      expect(entry).to.include({ action: 'app-revoked', actor: 'operator', subject: clientId });
      expect(entry).not.to.have.property('developerId');
      expect(others).to.deep.equal([]);
    });

  it('cannot look like the marketplace', async () => {
    const [records, developers] = [new InMemoryOAuthRecords(), new InMemoryDeveloperRepository()];
    const apps = new DeveloperApps(records, developers, { brandName: 'Automation Marketplace' });
    for (const name of ['Automation Marketplace', 'AUTOMATION  MARKETPLACE', 'Autornation Marketplace', 'support'])
      expect(await brokenBy(() => apps.register(ADA, { ...LEDGER, name })), name).to.deep.equal(['name: taken']);
    expect((await apps.register(ADA, LEDGER)).app.name).to.equal('Ledger');
  });
});
