import { expect } from 'chai';
import {
  SqliteAuditLog,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDatabase,
  SqliteDeveloperRepository,
  SqliteSessionRepository,
} from '../../../adapters/sqlite/index.js';

/** A database that remembers what it was asked to prepare. */
class Watched extends SqliteDatabase {
  readonly prepared: string[] = [];

  override prepare(sql: string) {
    this.prepared.push(sql);
    return super.prepare(sql);
  }
}

/** How SQLite goes about each statement that a repository prepares (https://sqlite.org/eqp.html). */
function plansOf(make: (database: SqliteDatabase) => unknown): ReadonlyMap<string, readonly string[]> {
  const database = new Watched(':memory:');
  make(database);
  const statements = [...database.prepared];
  const plans = statements.map((sql) => {
    const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    return [sql.replace(/\s+/g, ' '), rows.map(({ detail }) => detail)] as const;
  });
  database.close();
  return new Map(plans);
}

/** Whatever sorts first, or looks at every row of a table or an index. */
const COSTLY = /SCAN|TEMP B-TREE/;

/** What may be read from one end to the other, in the order in which it lies there. */
const WHOLE: Readonly<Record<string, string>> = {
  'SELECT * FROM developers ORDER BY position': 'SCAN developers',
  'SELECT * FROM audit ORDER BY position DESC LIMIT ?': 'SCAN audit',
};

const REPOSITORIES: Readonly<Record<string, { make: (database: SqliteDatabase) => unknown; statements: number }>> = {
  developers: { make: (database) => new SqliteDeveloperRepository(database), statements: 8 },
  sessions: { make: (database) => new SqliteSessionRepository(database), statements: 6 },
  audit: { make: (database) => new SqliteAuditLog(database), statements: 5 },
};

describe('What SQLite does for a statement', () => {
  for (const [name, { make, statements }] of Object.entries(REPOSITORIES))
    it(`of ${name} it searches an index, and sorts nothing`, () => {
      const plans = plansOf(make);
      expect(plans.size).to.equal(statements);
      for (const [sql, details] of plans)
        for (const detail of details) if (COSTLY.test(detail)) expect(detail, sql).to.equal(WHOLE[sql]);
    });

  it('of a part of the audit it goes along the index of the developer, from the entry that is known', () => {
    const plans = Array.from(plansOf(REPOSITORIES['audit']?.make ?? expect.fail()));
    const ofOne = plans.filter(([sql]) => sql.includes('developer_id = ?')).map(([, details]) => details);
    expect(ofOne[0]).to.deep.equal(['SEARCH audit USING INDEX audit_by_developer (developer_id=?)']);
    expect(ofOne[1]?.[0]).to.equal('SEARCH audit USING INDEX audit_by_developer (developer_id=? AND position<?)');
    const all = plans.find(([sql]) => sql.includes('WHERE position <'))?.[1];
    expect(all?.[0]).to.equal('SEARCH audit USING INTEGER PRIMARY KEY (rowid<?)');
  });

  it("of a part of a developer's own automations it goes along their index, and past what was withdrawn", () => {
    const plans = Array.from(plansOf((database) => new SqliteAutomationRepository(database)));
    const own = plans.filter(([sql]) => /developer_id = \? AND number > 0/.test(sql)).map(([, details]) => details);
    expect(own).to.have.length(2);
    expect(own[0]).to.deep.equal([
      'SEARCH automations USING INDEX automations_by_developer (developer_id=? AND number>?)',
    ]);
    expect(own[1]?.[0]).to.equal(
      'SEARCH automations USING INDEX automations_by_developer (developer_id=? AND number>? AND number<?)',
    );
    for (const detail of own.flat()) expect(detail).not.to.match(COSTLY);
  });

  it('of automations and categories by their ids it searches the index for each', () => {
    for (const make of [SqliteAutomationRepository, SqliteCategoryRepository]) {
      const plans = Array.from(plansOf((database) => new make(database)));
      const [finds] = plans.filter(([sql]) => sql.includes('json_each(?)')).map(([, details]) => details);
      expect(finds?.[0]).to.match(/^SEARCH \w+ USING .*\(id=\?/);
    }
  });

  it('of a part from the oldest on it goes along the numbers on sale, from the automation that is known', () => {
    const plans = Array.from(plansOf((database) => new SqliteAutomationRepository(database)));
    const parts = plans.filter(([sql]) => sql.endsWith('ORDER BY number LIMIT ?')).map(([, details]) => details);
    expect(parts).to.have.length(2);
    for (const [first] of parts) expect(first).to.equal('SEARCH automations USING INTEGER PRIMARY KEY (rowid>?)');
    for (const detail of parts.flat()) expect(detail).not.to.match(COSTLY);
  });
});
