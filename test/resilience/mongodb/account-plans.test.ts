import { expect } from 'chai';
import type { Db, MongoClient } from 'mongodb';
import {
  MongoApiKeyRepository,
  MongoAuditLog,
  MongoAutomationRepository,
  MongoDeveloperRepository,
  MongoReportRepository,
  MongoSessionRepository,
} from '../../../adapters/mongodb/index.js';
import type { DeveloperId } from '../../../domain/access.js';
import type { AuditEntry } from '../../../domain/audit.js';
import { activation, hashOfName, invitation, inviting } from '../../contracts/developers.js';
import { apiKey, hashOf, keyIdOf } from '../../contracts/keys.js';
import { ADA, at, automationIdOf, BOB, entryIdOf, numbers, offer } from '../../contracts/offers.js';
import { scansOf, Wire, type Command, type Scan } from '../../integration/mongodb/plans.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';
import { report } from '../../contracts/reports.js';
import { session, signIn, start } from '../../contracts/sessions.js';

const COUNT = 300;
const LIMIT = 20;

const developerIdOf = (n: number): DeveloperId => `developer-${n}` as DeveloperId;

function entry(n: number): AuditEntry {
  return { id: entryIdOf(n), at: at(0), actor: 'developer', action: 'signed-in', developerId: n % 3 === 0 ? ADA : BOB };
}

