import { searchTerms } from '../../../domain/search-terms.js';
import { expect } from 'chai';
import pg from 'pg';
import { postgresStorage } from '../../../adapters/sql/postgresql/index.js';
import type { PooledClient, Statement } from '../../../adapters/sql/postgresql/index.js';
import {
  DomainError,
  type AutomationId,
  type CategoryId,
  type DeveloperId,
  type SearchQuery,
  type Storage,
} from '../../../application/index.js';
import {
  at,
  auditEntry,
  automation,
  bulkWithdrawal,
  offer,
  revision,
  USD,
  withdrawal,
} from '../../contracts/offers.js';
import { CALLS_OF_PORTS } from '../../support/calls-of-ports.js';
import { describePostgres, runSql } from '../../support/postgres.js';
import { minorUnits } from '../../../domain/price.js';

const ROWS = 50_000;
const DEVELOPERS = 100;
const PRICES = { lowestPrice: minorUnits(100), highestPrice: minorUnits(200) };

/** Tables whose rows are few: categories, settings, and the counts of large blocks. */
const SMALL = /^(categories|settings|counts)$/;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

describePostgres('The plans of PostgreSQL', (newPlace) => {
  let pool: pg.Pool;
  let storage: Storage;
  let seen: Statement[] = [];

  /** Remembers the statements, but for those that begin and end transactions. */
  function recording(client: pg.PoolClient): PooledClient {
    return {
      query(statement) {
        if (/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/.test(statement.text)) seen.push(statement);
        return client.query(statement as pg.QueryConfig);
      },
      release: (close) => client.release(close),
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
    };
  }

  before(async () => {
    const { url, schema } = await newPlace();
    // One connection runs the calls in their order.
    pool = new pg.Pool({ connectionString: url, max: 1 });
    storage = postgresStorage(
      { connect: async () => recording(await pool.connect()), on: (event, listener) => pool.on(event, listener) },
      { schema },
    );
    await storage.prepare({ currency: USD });
    await runSql(url, `SET search_path = "${schema}"; ${FILLED}`, `ANALYZE`);
  });
  beforeEach(() => {
    seen = [];
  });
  after(async () => {
    await storage.close();
    await pool.end();
  });

  /** Returns the tables that a statement reads from end to end. */
  async function scannedBy({ text, values }: Statement): Promise<readonly string[]> {
    const { rows } = await pool.query<{ readonly 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>({
      text: `EXPLAIN (FORMAT JSON) ${text}`,
      values: [...values],
    });
    const scanned = (plan: Plan): readonly string[] => [
      ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
      ...(plan.Plans ?? []).flatMap(scanned),
    ];
    return rows.flatMap((row) => scanned(row['QUERY PLAN'][0].Plan)).filter((name) => !SMALL.test(name));
  }

  const id = 'ffffffff-0000-4000-8000-000000000001' as AutomationId;
  const CATEGORY = 'category-7' as CategoryId;
  const DEVELOPER = 'developer-7' as DeveloperId;
  const PAGE = { number: 2, limit: 20 };
  const search = (query: Partial<SearchQuery>) =>
    storage.search?.search({ page: PAGE, order: 'newest', status: 'on-sale', ...query }) ?? Promise.resolve();
  const RARE = searchTerms('title rare17');
  const newOffer = automation(1, { categoryId: CATEGORY });

  const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
    'a page': () => storage.automations.list({ page: PAGE }),
    'a deep page': () => storage.automations.list({ page: { number: ROWS / 40, limit: 20 } }),
    'a page of a category': () => storage.automations.list({ page: PAGE, category: CATEGORY }),
    'a page behind one': () => storage.automations.list({ page: { after: id, limit: 20 } }),
    'a page of a category behind one': () =>
      storage.automations.list({ page: { after: id, limit: 20 }, category: CATEGORY }),
    'a whole page with counts': () =>
      storage.automations.list({ page: PAGE, category: CATEGORY, whole: true, countCategories: true }),
    'a look-up': () => storage.automations.find(id),
    'the counts of categories': () => storage.automations.countByCategory(),
    'a create with a key': () => storage.automations.add([offer(1, { categoryId: CATEGORY, key: 'k', until: at(9) })]),
    'a revision': () => storage.automations.revise(revision(newOffer, { title: 'Other', price: newOffer.price })),
    'a withdrawal': () => storage.automations.withdraw(newOffer.id, withdrawal(61, { auditEntry: auditEntry(2) })),
    'withdrawals of a developer': () =>
      storage.automations.withdrawAll(bulkWithdrawal(2, { developerId: 'developer-9' as DeveloperId })),
    'keys of offers that are freed': () => storage.automations.freeIdempotencyKeys(new Date(0)),
    'the archive': () => storage.archive.scan({ order: 'oldest-first', limit: 100 }),
    'the archive of a developer': () =>
      storage.archive.scan({ developerId: DEVELOPER, status: 'withdrawn', order: 'newest-first', limit: 20 }),
    'all of a developer': () => storage.archive.scan({ developerId: DEVELOPER, order: 'newest-first', limit: 20 }),
    'a search': () => search({ terms: RARE }),
    'a search for the best': () => search({ terms: RARE, order: 'best' }),
    'a search of a developer': () => search({ terms: RARE, developerId: DEVELOPER }),
    'the cheapest': () => search({ order: 'price' }),
    'the cheapest of a category': () => search({ order: 'price', category: CATEGORY }),
    'prices of a category': () => search({ order: '-price', category: CATEGORY, ...PRICES }),
    'the offers of a developer': () => search({ developerId: DEVELOPER }),
    'the offers of a platform': () => search({ platform: 'n8n', countCategories: true }),
    'the offers of a platform in a category': () => search({ platform: 'n8n', category: CATEGORY, order: 'price' }),
    'a search of a platform': () => search({ terms: RARE, platform: 'n8n' }),
  };

  async function assertIndexed(calls: readonly Promise<unknown>[]): Promise<void> {
    for (const { reason } of (await Promise.allSettled(calls)).filter(isFailure))
      if (!(reason instanceof DomainError)) throw reason;
    expect(seen).not.to.deep.equal([]);
    for (const statement of seen)
      expect(await scannedBy(statement), `${statement.text}\n${String(statement.values)}`).to.deep.equal([]);
  }

  for (const [title, call] of Object.entries(CALLS)) it(`read an index for ${title}`, () => assertIndexed([call()]));

  for (const [name, calls] of Object.entries(CALLS_OF_PORTS))
    it(`read an index for each method of ${name}`, () => assertIndexed(calls(storage)));
});

