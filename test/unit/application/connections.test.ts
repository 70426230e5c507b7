import { expect } from 'chai';
import { mock } from 'node:test';
import {
  InMemoryAuditLog,
  InMemoryDeveloperRepository,
  InMemoryOAuthRecords,
} from '../../../adapters/in-memory/index.js';
import { AuditTrail } from '../../../application/audit-trail.js';
import { Connections, type AccessTokenClaims, type Consent } from '../../../application/connections.js';
import { DeveloperApps } from '../../../application/developer-apps.js';
import { OPERATOR } from '../../../domain/access.js';
import { SCOPES } from '../../../domain/scope.js';
import { signedIn } from '../../support/signed-in.js';
import { failureOf } from '../domain/failure.js';
import { ada, bob, countingIds, DAY, NOON, StoppedClock } from './people.js';

const [ADA, BOB] = [signedIn(ada), signedIn(bob)];
const CONSENT: Consent = {
  clientId: 'https://agent.example/client.json',
  name: 'Agent',
  scopes: SCOPES,
  audience: 'agents',
};

function open() {
  const clock = new StoppedClock();
  const auditLog = new InMemoryAuditLog();
  const [records, developers] = [new InMemoryOAuthRecords(auditLog), new InMemoryDeveloperRepository()];
  const audit = new AuditTrail(auditLog, { now: clock.now });
  const options = { now: clock.now, newId: countingIds(), audit };
  const connections = new Connections(records, developers, options);
  return { clock, records, developers, audit, connections, apps: new DeveloperApps(records, developers, options) };
}

const kindOf = async (attempt: () => unknown) => (await failureOf(attempt)).kind;

describe('Connecting an app', () => {
  it('stores the consent for a year', async () => {
    const { connections } = open();
    const connection = await connections.connect(ADA, CONSENT);
    expect(connection).to.deep.equal({
      ...CONSENT,
      id: '01900000-0000-7000-8000-000000000001',
      developerId: 'ada',
      connectedAt: new Date(NOON),
      expiresAt: new Date(NOON + 365 * DAY),
    });
    expect(await connections.read(ADA, connection.id)).to.deep.equal(connection);
  });

  it('grants what the role allows, and fails where it allows nothing', async () => {
    const { connections } = open();
    const buyer = signedIn(ada, 'buyer');
    expect((await connections.connect(buyer, CONSENT)).scopes).to.deep.equal(['automations:read']);
    const asked = { ...CONSENT, scopes: ['automations:write'] } as const;
    expect(await kindOf(() => connections.connect(buyer, asked))).to.equal('forbidden');
    expect(await kindOf(() => connections.connect(ADA, { ...CONSENT, scopes: [] }))).to.equal('forbidden');
    expect((await connections.list(buyer)).items).to.have.length(1);
  });

  it('ends the oldest connection, with its tokens, of a person who has 100', async () => {
    const { connections, records } = open();
    const of = await connections.connect(BOB, CONSENT);
    const first = await connections.connect(ADA, CONSENT);
    await records.upsert({ kind: 'token', id: 'x', content: '{}', grantId: first.id });
    for (let n = 1; n < 100; n += 1) await connections.connect(ADA, CONSENT);
    expect((await connections.read(ADA, first.id)).id).to.equal(first.id);
    await connections.connect(ADA, CONSENT);
    expect(await kindOf(() => connections.read(ADA, first.id))).to.equal('not-found');
    expect(await records.find('token', 'x')).to.equal(undefined);
    expect(await records.count('connection', ada.developerId)).to.equal(100);
    expect((await connections.read(BOB, of.id)).id).to.equal(of.id);
  });
});

