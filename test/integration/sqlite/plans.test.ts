import { expect } from 'chai';
import type { Query } from '../../../adapters/sql/connection.js';
import { SqliteConnection } from '../../../adapters/sql/sqlite/connection.js';
import { sqlStorage, type SqlStorage } from '../../../adapters/sql/storage.js';
import { completeWords } from '../../../adapters/sql/words.js';
import { searchTerms } from '../../../domain/search-terms.js';
import type { SearchQuery } from '../../../domain/ports.js';
import { at, offer, query, TOOLS, USD } from '../../contracts/offers.js';
import { CALLS_OF_PORTS } from '../../support/calls-of-ports.js';
import { newSqliteFile } from '../../support/sqlite-file.js';
import { minorUnits } from '../../../domain/price.js';

/** Looks at every row of a table or an index, or sorts. */
const COSTLY = /\bSCAN\b|TEMP B-TREE/;

/** What may be read from one end to the other: rows that were given or found, a few rows, or all rows in order. */
const WHOLE: readonly RegExp[] = [
  /^SCAN (given|json_each|own|found|walked|one|page|others|start|totals|on_sale$|withdrawn$|in_\w+|\(subquery-\d+\))/,
  /^SCAN (CONSTANT ROW|pragma_data_version)/,
  /^SCAN (categories|settings)\b/,
  /^SCAN words VIRTUAL TABLE INDEX \d+:(M|=$)/,
];

/** All rows in their order, up to a limit. */
const IN_ORDER = /^SCAN (automations USING INDEX (on_sale|withdrawn)|api_keys|developers|audit)$/;
/** What is sorted is a list that was given, a page, the ends of two sorted lists, or rows that are locked in order. */
const SORTS_LITTLE =
  /ORDER BY (given\.)?ordinal|AS found ORDER BY|LEFT JOIN page|json_each\(\$1\)\) ORDER BY number|OR id = \$1 ORDER BY/;

/** A connection that records the statements. */
class Watched extends SqliteConnection {
  readonly statements = new Set<string>();

  override get query(): Query {
    return this.#watched(super.query);
  }

