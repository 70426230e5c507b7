import type { DeveloperId } from '../../domain/access.js';
import { withdrawalEntries, type AuditEntry } from '../../domain/audit.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  BulkWithdrawal,
  NewAutomation,
  ReviseOutcome,
  Revision,
  Withdrawal,
  WithdrawOutcome,
} from '../../domain/ports.js';
import { PageCache } from '../storage/page-cache.js';
import { add, FREE_KEY, inOrder } from './add.js';
import { appendEntries } from './audit-log.js';
import { AUTOMATION, automationOf, storedOf } from './automation-rows.js';
import type { Query, SqlConnection } from './connection.js';
import { inLots, LOT } from './lots.js';
import type { Row } from './mapping.js';
import { readPage } from './page.js';
import { BLOCK_SIZES } from './schema.js';
import { storeWords } from './words.js';

/** Automations in a table. A change, its counts, its words and its entry in the audit are one transaction. */
export class SqlAutomationRepository implements AutomationRepository {
  readonly #pages = new PageCache();
  readonly #automations: string;

  /** Uses an open connection and does not close it. */
  constructor(private readonly connection: SqlConnection) {
    this.#automations = `${connection.dialect.prefix}automations`;
  }

  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    return add(this.connection, offers);
  }

  async find(id: AutomationId): Promise<Automation | undefined> {
    const row = await this.#find(this.connection.query, id);
    return row === undefined || isWithdrawn(row) ? undefined : automationOf(row);
  }

  async list(query: AutomationQuery): Promise<AutomationPage> {
    const sql = `SELECT ${this.connection.dialect.state} AS state`;
    const [now] = await this.connection.query<{ readonly state: string }>(sql);
    return this.#pages.find(now?.state ?? '', query) ?? this.#pages.keep(query, await readPage(this.connection, query));
  }

  async countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    const rows = await this.connection.query<{ readonly id: CategoryId; readonly count: number }>(
      `SELECT category_id AS id, CAST(sum(on_sale) AS bigint) AS count FROM ${this.connection.dialect.prefix}counts
       WHERE size = ${BLOCK_SIZES.large} AND category_id <> '' GROUP BY category_id HAVING sum(on_sale) > 0`,
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  revise({ automation, basedOn, auditEntry }: Revision): Promise<ReviseOutcome> {
    const { id, title, description, price, categoryId, updatedAt } = automation;
    return this.connection.transaction(async (query) => {
      const revised = await query(
        `UPDATE ${this.#automations} SET title = $3, description = $4, price = $5, currency = $6, category_id = $7,
           updated_at = $8
         WHERE id = $1 AND updated_at = $2 AND withdrawn_at IS NULL RETURNING id`,
        [id, basedOn.getTime(), title, description, price.minorUnits, price.currency, categoryId, updatedAt.getTime()],
      );
      if (revised.length === 0) return this.#notRevised(query, id);
      await storeWords(query, this.connection.dialect, [automation]);
      await this.#append(query, auditEntry);
      return { outcome: 'revised' };
    });
  }

  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome> {
    const { developerId, auditEntry } = withdrawal;
    return this.connection.transaction(async (query) => {
      const row = await this.#find(query, id);
      if (row === undefined || (developerId !== undefined && developerId !== row['developer_id'])) return 'unknown';
      const withdrawn = await this.#withdraw(query, [id], withdrawal);
      if (withdrawn.length === 0) return 'already-withdrawn';
      await this.#append(query, auditEntry);
      return 'withdrawn';
    });
  }

  withdrawAll(withdrawal: BulkWithdrawal): Promise<readonly AutomationId[]> {
    const { developerId, entryIds } = withdrawal;
    return this.connection.transaction(async (query) => {
      const oldest = await this.#lockOldest(query, developerId, entryIds.length);
      const withdrawn = await this.#withdraw(query, oldest, withdrawal);
      await appendEntries(query, this.connection.dialect, withdrawalEntries(withdrawn, withdrawal));
      return withdrawn;
    });
  }

  freeIdempotencyKeys(asOf: Date): Promise<number> {
    const isOver = 'idempotency_key_until <= $1';
    const some = `SELECT number FROM ${this.#automations} WHERE ${isOver} LIMIT ${LOT}`;
    const locked = inOrder(this.connection.dialect, `number IN (${some}) AND ${isOver}`);
    const sql = `UPDATE ${this.#automations} SET ${FREE_KEY} WHERE number IN (${locked}) RETURNING number`;
    return inLots(() => this.connection.transaction(async (query) => (await query(sql, [asOf.getTime()])).length));
  }

  /** Locks the oldest automations of a developer that are on sale, before it counts any, and returns their ids. */
  async #lockOldest(query: Query, developerId: DeveloperId, limit: number): Promise<readonly AutomationId[]> {
    const locked: { readonly number: number; readonly id: AutomationId }[] = [];
    for (let found = 1; found > 0 && locked.length < limit;) {
      const next = await query<(typeof locked)[number]>(
        `SELECT number, id FROM ${this.#automations}
         WHERE developer_id = $1 AND withdrawn_at IS NULL AND number > $2
         ORDER BY number LIMIT $3 ${this.connection.dialect.forUpdate}`,
        [developerId, locked.at(-1)?.number ?? 0, limit - locked.length],
      );
      locked.push(...next);
      found = next.length;
    }
    return locked.map(({ id }) => id);
  }

  async #find(query: Query, id: AutomationId): Promise<Row | undefined> {
    return (await query<Row>(`SELECT ${AUTOMATION.columns} FROM ${this.#automations} WHERE id = $1`, [id]))[0];
  }

  async #notRevised(query: Query, id: AutomationId): Promise<ReviseOutcome> {
    const row = await this.#find(query, id);
    if (row === undefined || isWithdrawn(row)) return { outcome: 'unknown' };
    return { outcome: 'conflict', automation: automationOf(row) };
  }

  /** Withdraws those of some automations that are on sale, and returns their ids, the oldest first. */
  async #withdraw(
    query: Query,
    ids: readonly AutomationId[],
    { at, by, reason }: Pick<BulkWithdrawal, 'at' | 'by' | 'reason'>,
  ): Promise<readonly AutomationId[]> {
    const { listOf, words } = this.connection.dialect;
    const rows = await query<{ readonly number: number; readonly id: AutomationId }>(
      `UPDATE ${this.#automations} SET withdrawn_at = $2, withdrawn_by = $3, withdrawn_reason = $4
       WHERE id IN ${listOf('$1')} AND withdrawn_at IS NULL RETURNING number, id`,
      [JSON.stringify(ids), at.getTime(), by, reason ?? null],
    );
    const withdrawn = rows.toSorted((one, other) => one.number - other.number).map(({ id }) => id);
    for (const statement of words.withdraw) await query(statement, [JSON.stringify(withdrawn)]);
    return withdrawn;
  }

  #append(query: Query, entry: AuditEntry | undefined): Promise<void> {
    return appendEntries(query, this.connection.dialect, entry === undefined ? [] : [entry]);
  }
}

function isWithdrawn(row: Row): boolean {
  return storedOf(row).withdrawnAt !== undefined;
}