describe('Connected apps', () => {
  it('are listed with the latest first, in parts', async () => {
    const { connections } = open();
    for (const name of ['one', 'two', 'three']) await connections.connect(ADA, { ...CONSENT, name });
    const { items, next } = await connections.list(ADA, { limit: 2 });
    expect(items.map(({ name }) => name)).to.deep.equal(['three', 'two']);
    const rest = await connections.list(ADA, { limit: 2, before: next });
    expect(rest.items.map(({ name }) => name)).to.deep.equal(['one']);
  });

  it('have no rights from the first step of their end on, also when the rest fails', async () => {
    const { connections, records, audit } = open();
    const { id: connectionId, clientId } = await connections.connect(ADA, CONSENT);
    mock.method(records, 'revokeByGrantId', () => Promise.reject(new Error('no answer')));
    expect(await connections.disconnect(ADA, connectionId).catch(String)).to.equal('Error: no answer');
    expect(await connections.findCaller({ clientId, connectionId, scopes: SCOPES })).to.equal(undefined);
    const [entry] = (await audit.list(OPERATOR)).items;
    expect(entry).to.include({ action: 'app-disconnected', subject: connectionId });
  });

  it('end once when they are disconnected twice at once', async () => {
    const { connections, audit } = open();
    const { id } = await connections.connect(ADA, CONSENT);
    const results = await Promise.allSettled([connections.disconnect(ADA, id), connections.disconnect(ADA, id)]);
    expect(results.map(({ status }) => status).toSorted()).to.deep.equal(['fulfilled', 'rejected']);
    const ends = (await audit.list(OPERATOR)).items.filter(({ action }) => action === 'app-disconnected');
    expect(ends).to.have.length(1);
  });

  it('end with all their tokens when they are disconnected', async () => {
    const { connections, records, audit } = open();
    const { id } = await connections.connect(ADA, CONSENT);
    await records.upsert({ kind: 'token', id: 'x', content: '{}', grantId: id });
    expect(await kindOf(() => connections.disconnect(BOB, id))).to.equal('not-found');
    await connections.disconnect(ADA, id);
    expect(await records.find('token', 'x')).to.equal(undefined);
    expect(await kindOf(() => connections.disconnect(ADA, id))).to.equal('not-found');
    const entries = (await audit.list(OPERATOR)).items;
    expect(entries.map(({ action, subject }) => [action, subject])).to.deep.equal([
      ['app-disconnected', id],
      ['app-connected', id],
    ]);
  });

  it('are not found by an id that none can have, and the store is not asked', async () => {
    const connections = new Connections(
      { find: () => expect.fail('asked') } as never,
      new InMemoryDeveloperRepository(),
    );
    for (const id of ['', 'x', '\u0000', 'x'.repeat(10_000)])
      expect(await kindOf(() => connections.read(ADA, id)), id).to.equal('not-found');
  });

  it('have their end in the audit, with where it came from', async () => {
    const { connections, audit } = open();
    const [one, other] = [await connections.connect(ADA, CONSENT), await connections.connect(ADA, CONSENT)];
    for (let time = 0; time < 2; time += 1) {
      await connections.end(one.id, 'token-reused', { address: '192.0.2.1', requestId: 'r1' });
      await connections.end(other.id, 'disconnected-by-app', {});
    }
    expect((await connections.list(ADA)).items).to.deep.equal([]);
    const [byApp, reused, ...earlier] = (await audit.list(ADA)).items;
    expect(earlier.map(({ action }) => action)).to.deep.equal(['app-connected', 'app-connected']);
    expect(byApp).to.include({ actor: 'anonymous', action: 'app-disconnected', subject: other.id });
    expect(reused).to.include({
      action: 'app-token-reused',
      subject: one.id,
      developerId: 'ada',
      address: '192.0.2.1',
      requestId: 'r1',
    });
  });
});

