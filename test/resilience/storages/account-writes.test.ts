import { expect } from 'chai';
import Libsql from 'libsql';
import { newMongoClient } from '../../../adapters/mongodb/index.js';
import type { DeveloperId } from '../../../domain/access.js';
import type { OAuthRecords, Storage } from '../../../domain/ports.js';
import { activation, ANY_OPERATOR, inviting } from '../../contracts/developers.js';
import { apiKey, hashOf, keyIdOf } from '../../contracts/keys.js';
import { at, auditEntry, automationIdOf, USD } from '../../contracts/offers.js';
import { record, recordIdOf } from '../../contracts/records.js';
import { closing, report, reportsOf } from '../../contracts/reports.js';
import { PASSWORD_HASH, session, signIn, start } from '../../contracts/sessions.js';
import { describeMongo } from '../../support/mongodb.js';
import { newPlace, openPlace, removePlace, type Place } from '../../support/place.js';
import { describePostgres, runSql } from '../../support/postgres.js';

/** What a change inserts into, after its first write. */
type Table = 'audit' | 'sessions' | 'refused_files';

/** A change of the account of a developer who has a key and two sessions; n is a number of its own. */
type Change = (storage: Storage, id: DeveloperId, n: number) => Promise<unknown>;

const entries = (n: number) => ({ entries: [auditEntry(n)] });
const anyOperator = (n: number) => ({ ...ANY_OPERATOR, ...entries(n) });
const invitationOf = (id: DeveloperId) => ({ hash: `invitation for ${id}`, until: at(1_000) });
const records = (all: OAuthRecords | undefined) => all ?? expect.fail('there are no records');
const app = (developerId: DeveloperId, n: number) => ({
  record: { ...record(n, { clientId: developerId }), developerId },
  max: 9,
});
const reportOf = (n: number, id: number, developerId?: DeveloperId) =>
  report(id, { automationId: automationIdOf(n), ...(developerId && { developerId }) });
const anotherKey = (id: DeveloperId, n: number) => apiKey(n + 5_000, { developerId: id });

const CHANGES: Readonly<Record<string, readonly [change: Change, ...tables: readonly Table[]]>> = {
  'a new key': [({ keys }, id, n) => keys.add({ key: anotherKey(id, n), max: 9, ...entries(n) }), 'audit'],
  'a successor of a key': [
    ({ keys }, id, n) => keys.replace(keyIdOf(n), { successor: anotherKey(id, n), until: at(9), ...entries(n) }),
    'audit',
  ],
  'another name of a key': [({ keys }, _, n) => keys.rename(keyIdOf(n), { name: 'New', ...entries(n) }), 'audit'],
  'the end of a key': [({ keys }, _, n) => keys.revoke(keyIdOf(n), { at: at(1), ...entries(n) }), 'audit'],
  'an invitation': [
    ({ developers }, id, n) =>
      developers.invite(id, { ...inviting({ hash: hashOf(n), until: at(9) }, at(1), 'buyer'), ...entries(n) }),
    'audit',
  ],
  'an activation': [
    ({ developers }, id, n) =>
      developers.activate(invitationOf(id).hash, activation(`new name of ${id}`, { at: at(1), ...entries(n) })),
    'audit',
    'sessions',
  ],
  'a sign-in': [({ developers }, id, n) => developers.signIn(id, signIn(n + 7_000, entries(n))), 'audit', 'sessions'],
  'a suspension': [({ developers }, id, n) => developers.suspend(id, { at: at(1), ...anyOperator(n) }), 'audit'],
  'another role': [({ developers }, id, n) => developers.setRole(id, { role: 'buyer', ...anyOperator(n) }), 'audit'],
  'a profile': [
    ({ developers }, id, n) => developers.setProfile(id, { profile: { publicName: `Name ${n}` }, ...entries(n) }),
    'audit',
  ],
  'another password': [
    ({ developers }, id, n) =>
      developers.changeSignIn(id, { current: PASSWORD_HASH, signInName: id, passwordHash: '$', ...entries(n) }),
    'audit',
  ],
  'another sign-in name': [
    ({ developers }, id, n) => developers.rename(id, { signInName: `new name of ${id}`, ...entries(n) }),
    'audit',
  ],
  'a new app': [
    ({ oauthRecords }, id, n) => records(oauthRecords).add({ ...app(id, n + 5_000), ...entries(n) }),
    'audit',
  ],
  'another app': [
    ({ oauthRecords }, id, n) => {
      const { record: old } = app(id, n);
      return records(oauthRecords).replace({ ...old, content: '1' }, { from: old.content, ...entries(n) });
    },
    'audit',
  ],
  'the end of an app': [
    ({ oauthRecords }, _, n) => records(oauthRecords).destroy({ kind: 'app', id: recordIdOf(n), ...entries(n) }),
    'audit',
  ],
  'the end of an agent': [
    ({ oauthRecords }, id, n) => records(oauthRecords).revokeByClientId({ clientId: id, ...entries(n) }),
    'audit',
  ],
  'the end of a session': [({ sessions }, _, n) => sessions.end({ hash: hashOf(n), ...entries(n) }), 'audit'],
  'the end of all sessions': [
    ({ sessions }, developerId, n) => sessions.endAll({ developerId, ...entries(n) }),
    'audit',
  ],
  'a report': [
    (storage, id, n) => reportsOf(storage).add({ report: reportOf(n, n + 5_000, id), ...entries(n) }),
    'audit',
  ],
  'the end of reports, with a file': [
    (storage, _, n) => reportsOf(storage).close(automationIdOf(n), { ...closing(n, entries(n)), refusedFile: `${n}` }),
    'audit',
    'refused_files',
  ],
};

