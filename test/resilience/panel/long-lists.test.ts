import { expect } from 'chai';
import Libsql from 'libsql';
import { OPERATOR, type ApiKeyId, type DeveloperId } from '../../../application/index.js';
import { starterCategories } from '../../../composition/service/starter-categories.js';
import { CORE } from '../../../composition/tokens.js';
import type { CategoryId } from '../../../domain/category.js';
import { developerIdKey } from '../../../domain/public-name.js';
import { MAX_SESSIONS } from '../../../domain/session.js';
import { auditEntry, entryIdOf, numbers, offer } from '../../contracts/offers.js';
import { apiKey, hashOf } from '../../contracts/keys.js';
import { overMemory, overSqlite, wrapped, type Repositories } from '../../support/repositories.js';
import { newSqliteFile } from '../../support/sqlite-file.js';
import { startService, type LocalService } from '../../support/service.js';
import { replacing } from '../../support/service/spy.js';
import { Visitor } from '../../support/panel-visitor.js';
import { inviting } from '../../contracts/developers.js';
import { session, start } from '../../contracts/sessions.js';

/** Many times what a page may read. */
const COUNT = 50_000;
const BATCH_SIZE = 500;
const LONG_AGO = Date.UTC(2026, 0, 1);
const MAX_PAGE_BYTES = 150_000;
/** A page of the history that shows one kind of entries looks at up to 1,000. */
const MAX_PAGE_ROWS = 1_100;

const ADA = 'ada' as DeveloperId;
/** The id of the nth key, in the order of n. */
const idOf = (n: number) => entryIdOf(n) as string as ApiKeyId;

/** The same repositories, which count the rows that they return. */
function counting(repositories: Repositories): { readonly repositories: Repositories; readonly rows: () => number } {
  let rows = 0;
  const counted = wrapped(repositories, (port) =>
    replacing(port, (_method, run) => {
      const answer = run();
      if (answer instanceof Promise)
        void answer.then(
          (value: unknown) => (rows += rowsIn(value)),
          () => undefined,
        );
      return answer;
    }),
  );
  return { repositories: counted, rows: () => rows };
}

function rowsIn(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length;
  const { items } = (answer ?? {}) as { readonly items?: readonly unknown[] };
  return Array.isArray(items) ? items.length : 1;
}

async function fillAccounts({ keys, developers }: Repositories): Promise<void> {
  const end = { expiresAt: new Date(LONG_AGO + COUNT) };
  for (const n of numbers(COUNT)) {
    await keys.add({
      key: apiKey(n, { id: idOf(n), hash: hashOf(n), ...end, revokedAt: new Date(LONG_AGO + n) }),
      entries: [],
    });
    const id = `dev-${n}` as DeveloperId;
    await developers.invite(id, inviting({ hash: hashOf(n), until: new Date(LONG_AGO + n) }, new Date(LONG_AGO)));
  }
}

/** Does the same in one transaction, past the repositories, which have one for each. */
function fillAccountsOf(file: string): void {
  const connection = new Libsql(file);
  const addKey = connection.prepare(
    `INSERT INTO api_keys (id, hash, prefix, developer_id, name, scopes, created_at, expires_at, revoked_at)
     VALUES (?, ?, 'amk_', 'ada', 'A key', '["automations:read"]', ?, ?, ?)`,
  );
  const invite = connection.prepare(
    `INSERT INTO developers (id, id_skeleton, added_at, invitation_hash, invitation_until, role)
     VALUES (?, ?, ?, ?, ?, 'developer')`,
  );
  connection.exec('BEGIN IMMEDIATE');
  for (const n of numbers(COUNT)) {
    const id = `dev-${n}` as DeveloperId;
    addKey.run(idOf(n), hashOf(n), LONG_AGO, LONG_AGO + COUNT, LONG_AGO + n);
    invite.run(id, developerIdKey(id), LONG_AGO, hashOf(n), LONG_AGO + n);
  }
  connection.exec('COMMIT');
  connection.close();
}