describe('An app with several connections', () => {
  const other = { ...CONSENT, clientId: 'https://other.example/client.json' };

  it('is listed once, in the order of the latest connections, in parts', async () => {
    const { connections } = open();
    for (const consent of [CONSENT, other, CONSENT]) await connections.connect(ADA, consent);
    await connections.connect(BOB, CONSENT);
    const first = await connections.listApps(ADA, { limit: 1 });
    expect(first.items.map((app) => [app.clientId, app.connections.length])).to.deep.equal([[CONSENT.clientId, 2]]);
    const second = await connections.listApps(ADA, { limit: 1, before: first.next });
    expect(second.items.map(({ clientId }) => clientId)).to.deep.equal([other.clientId]);
    expect(second.next).to.equal(undefined);
  });

  it('has all of them ended at once, each in the audit; those of others stay', async () => {
    const { connections, audit } = open();
    const { id } = await connections.connect(ADA, CONSENT);
    await connections.connect(ADA, CONSENT);
    await connections.connect(ADA, other);
    await connections.connect(BOB, CONSENT);
    expect(await kindOf(() => connections.disconnectApp(BOB, id))).to.equal('not-found');
    await connections.disconnectApp(ADA, id);
    expect((await connections.list(ADA)).items.map(({ clientId }) => clientId)).to.deep.equal([other.clientId]);
    expect((await connections.list(BOB)).items).to.have.length(1);
    const actions = (await audit.list(ADA)).items.map(({ action }) => action);
    expect(actions.slice(0, 2)).to.deep.equal(['app-disconnected', 'app-disconnected']);
    expect(await kindOf(() => connections.disconnectApp(ADA, id))).to.equal('not-found');
  });

  it('has the time of its latest use, noted once a minute', async () => {
    const { connections, clock, records } = open();
    const replaced = mock.method(records, 'replace').mock;
    const { id, clientId } = await connections.connect(ADA, CONSENT);
    await connections.connect(ADA, CONSENT);
    const use = () => connections.findCaller({ clientId, connectionId: id, scopes: SCOPES });
    expect((await connections.readApp(ADA, id)).lastUsedAt).to.equal(undefined);
    for (let n = 0; n < 3; n += 1) await use();
    expect((await connections.readApp(ADA, id)).lastUsedAt).to.deep.equal(new Date(NOON));
    clock.set(59_000);
    await use();
    expect(replaced.callCount()).to.equal(1);
    clock.set(60_000);
    await use();
    expect((await connections.readApp(ADA, id)).lastUsedAt).to.deep.equal(new Date(NOON + 60_000));
    await connections.disconnect(ADA, id);
    clock.set(120_000);
    expect(await use()).to.equal(undefined);
    expect(await records.find('connection', id)).to.equal(undefined);
  });
});

