import { expect } from 'chai';
import { MongoClient, type Db } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAuditLog,
  MongoAutomationRepository,
  MongoCategoryRepository,
  MongoDeveloperRepository,
  MongoOAuthRecords,
  MongoSessionRepository,
} from '../../../adapters/mongodb/index.js';
import { newAuditEntry, type AuditEntryId } from '../../../domain/audit.js';
import { activation, active, assertKnown, invitation, invited, inviting } from '../../contracts/developers.js';
import { apiKey, assertKept, hashOf } from '../../contracts/keys.js';
import { ADA, at, automationIdOf, offer, TOOLS, uuid } from '../../contracts/offers.js';
import { assertGone, assertThere, record, recordIdOf } from '../../contracts/records.js';
import { ReplicaSet } from '../../support/replica-set.js';
import { empty } from '../../support/mongo-storage.js';
import { describeMongod, ScratchDatabases } from '../../support/mongodb.js';
import { session, signIn, start } from '../../contracts/sessions.js';

/** The driver tries a write a second time by itself. */
const TRIES_OF_DRIVER = 2;
const SHUTTING_DOWN = { code: 91, errmsg: 'shutting down' };
const PAGE = { page: { number: 1, limit: 10 } };

const entry = newAuditEntry(
  { actor: 'operator', action: 'developer-invited', developerId: ADA },
  {},
  { id: uuid(1) as AuditEntryId, at: at(0) },
);