describeMongo('What MongoDB does for accounts', (url) => {
  const databases = new ScratchDatabases();
  let client: MongoClient;
  let db: Db;
  let wire: Wire;
  before(async () => {
    db = await databases.open(monitored(url()));
    client = db.client;
    wire = new Wire(client);
    const developers = new MongoDeveloperRepository(db);
    for (const n of numbers(50)) {
      await developers.invite(developerIdOf(n), inviting(invitation(n), at(n)));
      const { session } = signIn(n);
      if (n % 2 === 0)
        await developers.activate(hashOf(n), activation(`Name ${n}`, { session: { ...session, until: at(n) } }));
    }
    await new MongoAuditLog(db).append(numbers(COUNT).map(entry));
    const automations = new MongoAutomationRepository(db);
    await automations.add(numbers(COUNT).map((n) => offer(n, { developerId: n % 3 === 0 ? BOB : ADA })));
    for (const n of [1, 91, 92, 299]) await automations.withdraw(automationIdOf(n), { at: at(1), by: 'developer' });
    await automations.stop();
  });
  after(() => databases.release());

  /** What each read among the commands scans; none sorts, and none scans a collection. */
  const scansDuring = async (work: () => Promise<unknown>): Promise<readonly Scan[]> => {
    const reads = (await wire.during(work)).filter(({ name }) => name === 'find');
    const found = (await Promise.all(reads.map((command) => scansOf(command, db)))).flat();
    for (const { stages } of found) expect(stages).not.to.include.any.members(['COLLSCAN', 'SORT']);
    return found;
  };

  it('a developer or a session is one key, by whatever it is asked for', async () => {
    const developers = new MongoDeveloperRepository(db);
    await developers.setProfile(developerIdOf(9), { profile: { publicName: developerIdOf(9) }, entries: [] });
    const found = await scansDuring(async () => {
      await developers.find(developerIdOf(7));
      await developers.findBySignInName('NAME 8');
      await developers.findByInvitation(hashOf(7));
      await developers.findShownAs(developerIdOf(9));
      await new MongoSessionRepository(db).findByHash(hashOf(8));
    });
    expect(found).to.have.length(5);
    for (const one of found) expect(one).to.include({ keys: 1, returned: 1 });
    const [all] = await scansDuring(() => developers.list({ limit: 100 }));
    expect(all).to.include({ keys: 50, returned: 50 });
  });

  it('keys that work, and a page of those that have ended, are a key of an index each', async () => {
    const keys = new MongoApiKeyRepository(db);
    for (const n of numbers(COUNT))
      await keys.add({ key: apiKey(n, n % 100 === 0 ? {} : { expiresAt: at(n) }), entries: [] });
    for (const before of [undefined, keyIdOf(150)]) {
      const query = { developerId: ADA, asOf: at(COUNT), limit: LIMIT, before };
      const found = await scansDuring(() => keys.listEnded(query));
      expect(found).to.have.length(before === undefined ? 1 : 2);
      expect(found.at(-1)?.returned).to.equal(LIMIT);
      for (const { keys: looked, returned } of found) expect(looked).to.be.at.most(returned + 2);
    }
    const [active] = await scansDuring(() => keys.listActive(ADA, at(COUNT)));
    expect(active).to.include({ returned: 3 });
    expect(active?.keys).to.be.at.most(4);
    const sent = await wire.during(() => keys.countActive(ADA, at(COUNT)));
    const count = sent.filter(({ name }) => name === 'aggregate');
    for (const command of count)
      for (const { keys: looked, stages } of await scansOf(command, db)) {
        expect(looked).to.be.at.most(4);
        expect(stages).not.to.include('COLLSCAN');
      }
    expect(count).to.have.length(1);
    const [removal] = await wire.during(() => keys.removeEnded(at(0)));
    const [removed] = await scansOf(removal ?? expect.fail(), db);
    expect(removed).to.include({ keys: 0, returned: 0 });
  });

  it('a sign-in looks at the sessions of its developer alone', async () => {
    const developers = new MongoDeveloperRepository(db);
    for (const n of numbers(60))
      await start({ developers }, session(5_000 + n, { developerId: BOB, createdAt: at(n) }));
    const found = await scansDuring(() => developers.signIn(BOB, signIn(5_061)));
    expect(found).to.have.length(1);
    expect(found[0]?.keys).to.be.at.most(51);
    const [all] = await scansDuring(() => new MongoSessionRepository(db).list(BOB));
    expect(all).to.include({ keys: 50, returned: 50 });
  });

  it('a part of the audit is a key for each entry, ' + 'at the newest and in the depth', async () => {
    const audit = new MongoAuditLog(db);
    for (const developerId of [undefined, ADA, BOB])
      for (const before of [undefined, 290, 150, 40]) {
        const query = {
          limit: LIMIT,
          ...(developerId && { developerId }),
          ...(before && { before: entryIdOf(before) }),
        };
        const found = await scansDuring(() => audit.list(query));
        expect(found.at(-1)?.returned).to.equal(before === 40 && developerId === ADA ? 13 : LIMIT);
        expect(found).to.have.length(1);
        for (const { keys, returned } of found) expect(keys).to.be.at.most(returned + 1);
      }
  });

  it('the automations with open reports are read from an index alone, and a report of one is a key', async () => {
    const reports = new MongoReportRepository(db);
    for (const n of numbers(60))
      await reports.add({ report: report(n, { automationId: automationIdOf(n % 20) }), entries: [] });
    for (const before of [undefined, automationIdOf(7)]) {
      const [found] = await scansDuring(() => reports.listReported({ limit: LIMIT, before }));
      expect(found?.stages).not.to.include('FETCH');
      expect(found?.keys).to.be.at.most((found?.returned ?? 0) + 1);
    }
    const [own] = await scansDuring(() => reports.list({ automationId: automationIdOf(7), limit: LIMIT }));
    expect(own).to.include({ keys: 3, returned: 3 });
    const [refused] = await scansDuring(() => reports.isRefused('00'));
    expect(refused).to.include({ keys: 0, returned: 0 });
  });

  it('an append is one insert, also of an entry that is there', async () => {
    const sent = await wire.during(() => new MongoAuditLog(db).append([entry(1), entry(COUNT + 1)]));
    expect(sent.map(({ name }) => name)).to.deep.equal(['insert']);
  });

  it('every command has a limit of time, and what is written is durable', async () => {
    const developers = new MongoDeveloperRepository(db);
    const sessions = new MongoSessionRepository(db);
    const audit = new MongoAuditLog(db);
    const sent = await wire.during(async () => {
      await developers.invite(developerIdOf(1_000), inviting(invitation(1_000), at(0)));
      await developers.activate(hashOf(1_000), activation('Name 1000'));
      await developers.suspend(developerIdOf(1_000), { at: at(1), keepOneOperator: false, entries: [] });
      await developers.restore({ id: developerIdOf(1_000), entries: [] });
      await developers.find(developerIdOf(1_000));
      await developers.findBySignInName('x');
      await developers.findByInvitation('x');
      await developers.findShownAs(developerIdOf(1));
      await developers.list({ limit: 100 });
      await developers.signIn(developerIdOf(1_000), signIn(1_000, { passwordHash: hashOfName('Name 1000') }));
      await sessions.findByHash(hashOf(1_000));
      await sessions.renew(hashOf(1_000), at(9_001));
      await sessions.end({ hash: hashOf(1_000), entries: [] });
      await sessions.endAll({ developerId: developerIdOf(1), entries: [] });
      await sessions.endExpired(at(3));
      await audit.append([entry(1_000)]);
      await audit.list({ limit: 1, before: entryIdOf(1_000), developerId: ADA });
    });
    expect(sent.filter(({ document }) => document['maxTimeMS'] === undefined).map(({ name }) => name)).to.deep.equal(
      [],
    );
    const commits = sent.filter(({ name }) => name === 'commitTransaction');
    expect(commits).to.have.length(7);
    for (const { name, document } of [...commits, ...sent.filter(isLoneWrite)])
      expect(document['writeConcern'], name).to.include({ w: 'majority', j: true });
  });
});

/** Returns whether a command writes outside of a transaction. */
function isLoneWrite({ name, document }: Command): boolean {
  return document['autocommit'] === undefined && ['insert', 'update', 'delete', 'findAndModify'].includes(name);
}