describe('The caller for whom an app acts', () => {
  it('is the developer who consented, with the scopes that token, consent and role all have', async () => {
    const { connections, developers } = open();
    await developers.register(ada.developerId, { at: new Date(NOON), entries: [] });
    const { id: connectionId, clientId } = await connections.connect(ADA, CONSENT);
    const find = (scopes: AccessTokenClaims['scopes']) => connections.findCaller({ clientId, connectionId, scopes });
    expect(await find(SCOPES)).to.deep.equal({
      developerId: 'ada',
      role: 'developer',
      scopes: SCOPES,
      credentialId: clientId,
    });
    expect((await find(['automations:write']))?.scopes).to.deep.equal(['automations:write']);
    await developers.setRole(ada.developerId, { role: 'buyer', keepOneOperator: false, entries: [] });
    expect((await find(SCOPES))?.scopes).to.deep.equal(['automations:read']);
    const less = await connections.connect(ADA, { ...CONSENT, scopes: ['automations:read'] });
    await developers.setRole(ada.developerId, { role: 'developer', keepOneOperator: false, entries: [] });
    const caller = await connections.findCaller({ clientId, connectionId: less.id, scopes: SCOPES });
    expect(caller?.scopes).to.deep.equal(['automations:read']);
  });

  it('is nobody when the consent was ended, has expired, or is of another app', async () => {
    const { connections, clock } = open();
    const { id: connectionId, clientId } = await connections.connect(ADA, CONSENT);
    const claims = { clientId, connectionId, scopes: SCOPES };
    expect(await connections.findCaller({ ...claims, clientId: 'https://other.example/' })).to.equal(undefined);
    expect(await connections.findCaller({ ...claims, connectionId: 'x' })).to.equal(undefined);
    expect(await connections.findCaller({ ...claims, connectionId: '' })).to.equal(undefined);
    clock.set(365 * DAY - 1);
    expect(await connections.findCaller(claims)).to.include({ developerId: 'ada' });
    clock.set(365 * DAY);
    expect(await connections.findCaller(claims)).to.equal(undefined);
    clock.set(0);
    await connections.disconnect(ADA, connectionId);
    expect(await connections.findCaller(claims)).to.equal(undefined);
  });

  it('is nobody while the developer is suspended, and no app can act for them', async () => {
    const { connections, developers } = open();
    await developers.register(ada.developerId, { at: new Date(NOON), entries: [] });
    const { id: connectionId, clientId } = await connections.connect(ADA, CONSENT);
    await developers.suspend(ada.developerId, { at: new Date(NOON), keepOneOperator: false, entries: [] });
    expect(await connections.findCaller({ clientId, connectionId, scopes: SCOPES })).to.equal(undefined);
    expect(await connections.canActFor('ada')).to.equal(false);
    expect(await connections.canActFor('No Slug')).to.equal(false);
    await developers.restore({ id: ada.developerId, entries: [] });
    expect(await connections.canActFor('ada')).to.equal(true);
  });

  it("is nobody while the app's maker is suspended, and has at most the scopes of the app", async () => {
    const { connections, apps, developers } = open();
    await developers.register(bob.developerId, { at: new Date(NOON), entries: [] });
    const redirectUris = ['https://ledger.example/'];
    const { app } = await apps.register(BOB, { name: 'Ledger', kind: 'web', redirectUris });
    const { id: connectionId } = await connections.connect(ADA, { ...CONSENT, clientId: app.id });
    const find = () => connections.findCaller({ clientId: app.id, connectionId, scopes: SCOPES });
    expect(await find()).to.deep.include({ developerId: 'ada', scopes: SCOPES });
    await apps.change(BOB, app.id, { name: 'Ledger', redirectUris, scopes: ['automations:read'] });
    expect((await find())?.scopes).to.deep.equal(['automations:read']);
    await developers.suspend(bob.developerId, { at: new Date(NOON), keepOneOperator: false, entries: [] });
    expect(await find()).to.equal(undefined);
    await developers.restore({ id: bob.developerId, entries: [] });
    expect(await find()).to.deep.include({ developerId: 'ada' });
  });

  it('is the developer of a machine, with at most its scopes, until it is revoked', async () => {
    const { connections, apps } = open();
    const request = { name: 'Nightly', kind: 'machine', redirectUris: [], scopes: ['automations:read'] };
    const { app } = await apps.register(ADA, request);
    const claims = { clientId: app.id, scopes: SCOPES };
    expect(await connections.findCaller(claims)).to.deep.equal({
      developerId: 'ada',
      role: 'developer',
      scopes: ['automations:read'],
      credentialId: app.id,
    });
    await apps.revoke(ADA, app.id);
    expect(await connections.findCaller(claims)).to.equal(undefined);
  });

  it('is nobody for a server or a program without a consent', async () => {
    const { connections, apps } = open();
    const redirectUris = ['https://ledger.example/'];
    for (const kind of ['web', 'native']) {
      const { app } = await apps.register(ADA, { name: 'Ledger', kind, redirectUris });
      expect(await connections.findCaller({ clientId: app.id, scopes: SCOPES }), kind).to.equal(undefined);
      const asConsent = { clientId: app.id, connectionId: app.id, scopes: SCOPES };
      expect(await connections.findCaller(asConsent), kind).to.equal(undefined);
    }
  });
});