function isFailure(result: PromiseSettledResult<unknown>): result is PromiseRejectedResult {
  return result.status === 'rejected';
}

/** After all that the calls remove. */
const LATER = 4_000_000_000_000;
const SERIES = (count: number) => `FROM generate_series(1, ${count}) AS n`;

/** Rows of many developers and categories, a tenth of them withdrawn. */
const FILLED = [
  `INSERT INTO automations (id, category_id, developer_id, title, price, currency, created_at, updated_at,
     withdrawn_at, withdrawn_by, platform, description, idempotency_key, idempotency_key_until)
   SELECT gen_random_uuid(), 'category-' || n % 20, 'developer-' || n % ${DEVELOPERS}, 'title ' || n, n % 1000, 'USD',
     n, n, CASE n % 10 WHEN 0 THEN n END, CASE n % 10 WHEN 0 THEN 'developer' END,
     CASE n % 100 WHEN 1 THEN 'n8n' END, 'words', 'key-' || n, ${LATER} + n
   ${SERIES(ROWS)}`,
  `INSERT INTO words SELECT number, category_id, developer_id, platform, price, withdrawn_at,
     array_to_tsvector(ARRAY['title']), array_to_tsvector(ARRAY['title', 'rare' || number % 1000]), ''
     FROM automations`,
  `INSERT INTO automation_files SELECT number, 'AAAA' FROM automations`,
  `INSERT INTO api_keys (id, hash, prefix, developer_id, name, scopes, created_at, expires_at)
   SELECT 'key-' || n, 'hash-' || n, 'p', 'developer-' || n % 5000, 'n', '[]', n, ${LATER} + n ${SERIES(ROWS)}`,
  `INSERT INTO developers (id, added_at, role, id_skeleton, sign_in_key, invitation_hash)
   SELECT 'developer-' || n, n, CASE WHEN n < 5 THEN 'operator' ELSE 'seller' END, 'skeleton-' || n, 'name-' || n,
     'invitation-' || n ${SERIES(ROWS)}`,
  `INSERT INTO identities (issuer, subject, developer_id)
   SELECT 'host', 'subject-' || n, 'developer-' || n ${SERIES(ROWS)}`,
  `INSERT INTO sessions (hash, developer_id, created_at, until)
   SELECT 'hash-' || n, 'developer-' || n % 5000, n, ${LATER} + n ${SERIES(ROWS)}`,
  `INSERT INTO audit (id, at, actor, action, developer_id)
   SELECT 'entry-' || n, n, 'developer', 'signed-in', 'developer-' || n % 5000 ${SERIES(ROWS)}`,
  `INSERT INTO oauth_records (kind, id, content, developer_id, client_id, grant_id, uid, user_code, expires_at)
   SELECT (ARRAY['code', 'token', 'session', 'app'])[n % 4 + 1], 'record-' || n, '{}', 'developer-' || n % 5000,
     'client-' || n % 5000, 'grant-' || n % 10000, 'uid-' || n, 'user-code-' || n, ${LATER} + n ${SERIES(ROWS)}`,
  `INSERT INTO reports (id, automation_id, kind, text, at, developer_id, address, closed_at)
   SELECT 'report-' || n, 'automation-' || n % 5000, 'other', '', ${LATER} + n, 'developer-' || n, '192.0.2.1',
     CASE n % 2 WHEN 0 THEN ${LATER} + n END ${SERIES(ROWS)}`,
  `INSERT INTO refused_files SELECT 'file-' || n, n ${SERIES(ROWS)}`,
].join('; ');
