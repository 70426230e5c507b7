import { expect } from 'chai';
import Libsql from 'libsql';
import { fork } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { SqliteDatabase, sqliteStorage, type SqliteStorage } from '../../../adapters/sqlite/index.js';
import { sha256 } from '../../../application/defaults.js';
import { contentText, type Automation } from '../../../domain/automation.js';
import type { Currency } from '../../../domain/currency.js';
import { wordsOf } from '../../../domain/search-terms.js';
import type { ArchivedAutomation, NewAutomation } from '../../../domain/ports.js';
import { ADA, at, auditEntry, automation, BOB, GAMES, numbers, query, TOOLS, uuid } from '../../contracts/offers.js';
import { Stores } from './stores.js';

const EUR = 'EUR' as Currency;
const SIZE = 90;

/**
 * Stores that earlier versions made, by the commit of the version. A script filled each through the repositories of
 * that version: automations as `earlier` says, in two calls of `add`; every seventh is withdrawn, those with an odd
 * number for a reason; two categories, an API key, a developer who has signed in, and 40 entries of the audit.
 */
const VERSIONS = [
  { version: '43acb70', schema: 2, withdrawn: 'number < 0' },
  { version: '81e8a04', schema: 2, withdrawn: 'number < 0' },
  { version: 'a7cce8e', schema: 3, withdrawn: 'withdrawn_at IS NOT NULL' },
  { version: '3d67d56', schema: 4, withdrawn: 'withdrawn_at IS NOT NULL' },
];

function fixture(version: string): Buffer {
  const path = `../../../../test/integration/sqlite/fixtures/${version}.db.gz`;
  return gunzipSync(readFileSync(fileURLToPath(new URL(path, import.meta.url))));
}

function earlier(n: number): Automation {
  return automation(n, {
    price: { minorUnits: 100 + n, currency: EUR },
    categoryId: n % 2 === 0 ? GAMES : TOOLS,
    developerId: n % 3 === 0 ? BOB : ADA,
    createdAt: at(n),
    updatedAt: at(n),
  });
}

function archived(n: number): ArchivedAutomation {
  if (n % 7 > 0) return { automation: earlier(n) };
  const reason = n % 2 === 0 ? {} : { reason: `Reason ${n}` };
  return { automation: earlier(n), withdrawn: { at: at(10_000 + n), ...reason } };
}

const ALL = numbers(SIZE);
const ON_SALE = ALL.filter((n) => n % 7 > 0);

