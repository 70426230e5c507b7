import type { Automation, AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  NewAutomation,
  ReviseOutcome,
  Revision,
  Withdrawal,
  WithdrawOutcome,
} from '../../domain/ports.js';
import { BLOCK_SIZE } from '../storage/block-counts.js';
import { PageCache } from '../storage/page-cache.js';
import { AUTOMATION_COLUMNS, automationOf, type AutomationRow } from './automation-row.js';
import { prepareRows } from './connection.js';
import { SqliteCounts } from './counts.js';
import type { SqliteDatabase } from './database.js';

interface SummaryRow {
  readonly id: AutomationId;
  readonly title: string;
  readonly price: number;
  readonly currency: Currency;
}

/** Keys freed in one transaction, so that each stays short. */
const KEYS_AT_ONCE = 500;

/** Automations in SQLite. A page is found by the counts of its blocks (`BlockCounts`). */
export class SqliteAutomationRepository implements AutomationRepository {
  readonly #statements;
  readonly #counts: SqliteCounts;
  readonly #pages = new PageCache();

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#statements = prepare(database);
    this.#counts = new SqliteCounts(database);
  }

  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    return this.database.write('addAutomations', offers);
  }

  async find(id: AutomationId): Promise<Automation | undefined> {
    const [row] = await this.database.readOne(() => this.#statements.find(id));
    return row && automationOf(row);
  }

  async list(query: AutomationQuery): Promise<AutomationPage> {
    const kept = this.#pages.find(await this.database.readOne(() => this.database.state()), query);
    const read = () => this.#pages.keep(query, { ...this.#read(query), revision: this.database.state() });
    return kept ?? this.database.read(read);
  }

  countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return this.database.read(() => this.#counts.current().totals());
  }

  revise(revision: Revision): Promise<ReviseOutcome> {
    return this.database.write('reviseAutomation', revision);
  }

  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome> {
    return this.database.write('withdrawAutomation', id, withdrawal);
  }

  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    let total = 0;
    for (let freed = KEYS_AT_ONCE; freed === KEYS_AT_ONCE; total += freed)
      freed = await this.database.write('freeIdempotencyKeys', asOf, KEYS_AT_ONCE);
    return total;
  }

  #read({ page, category }: AutomationQuery): AutomationPage {
    const counts = this.#counts.current();
    const total = counts.total(category);
    const position = counts.locate((page.number - 1) * page.limit, category);
    if (position === undefined) return { items: [], total };
    const rest = [(position.block + 1) * BLOCK_SIZE, page.limit, position.skip] as const;
    const { page: pageOfAll, categoryPage } = this.#statements;
    const rows = category === undefined ? pageOfAll(...rest) : categoryPage(category, ...rest);
    return { items: rows.map(summaryOf), total };
  }
}

function prepare(database: SqliteDatabase) {
  const columns = ['id', 'title', 'price', 'currency'] as const;
  const below = 'withdrawn_at IS NULL AND seq < ? ORDER BY seq DESC LIMIT ? OFFSET ?';
  return {
    find: prepareRows<AutomationRow>(
      database,
      AUTOMATION_COLUMNS,
      'FROM automations WHERE id = ? AND withdrawn_at IS NULL',
    ),
    page: prepareRows<SummaryRow>(database, columns, `FROM automations INDEXED BY on_sale WHERE ${below}`),
    categoryPage: prepareRows<SummaryRow>(
      database,
      columns,
      `FROM automations INDEXED BY on_sale_by_category WHERE category_id = ? AND ${below}`,
    ),
  };
}

function summaryOf({ id, title, price, currency }: SummaryRow) {
  return { id, title, price: { minorUnits: price, currency } };
}
