import { expect } from 'chai';
import type { Db } from 'mongodb';
import { MongoOAuthRecords } from '../../../adapters/mongodb/index.js';
import type { DeveloperId } from '../../../domain/access.js';
import type { OAuthRecord } from '../../../domain/ports.js';
import { ADA, at, BOB, numbers } from '../../contracts/offers.js';
import { assertThere, record, recordIdOf, revoke, upsertAll } from '../../contracts/records.js';
import { monitored } from '../../support/mongod.js';
import { describeMongo, ScratchDatabases } from '../../support/mongodb.js';
import { scansOf, Wire, type Scan } from '../../integration/mongodb/plans.js';

const COUNT = 300;
const LIMIT = 20;

/** Every third is of Ada; each tenth has a second id and a code that a person types; four rest on one consent. */
function stored(n: number): OAuthRecord {
  return record(n, {
    developerId: n % 3 === 0 ? ADA : BOB,
    clientId: `client-${n % 50}`,
    grantId: `grant-${Math.floor(n / 4)}`,
    ...(n % 10 === 0 && { uid: `uid-${n}`, userCode: `user-code-${n}` }),
    ...(n % 2 === 0 && { expiresAt: at(n) }),
  });
}

describeMongo('What MongoDB does for the records of an authorization server', (url) => {
  const databases = new ScratchDatabases();
  let db: Db;
  let records: MongoOAuthRecords;
  let wire: Wire;
  beforeEach(async () => {
    db = await databases.open(monitored(url()));
    wire = new Wire(db.client);
    records = new MongoOAuthRecords(db);
    await upsertAll(records, ...numbers(COUNT).map(stored));
    await upsertAll(records, ...numbers(COUNT).map((n) => record(n, { kind: 'token', developerId: ADA })));
  });
  afterEach(() => databases.release());

  const SCANNING = ['find', 'aggregate', 'update', 'delete', 'findAndModify'];

  /** What each command looks at; none sorts, and none looks at a whole collection. */
  const scansDuring = async (work: () => Promise<unknown>): Promise<readonly Scan[]> => {
    const scanning = (await wire.during(work)).filter(
      ({ name, document }) => SCANNING.includes(name) && document[name] === 'oauth_records',
    );
    const found = (await Promise.all(scanning.map((command) => scansOf(command, db)))).flat();
    for (const { stages } of found) expect(stages).not.to.include.any.members(['COLLSCAN', 'SORT']);
    return found;
  };

  it('a record is one key of an index, by whatever it is asked for', async () => {
    const found = await scansDuring(async () => {
      expect(await records.find('app', recordIdOf(7))).to.deep.equal(stored(7));
      expect(await records.findByUid('app', 'uid-70')).to.deep.equal(stored(70));
      expect(await records.findByUserCode('app', 'user-code-70')).to.deep.equal(stored(70));
    });
    expect(found).to.have.length(3);
    for (const one of found) expect(one).to.include({ keys: 1, returned: 1 });
    const nothing = await scansDuring(async () => {
      await records.findByUid('token', 'uid-70');
      await records.findByUserCode('app', 'user-code-71');
    });
    for (const { keys } of nothing) expect(keys).to.be.at.most(1);
  });

  it('a part of a list is a key for each record, at the highest ids and in the depth', async () => {
    for (const developerId of [undefined, ADA, BOB])
      for (const before of [undefined, ...[290, 150, 100].map(recordIdOf)]) {
        const query = { kind: 'app', limit: LIMIT, developerId, before };
        const [one, ...others] = await scansDuring(() => records.list(query));
        expect(others).to.deep.equal([]);
        expect(one).to.include({ returned: LIMIT });
        expect(one?.keys).to.be.at.most(LIMIT + 1);
      }
    const [none] = await scansDuring(() =>
      records.list({ kind: 'app', limit: LIMIT, developerId: 'nobody' as DeveloperId }),
    );
    expect(none).to.include({ keys: 0, returned: 0 });
  });

  it('a count looks at the records of one kind and of one developer alone', async () => {
    const [one] = await scansDuring(() => records.count('app', ADA));
    expect(one?.keys).to.be.within(100, 101);
    expect(one?.stages).not.to.include('FETCH');
  });

  it('a record that is used up, destroyed, revoked or expired is found by an index', async () => {
    const found = await scansDuring(async () => {
      await records.consume('app', 'none', at(1));
      await records.destroy({ kind: 'app', id: 'none', entries: [] });
      await records.revokeByGrantId('none');
      await records.revokeByClientId({ clientId: 'none', entries: [] });
      await records.removeExpired(at(0));
    });
    expect(found.map(({ keys }) => keys)).to.deep.equal([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('a record is stored by one update in a transaction, and used up by one update alone', async () => {
    const namesDuring = async (work: () => Promise<unknown>) => (await wire.during(work)).map(({ name }) => name);
    expect(await namesDuring(() => records.upsert(stored(1)))).to.deep.equal(['update', 'commitTransaction']);
    for (const time of [at(1), at(2)])
      expect(await namesDuring(() => records.consume('app', recordIdOf(1), time))).to.deep.equal(['findAndModify']);
  });

  it('what has expired is removed in lots', async () => {
    await upsertAll(records, ...numbers(1_001).map((n) => record(n, { kind: 'expired', expiresAt: at(n) })));
    const sent = await wire.during(async () => {
      expect(await records.removeExpired(at(2_000))).to.equal(1_001 + COUNT / 2);
    });
    expect(sent.filter(({ name }) => name === 'delete')).to.have.length(3);
  });

  for (const [what, field, method] of [
    ['an app', 'clientId', 'revokeByClientId'],
    ['a consent', 'grantId', 'revokeByGrantId'],
  ] as const)
    it(`what ${what} has is removed in lots, however much it is`, async () => {
      await upsertAll(records, ...numbers(1_001).map((n) => record(n, { kind: 'of-one', [field]: 'large' })));
      const sent = await wire.during(async () => {
        expect(await revoke(records, method, 'large')).to.equal(1_001);
      });
      expect(sent.filter(({ name }) => name === 'delete')).to.have.length(3);
      expect(sent.filter(({ name }) => name === 'commitTransaction')).to.have.length(3);
    });

  it('what is stored again to expire later, while what has expired is removed, stays', async () => {
    const expired = numbers(1_001).map((n) => record(n, { kind: 'expired', expiresAt: at(n) }));
    const later = expired.map((one) => ({ ...one, expiresAt: at(3_000) }));
    await upsertAll(records, ...expired);
    await Promise.all([records.removeExpired(at(2_000)), upsertAll(records, ...later)]);
    expect(await records.list({ kind: 'expired', limit: 1_000 })).to.have.length(1_000);
    await assertThere(records, ...later.slice(0, 1));
  });

  it('every command has a limit of time, and what is written is durable', async () => {
    const sent = await wire.during(async () => {
      await records.upsert(record(1));
      await records.find('app', recordIdOf(1));
      await records.findByUid('app', 'uid');
      await records.findByUserCode('app', 'user-code');
      await records.list({ kind: 'app', limit: LIMIT, before: recordIdOf(9), developerId: ADA });
      await records.count('app', ADA);
      await records.consume('app', recordIdOf(1), at(1));
      await records.destroy({ kind: 'app', id: recordIdOf(1), entries: [] });
      await records.revokeByGrantId('grant-1');
      await records.revokeByClientId({ clientId: 'client-1', entries: [] });
      await records.removeExpired(at(20));
    });
    const unlimited = sent.filter(({ document }) => document['maxTimeMS'] === undefined);
    expect(unlimited.map(({ name }) => name)).to.deep.equal([]);
    const final = sent.filter(
      ({ name, document }) => name === 'commitTransaction' || (isWrite(name) && document['autocommit'] === undefined),
    );
    expect(final).to.have.length(6);
    for (const { document } of final) expect(document['writeConcern']).to.include({ w: 'majority', j: true });
  });
});

function isWrite(name: string): boolean {
  return ['update', 'delete', 'findAndModify'].includes(name);
}