/** Has each insert into a table fail, until the function that is returned is called. */
async function refuseInserts(place: Place, table: Table): Promise<() => Promise<void>> {
  if (place.kind === 'MongoDB') {
    const client = newMongoClient(place.url);
    const validate = (validator: object) => client.db(place.database).command({ collMod: table, validator });
    await validate({ $expr: false });
    return async () => {
      await validate({});
      await client.close();
    };
  }
  if (place.kind === 'SQLite') {
    const run = (sql: string) => {
      const database = new Libsql(place.file, { timeout: 5_000 });
      database.exec(sql);
      database.close();
    };
    run(`CREATE TRIGGER refused BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'planted'); END`);
    return async () => run('DROP TRIGGER refused');
  }
  const prefix = `"${place.schema}".`;
  await runSql(
    place.url,
    `CREATE FUNCTION ${prefix}refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'planted'; END $$;
     CREATE TRIGGER refused BEFORE INSERT ON ${prefix}${table} FOR EACH ROW EXECUTE FUNCTION ${prefix}refuse()`,
  );
  return async () => void (await runSql(place.url, `DROP FUNCTION ${prefix}refuse() CASCADE`));
}

async function accountOf(
  { developers, keys, sessions, auditLog, oauthRecords, reports }: Storage,
  id: DeveloperId,
  n: number,
): Promise<unknown> {
  const parts = [developers.find(id), keys.list({ developerId: id, limit: 100 }), sessions.list(id)];
  const apps = records(oauthRecords).list({ kind: 'app', developerId: id, limit: 100 });
  const reported = reportsOf({ reports }).list({ automationId: automationIdOf(n), limit: 100 });
  const isRefused = reportsOf({ reports }).isRefused(`${n}`);
  return Promise.all([...parts, apps, reported, isRefused, auditLog.list({ limit: 1_000 })]);
}

function suite(kind: Place['kind']): void {
  let place: Place;
  let storage: Storage;
  let n = 0;
  before(async () => {
    place = await newPlace(kind);
    storage = openPlace(place);
    await storage.prepare({ currency: USD });
  });
  after(async () => {
    await storage.close();
    await removePlace(place);
  });

  for (const [name, [change, ...tables]] of Object.entries(CHANGES))
    for (const table of tables)
      it(`${kind}: ${name} is neither stored nor in the audit when the store fails at the ${table}`, async () => {
        n += 1;
        const id = `developer-${n}` as DeveloperId;
        for (const hash of [n, n + 3_000]) await start(storage, session(hash, { developerId: id }));
        await storage.keys.add({ key: apiKey(n, { developerId: id }), entries: [] });
        await storage.developers.invite(id, inviting(invitationOf(id), at(0)));
        await records(storage.oauthRecords).add({ ...app(id, n), entries: [] });
        await reportsOf(storage).add({ report: reportOf(n, n), entries: [] });
        const earlier = await accountOf(storage, id, n);
        const allow = await refuseInserts(place, table);
        try {
          const failed = await change(storage, id, n).then(
            () => false,
            () => true,
          );
          expect(failed).to.equal(true);
        } finally {
          await allow();
        }
        expect(await accountOf(storage, id, n)).to.deep.equal(earlier);
        await change(storage, id, n);
        const later = await accountOf(storage, id, n);
        expect(later).not.to.deep.equal(earlier);
        expect((await storage.auditLog.list({ limit: 1 })).map((entry) => entry.id)).to.deep.equal([auditEntry(n).id]);
      });
}

describe('An account changes together with its history on SQLite', () => suite('SQLite'));
describePostgres('An account changes together with its history on PostgreSQL', () => suite('PostgreSQL'));
describeMongo('An account changes together with its history on MongoDB', () => suite('MongoDB'));