  override transaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return super.transaction((run) => work(this.#watched(run)));
  }

  override search<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
    return super.search((run) => work(this.#watched(run)));
  }

  #watched(run: Query): Query {
    return (sql, values) => {
      this.statements.add(sql);
      return run(sql, values);
    };
  }
}

/** Returns how SQLite runs each statement (https://sqlite.org/eqp.html). */
async function plansOf(calls: (storage: SqlStorage) => Promise<unknown>): Promise<ReadonlyMap<string, string[]>> {
  const connection = new Watched(newSqliteFile());
  const storage = sqlStorage(connection);
  await storage.prepare({ currency: USD });
  await completeWords(connection);
  await storage.automations.add([1, 2, 3].map((n) => offer(n, { key: `key ${n}`, until: at(9) })));
  connection.statements.clear();
  await calls(storage);
  const plans = await connection.use((database) =>
    Array.from(connection.statements, (sql) => {
      const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\$(?=\d)/g, '?')}`).all();
      return [sql.replace(/\s+/g, ' '), (rows as { detail: string }[]).map(({ detail }) => detail)] as const;
    }),
  );
  await connection.close();
  return new Map(plans);
}

function isCheap(sql: string, detail: string): boolean {
  if (IN_ORDER.test(detail))
    return sql.includes('LIMIT') && !/WHERE (?!true|withdrawn_at IS (NOT )?NULL ORDER)/.test(sql);
  if (detail.includes('TEMP B-TREE')) return SORTS_LITTLE.test(sql);
  return !COSTLY.test(detail) || WHOLE.some((each) => each.test(detail));
}

function assertCheap(plans: ReadonlyMap<string, readonly string[]>): void {
  for (const [sql, details] of plans)
    for (const detail of details) expect(isCheap(sql, detail), `${sql}: ${detail}`).to.equal(true);
}

const SEARCH: SearchQuery = { page: { number: 1, limit: 10 }, order: 'newest', status: 'on-sale' };
const TERMS = searchTerms('a');

describe('What SQLite does for a statement', () => {
  for (const [name, calls] of Object.entries(CALLS_OF_PORTS))
    it(`of ${name}: it searches an index, and sorts nothing`, async () => {
      const plans = await plansOf((storage) => Promise.all(calls(storage)));
      expect(plans.size).to.be.above(1);
      assertCheap(plans);
    });

  it('of each method of a port', () => {
    for (const [name, calls] of Object.entries(CALLS_OF_PORTS)) {
      const port = sqlStorage(new SqliteConnection(newSqliteFile()))[name as 'keys'];
      const called = new Set<string>(name === 'developers' ? ['count'] : []);
      const recording = new Proxy(port, { get: (_, method) => () => Promise.resolve(called.add(String(method))) });
      void calls({ [name]: recording } as unknown as SqlStorage);
      const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(port));
      expect([...called, 'constructor']).to.have.members(methods);
    }
  });

  const detailsOf = async (calls: (storage: SqlStorage) => Promise<unknown>) =>
    Array.from((await plansOf(calls)).values()).flat();

  it('that reads a page: few rows of the counts, and the index of what is on sale, in its order', async () => {
    const ofAll = await detailsOf(({ automations }) => automations.list(query(1, 10)));
    expect(ofAll).to.include.members([
      'SEARCH counts USING PRIMARY KEY (size=? AND category_id=?)',
      'SEARCH counts USING PRIMARY KEY (size=? AND category_id=? AND block>? AND block<?)',
      'SEARCH automations USING INDEX on_sale (number<?)',
    ]);
    const ofCategory = await detailsOf(({ automations }) => automations.list(query(1, 10, TOOLS)));
    expect(ofCategory).to.include('SEARCH automations USING INDEX on_sale_by_category (category_id=? AND number<?)');
  });

  it('that reads a page behind an item: its number, and the index of what is on sale below', async () => {
    const page = { after: offer(1).automation.id, limit: 10 };
    const [index, number] = ['sqlite_autoindex_automations_1 (id=?)', '(number<?)'];
    const ofAll = await detailsOf(({ automations }) => automations.list({ page }));
    const ofCategory = await detailsOf(({ automations }) => automations.list({ page, category: TOOLS }));
    for (const [details, sale] of [
      [ofAll, `on_sale ${number}`],
      [ofCategory, 'on_sale_by_category (category_id=? AND number<?)'],
    ] as const) {
      const reads = new Set(details.filter((detail) => detail.includes(' automations ')));
      expect(Array.from(reads), details.join('\n')).to.have.members([
        `SEARCH automations USING COVERING INDEX ${index}`,
        `SEARCH automations USING INDEX ${sale}`,
      ]);
    }
  });

  it('that searches by words: the index of words first, and the others by their numbers', async () => {
    for (const wanted of [
      { category: TOOLS },
      { order: 'price' },
      { lowestPrice: minorUnits(0) },
      { platform: 'n8n' },
      { countCategories: true },
    ] as const) {
      const plans = await plansOf(({ search }) => search.search({ ...SEARCH, terms: TERMS, ...wanted }));
      const details = Array.from(plans.values()).flat();
      expect(details.join('\n'), JSON.stringify(wanted)).to.include('SEARCH a USING COVERING INDEX on_sale (number=?');
    }
  });

  it('that searches by platform: the index of what has a file of a platform, in its order', async () => {
    for (const wanted of [{}, { countCategories: true }, { category: TOOLS }] as const) {
      const plans = await plansOf(({ search }) => search.search({ ...SEARCH, platform: 'n8n', ...wanted }));
      const reads = Array.from(plans.values()).flat();
      const index = /SEARCH a USING (COVERING )?INDEX on_sale_by_platform \(platform=\?\)/;
      for (const detail of reads.filter((each) => / a /.test(each))) expect(detail).to.match(index);
      expect(reads.some((detail) => index.test(detail))).to.equal(true);
      if (!('countCategories' in wanted)) assertCheap(plans);
    }
  });

  it('that searches by price: the index of prices, in its order', async () => {
    const plans = await plansOf(({ search }) =>
      search.search({ ...SEARCH, order: 'price', highestPrice: minorUnits(10 ** 9) }),
    );
    assertCheap(plans);
    const details = Array.from(plans.values()).flat();
    expect(details).to.include('SEARCH a USING COVERING INDEX on_sale_by_price (price<?)');
  });
});