describeMongod('A write that MongoDB has done and does not acknowledge', () => {
  const databases = new ScratchDatabases();
  let set: ReplicaSet;
  let operator: MongoClient;
  let db: Db;
  before(async () => {
    set = await ReplicaSet.start(1, undefined, { options: ['--setParameter', 'enableTestCommands=1'] });
    operator = await MongoClient.connect(set.nodes[0]?.url ?? '');
    db = await databases.open(set.url);
  });
  beforeEach(() => empty(db));
  after(async () => {
    await databases.release();
    await operator.close();
    await set.stop();
  });

  /** Sets the fail point `failCommand` of the server. Returns what it was before. */
  const fail = (mode: unknown, data = {}) =>
    operator.db('admin').command({ configureFailPoint: 'failCommand', mode, data });

  /**
   * The server does these commands, and says twice that it cannot tell whether they will last (its fail point
   * `failCommand`).
   */
  async function unacknowledged<Answer>(command: string, work: () => Promise<Answer>): Promise<Answer> {
    const data = { failCommands: [command], writeConcernError: SHUTTING_DOWN, errorLabels: ['RetryableWriteError'] };
    await fail({ times: TRIES_OF_DRIVER }, data);
    const [outcome] = await Promise.allSettled([work()]);
    const { count } = await fail('off');
    expect(count, `times that ${command} was not acknowledged`).to.be.at.least(TRIES_OF_DRIVER);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  it('stores an automation once', async () => {
    const automations = new MongoAutomationRepository(db);
    const outcomes = await unacknowledged('commitTransaction', () => automations.add([offer(1)]));
    expect(outcomes).to.deep.equal([{ outcome: 'stored' }]);
    expect(await automations.list(PAGE)).to.have.property('total', 1);
  });

  it('stores nothing in place of an automation whose id was taken before', async () => {
    await new MongoAutomationRepository(db).add([offer(1, { title: 'What is there' })]);
    await fail({ times: TRIES_OF_DRIVER }, { failCommands: ['insert'], closeConnection: true });
    const outcomes = await new MongoAutomationRepository(db).add([offer(1, { title: 'What is added' })]);
    expect((await fail('off'))['count']).to.be.at.least(TRIES_OF_DRIVER);
    expect(outcomes).to.deep.equal([{ outcome: 'conflict' }]);
  });

  it('withdraws an automation once', async () => {
    const automations = new MongoAutomationRepository(db);
    await automations.add([offer(1), offer(2)]);
    expect(
      await unacknowledged('commitTransaction', () =>
        automations.withdraw(automationIdOf(1), { at: at(0), by: 'developer' }),
      ),
    ).to.equal('withdrawn');
    expect(await automations.list(PAGE)).to.have.property('total', 1);
  });

  it('adds a key once', async () => {
    const keys = new MongoApiKeyRepository(db);
    await unacknowledged('commitTransaction', () => keys.add({ key: apiKey(1), entries: [] }));
    await assertKept(keys, apiKey(1));
  });

  it('replaces a key by one successor', async () => {
    const keys = new MongoApiKeyRepository(db);
    await keys.add({ key: apiKey(1), entries: [] });
    expect(
      await unacknowledged('commitTransaction', () =>
        keys.replace(apiKey(1).id, { successor: apiKey(3), until: at(500), entries: [] }),
      ),
    ).to.equal(true);
    await assertKept(keys, { ...apiKey(1), expiresAt: at(500) }, apiKey(3));
  });

  it('revokes a key', async () => {
    const keys = new MongoApiKeyRepository(db);
    await keys.add({ key: apiKey(1), entries: [] });
    expect(
      await unacknowledged('commitTransaction', () => keys.revoke(apiKey(1).id, { at: at(500), entries: [] })),
    ).to.equal(true);
    await assertKept(keys, { ...apiKey(1), revokedAt: at(500) });
  });

  it('invites a developer once', async () => {
    const developers = new MongoDeveloperRepository(db);
    await unacknowledged('commitTransaction', () => developers.invite(ADA, inviting(invitation(1), at(0))));
    await assertKnown(developers, { id: ADA, role: 'developer', addedAt: at(0), invitation: invitation(1) });
  });

  it('changes a sign-in, which that try has changed', async () => {
    const developers = new MongoDeveloperRepository(db);
    const { passwordHash = '' } = await active(developers, ADA, 1, 'Ada');
    const changed = { signInName: 'Countess', passwordHash: 'new' };
    const change = () => developers.changeSignIn(ADA, { current: passwordHash, ...changed, entries: [] });
    expect(await unacknowledged('commitTransaction', change)).to.equal(true);
    expect(await change()).to.equal(false);
    expect(await developers.findBySignInName('Countess')).to.include({ id: ADA, ...changed });
  });

  it('activates a developer, whose invitation that try has used up', async () => {
    const developers = new MongoDeveloperRepository(db);
    await invited(developers, ADA, 1);
    expect(await unacknowledged('commitTransaction', () => developers.activate(hashOf(1), activation('Ada')))).to.equal(
      true,
    );
    expect(await developers.activate(hashOf(1), activation('Eve'))).to.equal(false);
    expect(await developers.findBySignInName('Ada')).to.include({ id: ADA, signInName: 'Ada' });
  });

  it('suspends a developer and restores them', async () => {
    const developers = new MongoDeveloperRepository(db);
    const ada = await active(developers, ADA, 1, 'Ada');
    expect(
      await unacknowledged('commitTransaction', () =>
        developers.suspend(ADA, { at: at(20), keepOneOperator: true, entries: [] }),
      ),
    ).to.include({ id: ADA });
    await assertKnown(developers, { ...ada, suspendedAt: at(20) });
    expect(await unacknowledged('commitTransaction', () => developers.restore({ id: ADA, entries: [] }))).to.include({
      id: ADA,
    });
    await assertKnown(developers, ada);
  });

  it('opens a session once', async () => {
    const [developers, sessions] = [new MongoDeveloperRepository(db), new MongoSessionRepository(db)];
    await start({ developers }, session(1));
    const signingIn = () => developers.signIn(ADA, signIn(2));
    expect(await unacknowledged('commitTransaction', signingIn)).to.equal(true);
    expect(await sessions.list(ADA)).to.have.deep.members([session(1), session(2)]);
  });

  it('ends a session, which that try has ended', async () => {
    const sessions = new MongoSessionRepository(db);
    await start({ developers: new MongoDeveloperRepository(db) }, session(1));
    expect(
      await unacknowledged('commitTransaction', () => sessions.end({ hash: session(1).hash, entries: [] })),
    ).to.equal(true);
    expect(await sessions.end({ hash: session(1).hash, entries: [] })).to.equal(false);
  });

  it('stores a record of the authorization server once', async () => {
    const records = new MongoOAuthRecords(db);
    await unacknowledged('commitTransaction', () => records.upsert(record(1)));
    await assertThere(records, record(1));
  });

  it('uses up a record of the authorization server, which that try has used up', async () => {
    const records = new MongoOAuthRecords(db);
    await records.upsert(record(1));
    const consume = () => records.consume('app', recordIdOf(1), at(5));
    expect(await unacknowledged('findAndModify', consume)).to.equal(true);
    expect(await consume()).to.equal(false);
    await assertThere(records, record(1, { consumedAt: at(5) }));
  });

  it('destroys and revokes records of the authorization server, which that try has removed', async () => {
    const records = new MongoOAuthRecords(db);
    const all = [record(1), record(2, { grantId: 'grant' }), record(3, { clientId: 'client' })];
    for (const one of all) await records.upsert(one);
    const destroy = () => records.destroy({ kind: 'app', id: recordIdOf(1), entries: [] });
    expect(await unacknowledged('commitTransaction', destroy)).to.equal(true);
    expect(await unacknowledged('commitTransaction', () => records.revokeByGrantId('grant'))).to.equal(1);
    expect(
      await unacknowledged('commitTransaction', () => records.revokeByClientId({ clientId: 'client', entries: [] })),
    ).to.equal(1);
    await assertGone(records, ...all);
  });

  it('saves a category', async () => {
    const categories = new MongoCategoryRepository(db);
    await unacknowledged('commitTransaction', () => categories.save([{ id: TOOLS, name: 'Tools' }]));
    expect(await categories.list()).to.deep.equal([{ id: TOOLS, name: 'Tools' }]);
  });

  it('appends an entry of the audit once', async () => {
    const audit = new MongoAuditLog(db);
    await unacknowledged('insert', () => audit.append([entry]));
    expect(await audit.list({ limit: 10 })).to.deep.equal([entry]);
  });
});