describe('An SQLite store that an earlier version made', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  for (const { version, schema, withdrawn } of VERSIONS)
    describe(version, () => {
      let file: string;
      let storage: SqliteStorage;
      let copies: string[];
      beforeEach(() => {
        file = stores.newFile();
        writeFileSync(file, fixture(version));
        copies = [];
        storage = sqliteStorage(file, { onUpgrade: (copy) => copies.push(copy) });
      });
      afterEach(() => storage.close());

      it('has a copy next to it, as it was, for its user alone', async () => {
        expect(copies).to.have.length(1);
        const copy = copies[0] ?? expect.fail();
        expect(copy).to.match(new RegExp(`marketplace\\.db\\.schema-${schema}\\.\\d+-\\d+\\.backup$`));
        expect(readdirSync(dirname(file))).to.include(basename(copy));
        expect(statSync(copy).mode & 0o777).to.equal(0o600);
        const before = new Libsql(copy);
        const counts = before.prepare(`SELECT count(*), sum(${withdrawn}) FROM automations`).raw().get();
        expect(counts).to.deep.equal([90, 12]);
        expect(before.prepare('PRAGMA user_version').raw().get()).to.deep.equal([schema]);
        before.close();
        stores.storage(file);
        expect(readdirSync(dirname(file)).filter((name) => name.includes('backup'))).to.deep.equal([basename(copy)]);
      });

      it('has the same automations on sale in the same order, and the counts', async () => {
        const newestFirst = ON_SALE.toReversed().map((n) => earlier(n));
        const { items, total } = await storage.automations.list(query(2, 20));
        expect(total).to.equal(ON_SALE.length);
        expect(items).to.deep.equal(newestFirst.slice(20, 40).map(({ id, title, price }) => ({ id, title, price })));
        expect(await storage.automations.countByCategory()).to.deep.equal(new Map([[GAMES, 39], [TOOLS, 39]]));
        expect(await storage.check({ repair: false })).to.deep.equal([]);
      });

      it('has the withdrawn ones with their reasons at their places', async () => {
        expect(await storage.archive.scan({ order: 'oldest-first', limit: 1_000 })).to.deep.equal(ALL.map(archived));
        const ofBob = await storage.archive.scan({
          order: 'newest-first',
          status: 'withdrawn',
          developerId: BOB,
          limit: 10,
        });
        expect(ofBob).to.deep.equal([84, 63, 42, 21].map(archived));
      });

      it('has the idempotency keys, with the hash of what was requested', async () => {
        const again = (n: number, idempotencyKey: string): NewAutomation => ({
          automation: { ...earlier(1_000 + n), developerId: earlier(n).developerId, createdAt: at(0) },
          idempotencyKey,
        });
        const outcomes = await storage.automations.add([again(10, 'request:10'), again(70, 'request:70')]);
        for (const [index, n] of [10, 70].entries())
          expect(outcomes[index]).to.deep.equal({
            outcome: 'earlier',
            automation: earlier(n),
            requestHash: sha256(contentText(earlier(n))),
          });
        const [imported] = await storage.automations.add([again(11, 'import:11')]);
        expect(imported?.outcome).to.equal('earlier');
        expect(await storage.automations.freeIdempotencyKeys(at(1_000_000))).to.equal(9);
      });

      it('has the audit in its order, whatever the ids were', async () => {
        const entries = await storage.auditLog.list({ limit: 1_000 });
        expect(entries.map(({ at: time }) => time)).to.deep.equal(numbers(40).toReversed().map(at));
        expect(entries.map(({ subject }) => subject)).to.deep.equal(numbers(40).toReversed().map(uuid));
        const ofBob = await storage.auditLog.list({ limit: 3, developerId: BOB });
        expect(ofBob.map(({ requestId }) => requestId)).to.deep.equal(['request-40', 'request-38', 'request-36']);
      });

      it('is searched by words and by price at once', async () => {
        const all = { page: { number: 1, limit: 2 }, status: 'on-sale' } as const;
        const terms = { words: [], prefix: wordsOf(earlier(5).title)[0] ?? expect.fail() };
        const { items, total } = await storage.search.search({ ...all, order: 'price', terms });
        expect([items[0]?.automation, total]).to.deep.equal([earlier(1), ON_SALE.length]);
        const dear = await storage.search.search({ ...all, order: 'newest', lowestPrice: 189 });
        expect(dear).to.deep.equal({ items: [90, 89].map(archived), total: 2 });
      });

      it('has everything else', async () => {
        const keys = await storage.keys.list({ limit: 10, developerId: ADA });
        expect(keys.map(({ name }) => name)).to.deep.equal(['First']);
        expect(await storage.developers.findBySignInName('ADA')).to.include({ id: 'ada', role: 'developer' });
        expect((await storage.categories.list()).map(({ name }) => name).sort()).to.deep.equal(['Games', 'Tools']);
        const currency = storage.prepare({ currency: 'USD' as Currency });
        expect(await currency.catch((error: unknown) => error)).to.have.property('code', 'other-currency');
        await storage.prepare({ currency: EUR });
      });

      it('takes roles, public names and addresses of sessions', async () => {
        const { developers, sessions, auditLog } = storage;
        expect(await developers.setProfile(ADA, { publicName: 'Ada' })).to.equal(true);
        await developers.invite(BOB, { hash: 'b', until: at(1) }, at(0), 'operator');
        const taken = developers.setProfile(BOB, { publicName: 'ADA' }).catch((error: unknown) => error);
        expect(await taken).to.have.property('code', 'public-name-taken');
        expect(await developers.find(BOB)).to.include({ role: 'operator' });
        await sessions.add({ hash: 's', developerId: ADA, createdAt: at(0), until: at(1), address: '192.0.2.1' });
        expect(await sessions.findByHash('s')).to.include({ address: '192.0.2.1' });
        const entry = auditEntry(0xffff_ffff, { actor: 'operator', operatorId: BOB, role: 'buyer' });
        await auditLog.append([entry]);
        expect(await auditLog.list({ limit: 1_000 })).to.deep.include(entry);
      });

      it('goes on: what is added comes after all others, and a revision and a withdrawal work', async () => {
        await storage.automations.add([{ automation: earlier(91) }]);
        const revised = { ...earlier(1), title: 'New', updatedAt: at(100) };
        expect(await storage.automations.revise({ automation: revised, basedOn: at(1) })).to.deep.equal({
          outcome: 'revised',
        });
        expect(await storage.automations.withdraw(earlier(2).id, { at: at(0) })).to.equal('withdrawn');
        const { items, total } = await storage.automations.list(query(1, 1));
        expect([items[0]?.id, total]).to.deep.equal([earlier(91).id, ON_SALE.length]);
        expect(await storage.check({ repair: false })).to.deep.equal([]);
      });
    });

  it('is upgraded once when four processes open it at once', async () => {
    const file = stores.newFile();
    writeFileSync(file, fixture('43acb70'));
    const children = numbers(4).map(() => fork(new URL('./idle-process.js', import.meta.url), [file, 'EUR']));
    const codes = await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))));
    expect(codes).to.deep.equal([0, 0, 0, 0]);
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.backup'))).to.have.length(1);
    const all = await stores.storage(file).archive.scan({ order: 'oldest-first', limit: 1_000 });
    expect(all.slice(0, SIZE)).to.deep.equal(ALL.map(archived));
    expect(all).to.have.length(SIZE + 4);
  }).timeout(60_000);

  it('of the time before developers had accounts is upgraded too', async () => {
    const file = stores.newFile();
    writeFileSync(file, fixture('43acb70'));
    const young = new Libsql(file);
    young.exec('DROP TABLE developers; DROP TABLE sessions; DROP TABLE audit; PRAGMA user_version = 1');
    young.close();
    const storage = stores.storage(file);
    expect((await storage.automations.list(query(1, 1))).total).to.equal(ON_SALE.length);
    expect(await storage.auditLog.list({ limit: 1 })).to.deep.equal([]);
    expect(await storage.developers.list({ limit: 1 })).to.deep.equal([]);
  });

  it('is as it was when the upgrade fails half-way', () => {
    const file = stores.newFile();
    writeFileSync(file, fixture('43acb70'));
    const damaged = new Libsql(file);
    damaged.exec('PRAGMA writable_schema = ON; CREATE TABLE withdrawn_by_developer (x)');
    damaged.close();
    expect(() => new SqliteDatabase(file)).to.throw(/cannot be opened as a store/);
    const after = new Libsql(file);
    expect(after.prepare('SELECT count(*) FROM automations').raw().get()).to.deep.equal([SIZE]);
    expect(after.prepare('PRAGMA user_version').raw().get()).to.deep.equal([2]);
    after.close();
  });
});
