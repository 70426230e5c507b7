import { expect } from 'chai';
import {
  SqliteApiKeyRepository,
  SqliteAuditLog,
  SqliteAutomationArchive,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDatabase,
  SqliteDeveloperRepository,
  SqliteSessionRepository,
} from '../../../adapters/sqlite/index.js';
import { SqliteCheck } from '../../../adapters/sqlite/check.js';
import { openConnection, type Connection, type Preparer, type Statement } from '../../../adapters/sqlite/connection.js';
import { upgrade } from '../../../adapters/sqlite/upgrade.js';
import { writesOf } from '../../../adapters/sqlite/writes.js';

/** Looks at every row of a table or an index, or sorts. */
const COSTLY = /\bSCAN\b|TEMP B-TREE/;

/** What may be read from one end to the other: the rows that a query has found, a few rows, or all rows in order. */
const WHOLE: readonly RegExp[] = [
  /^SCAN (\(subquery-\d+\)|json_each VIRTUAL TABLE INDEX 1:|CONSTANT ROW)$/,
  /^SCAN categories( USING .*)?$/,
  /^SCAN developers( USING COVERING INDEX .*)?$/,
];

/** Statements of a check, which may look at more. */
const OF_CHECKS = /change < 0|GROUP BY|block BETWEEN/;

/** A database that records what it was asked to prepare. */
class Watched extends SqliteDatabase {
  readonly prepared: string[] = [];

  override prepare(sql: string): Statement {
    this.prepared.push(sql);
    return super.prepare(sql);
  }
}

/** Returns how SQLite runs each statement (https://sqlite.org/eqp.html). */
function plansOf(preparer: Preparer, statements: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const plans = statements.map((sql) => {
    const rows = preparer.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    return [sql.replace(/\s+/g, ' '), rows.map(({ detail }) => detail)] as const;
  });
  return new Map(plans);
}

async function readPlans(
  make: (database: SqliteDatabase) => unknown,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const database = new Watched(':memory:');
  make(database);
  const plans = plansOf(database, [...database.prepared]);
  await database.close();
  return plans;
}

function assertCheap(plans: ReadonlyMap<string, readonly string[]>): void {
  for (const [sql, details] of plans)
    for (const detail of details)
      if (COSTLY.test(detail)) expect(WHOLE.some((each) => each.test(detail)), `${sql}: ${detail}`).to.equal(true);
}

const READERS: Readonly<Record<string, { make: (database: SqliteDatabase) => unknown; statements: number }>> = {
  automations: { make: (database) => new SqliteAutomationRepository(database), statements: 5 },
  archive: { make: (database) => new SqliteAutomationArchive(database), statements: 9 },
  categories: { make: (database) => new SqliteCategoryRepository(database), statements: 2 },
  keys: { make: (database) => new SqliteApiKeyRepository(database), statements: 9 },
  developers: { make: (database) => new SqliteDeveloperRepository(database), statements: 9 },
  sessions: { make: (database) => new SqliteSessionRepository(database), statements: 2 },
  audit: { make: (database) => new SqliteAuditLog(database), statements: 2 },
};

describe('What SQLite does for a statement', () => {
  for (const [name, { make, statements }] of Object.entries(READERS))
    it(`that reads ${name}: it searches an index, and sorts nothing`, async () => {
      const plans = await readPlans(make);
      expect(plans.size).to.equal(statements);
      assertCheap(plans);
    });

  it('that writes: it searches an index, and sorts nothing', () => {
    const connection = openConnection(':memory:', undefined, (opened) => void upgrade(opened, ':memory:'));
    const prepared: string[] = [];
    const watched = {
      prepare: (sql: string) => {
        prepared.push(sql);
        return connection.prepare(sql);
      },
    };
    writesOf(watched as Connection);
    const plans = plansOf(
      connection,
      prepared.filter((sql) => !OF_CHECKS.test(sql)),
    );
    expect(plans.size).to.be.above(30);
    assertCheap(plans);
    connection.close();
  });

  it('that reads a page: the index of what is on sale, in its order', async () => {
    const pages = Array.from(await readPlans(READERS['automations']?.make ?? expect.fail()));
    const [all, category] = pages.filter(([sql]) => sql.includes('OFFSET')).map(([, details]) => details);
    expect(all?.[1]).to.equal('SEARCH automations USING INDEX on_sale (seq<?)');
    expect(category?.[1]).to.equal('SEARCH automations USING INDEX on_sale_by_category (category_id=? AND seq<?)');
  });

  it('that reads keys and sessions of one developer: as many rows of an index as it returns', async () => {
    const plans = Array.from(await readPlans(READERS['keys']?.make ?? expect.fail()));
    const details = plans.filter(([sql]) => sql.includes('developer_id = ?')).flatMap(([, each]) => each);
    expect(details.filter((detail) => detail.startsWith('SEARCH'))).to.have.members([
      'SEARCH api_keys USING INDEX api_keys_by_developer (developer_id=? AND rowid<?)',
      'SEARCH api_keys USING INDEX api_keys_of_developer_by_end (developer_id=? AND <expr>>?)',
      'SEARCH api_keys USING INDEX api_keys_of_developer_by_end (developer_id=? AND <expr>>?)',
      'SEARCH api_keys USING INDEX api_keys_of_developer_by_end (developer_id=? AND <expr><?)',
      'SEARCH api_keys USING INDEX api_keys_of_developer_by_end (developer_id=? AND <expr><?)',
    ]);
  });

  it('that reads counts: only those that have changed', async () => {
    const plans = Array.from(await readPlans((database) => new SqliteAutomationRepository(database)));
    const details = plans.filter(([sql]) => sql.includes('block_counts')).flatMap(([, each]) => each);
    expect(details).to.include('SEARCH block_counts USING COVERING INDEX block_counts_by_change (change>?)');
  });

  it('that counts some blocks again: only those', async () => {
    const plans = Array.from(await readPlans((database) => new SqliteCheck(database)));
    const details = plans.filter(([sql]) => OF_CHECKS.test(sql)).flatMap(([, each]) => each);
    expect(details).to.include('SEARCH automations USING COVERING INDEX on_sale (seq>? AND seq<?)');
    expect(details).to.include('SEARCH block_counts USING PRIMARY KEY (block>? AND block<?)');
  });
});