async function fillMarket({ auditLog, automations }: Repositories): Promise<void> {
  for (let first = 1; first <= COUNT; first += BATCH_SIZE) {
    const batch = numbers(BATCH_SIZE).map((n) => first + n - 1);
    const subject = (n: number) => ({ action: 'key-revoked', subject: idOf(n) }) as const;
    await auditLog.append(batch.map((n) => auditEntry(n, subject(n))));
    await automations.add(batch.map((n) => offer(n, { categoryId: 'email' as CategoryId, developerId: ADA })));
  }
}

const PAGES = [
  '/panel',
  '/panel/account',
  '/panel/keys',
  `/panel/keys?before=${idOf(COUNT / 2)}`,
  '/panel/history',
  '/panel/history?kind=account',
  '/panel/automations',
  `/panel/automations?page=${COUNT / 20}`,
  '/panel/operator/developers',
  '/panel/operator/developers?q=v-49',
  '/panel/operator/developers?q=nobody',
  `/panel/operator/developers?before=${Buffer.from(`dev-${COUNT / 2}`).toString('base64url')}`,
  '/panel/operator/developers/ada',
  `/panel/operator/developers/ada?before=${idOf(COUNT / 2)}`,
  '/panel/operator/history',
  '/panel/operator/automations',
];

const FILE = newSqliteFile();
const STORES = {
  memory: { open: overMemory, fill: fillAccounts },
  SQLite: { open: () => overSqlite(FILE), fill: () => fillAccountsOf(FILE) },
};

for (const [storage, { open, fill }] of Object.entries(STORES))
  describe(`The panel with ${COUNT} of everything, on ${storage}`, () => {
    let service: LocalService;
    let ada: Visitor;
    let rows: () => number;
    const rowsDuring = async (work: () => Promise<unknown>): Promise<number> => {
      const before = rows();
      await work();
      return rows() - before;
    };

    before(async function () {
      this.timeout(180_000);
      const repositories = open();
      const counted = counting(repositories);
      rows = counted.rows;
      service = await startService({ repositories: counted.repositories, categories: starterCategories() });
      await fill(repositories);
      await fillMarket(repositories);
      const link = await service.invite('ada');
      await service.container.get(CORE).accounts.setRole(OPERATOR, 'ada', 'operator');
      ada = new Visitor(service.url);
      await ada.accept(link, 'ada@example.com');
    });
    after(() => service.close());

    for (const page of PAGES)
      it(`${page} is short, and reads little`, async () => {
        let [status, bytes] = [0, 0];
        const read = await rowsDuring(async () => {
          const answer = await ada.open(page);
          [status, bytes] = [answer.status, Buffer.byteLength(answer.body)];
        });
        expect(status).to.equal(200);
        expect(bytes).to.be.below(MAX_PAGE_BYTES);
        expect(read).to.be.within(1, MAX_PAGE_ROWS);
      });

    it('a key is issued, rotated and revoked without a list of keys', async () => {
      const keys = service.container.get(CORE).keys;
      const read = await rowsDuring(async () => {
        const { key } = await keys.issue(OPERATOR, { developer: 'ada' });
        await keys.rotate(OPERATOR, key.id, 0);
        await keys.revoke(OPERATOR, key.id);
      });
      expect(read).to.be.below(20);
    });

    it('a developer is invited, suspended, restored and given a role without a list of developers', async () => {
      const accounts = service.container.get(CORE).accounts;
      const read = await rowsDuring(async () => {
        await accounts.invite(OPERATOR, 'dev-7');
        await accounts.suspend(OPERATOR, 'dev-7');
        await accounts.restore(OPERATOR, 'dev-7');
        await accounts.setRole(OPERATOR, 'dev-7', 'buyer');
      });
      expect(read).to.be.below(20);
    });

    it('an account page has as many sessions as there may be, the latest', async () => {
      for (const n of numbers(MAX_SESSIONS + 10))
        await start(
          service.repositories,
          session(n, { createdAt: new Date(LONG_AGO + n), until: new Date('2100-01-01') }),
        );
      const { body } = await ada.open('/panel/account');
      expect(body.split('/sessions/').length).to.be.at.most(MAX_SESSIONS);
      expect(Buffer.byteLength(body)).to.be.below(MAX_PAGE_BYTES);
    });
  });
