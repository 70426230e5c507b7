import { setImmediate } from 'node:timers/promises';
import { holderName, planAdd, type AddContext, type AddPlan, type KeyHolder } from '../../domain/add-plan.js';
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
import { appendEntries } from './audit-log.js';
import {
  ARCHIVED_COLUMNS,
  automationOf,
  INSERTED_COLUMNS,
  insertedRow,
  type ArchivedRow,
  type AutomationRow,
} from './automation-rows.js';
import type { Query, SqlConnection } from './connection.js';
import { pageQuery, type PageRow } from './page-query.js';
import { BLOCK_SIZES } from './schema.js';
import { storeWords } from './words.js';

/** Keys freed in one transaction, so that each stays short. */
const KEYS_AT_ONCE = 500;

const FREE_KEY = 'idempotency_key = NULL, idempotency_key_until = NULL, request_hash = NULL';

interface HolderRow extends AutomationRow {
  readonly idempotency_key: string;
  readonly idempotency_key_until: number | null;
  readonly request_hash: string | null;
}

/** Automations in a relational database. A change, its counts, its words and its entry in the audit are one transaction. */
export class SqlAutomationRepository implements AutomationRepository {
  readonly #pages = new PageCache();
  readonly #pageQuery: string;
  readonly #categoryPageQuery: string;
  /** The name of the table. */
  readonly #automations: string;

  /** Uses an open connection and does not close it. */
  constructor(private readonly connection: SqlConnection) {
    this.#pageQuery = pageQuery(connection.dialect, false);
    this.#categoryPageQuery = pageQuery(connection.dialect, true);
    this.#automations = `${connection.dialect.prefix}automations`;
  }

  /** A writer that has taken an id or a key meanwhile is met as a duplicate. Then the plan is made again. */
  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    return this.connection.transaction(
      async (query) => {
        const plan = planAdd(offers, await this.#contextOf(query, offers));
        await this.#carryOut(query, plan);
        return plan.outcomes;
      },
      (error) => this.connection.dialect.isDuplicate(error),
    );
  }

  async find(id: AutomationId): Promise<Automation | undefined> {
    const row = await this.#find(this.connection.query, id);
    return row === undefined || row.withdrawn_at !== null ? undefined : automationOf(row);
  }

  async list(query: AutomationQuery): Promise<AutomationPage> {
    const [now] = await this.connection.query<{ readonly state: string }>(
      `SELECT ${this.connection.dialect.state} AS state`,
    );
    return this.#pages.find(now?.state ?? '', query) ?? this.#pages.keep(query, await this.#read(query));
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
    return this.connection.transaction(async (query): Promise<ReviseOutcome> => {
      const revised = await query(
        `UPDATE ${this.#automations} SET title = $3, description = $4, price = $5, currency = $6, category_id = $7,
           updated_at = $8
         WHERE id = $1 AND updated_at = $2 AND withdrawn_at IS NULL RETURNING number`,
        [id, basedOn.getTime(), title, description, price.minorUnits, price.currency, categoryId, updatedAt.getTime()],
      );
      if (revised.length === 0) return this.#notRevised(query, id);
      await storeWords(query, this.connection.dialect, [automation]);
      await this.#audit(query, [auditEntry]);
      return { outcome: 'revised' };
    });
  }

  withdraw(id: AutomationId, { at, by, developerId, reason, auditEntry }: Withdrawal): Promise<WithdrawOutcome> {
    return this.connection.transaction(async (query) => {
      const row = await this.#find(query, id);
      if (row === undefined || (developerId !== undefined && developerId !== row.developer_id)) return 'unknown';
      const withdrawn = await this.#withdraw(query, [id], { at, by, reason });
      if (withdrawn.length === 0) return 'already-withdrawn';
      await this.#audit(query, [auditEntry]);
      return 'withdrawn';
    });
  }

  /** Where others withdraw the same ones meanwhile, it goes on with the next ones. */
  withdrawAll(withdrawal: BulkWithdrawal): Promise<readonly AutomationId[]> {
    const { developerId, entryIds } = withdrawal;
    return this.connection.transaction(async (query) => {
      const withdrawn: AutomationId[] = [];
      while (withdrawn.length < entryIds.length) {
        const next = await query<Pick<AutomationRow, 'id'>>(
          `SELECT id FROM ${this.#automations} WHERE developer_id = $1 AND withdrawn_at IS NULL
           ORDER BY number LIMIT $2`,
          [developerId, entryIds.length - withdrawn.length],
        );
        if (next.length === 0) break;
        const ids = next.map(({ id }) => id);
        withdrawn.push(...(await this.#withdraw(query, ids, withdrawal)));
      }
      await this.#audit(query, withdrawalEntries(withdrawn, withdrawal));
      return withdrawn;
    });
  }

  /** Other calls come in between. */
  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    let total = 0;
    for (let freed = KEYS_AT_ONCE; freed === KEYS_AT_ONCE; total += freed) {
      freed = await this.#freeSomeKeys(asOf);
      await setImmediate();
    }
    return total;
  }

  async #read({ page, category }: AutomationQuery) {
    const rows = await this.connection.query<PageRow>(
      category === undefined ? this.#pageQuery : this.#categoryPageQuery,
      [category ?? '', page.limit, (page.number - 1) * page.limit],
    );
    const [{ total, revision } = { total: 0, revision: '' }] = rows;
    const items = rows.flatMap(({ id, title, price, currency }) =>
      id === null ? [] : [{ id, title, price: { minorUnits: price, currency } }],
    );
    return { items, total, revision };
  }

  async #find(query: Query, id: AutomationId): Promise<ArchivedRow | undefined> {
    const sql = `SELECT ${ARCHIVED_COLUMNS} FROM ${this.#automations} AS a WHERE a.id = $1`;
    return (await query<ArchivedRow>(sql, [id]))[0];
  }

  /** Reads what decides about some offers. */
  async #contextOf(query: Query, offers: readonly NewAutomation[]): Promise<AddContext> {
    const { listOf, rowsOf } = this.connection.dialect;
    const taken = await query<Pick<AutomationRow, 'id'>>(
      `SELECT id FROM ${this.#automations} WHERE id IN ${listOf('$1')}`,
      [JSON.stringify(offers.map(({ automation }) => automation.id))],
    );
    const keys = offers.flatMap(({ automation: { developerId }, idempotencyKey }) =>
      idempotencyKey === undefined ? [] : [{ developer: developerId, key: idempotencyKey }],
    );
    const holders = await query<HolderRow>(
      `SELECT ${ARCHIVED_COLUMNS}, a.idempotency_key, a.idempotency_key_until, a.request_hash
       FROM ${rowsOf('$1', { developer: 'text', key: 'text' })} AS given
       CROSS JOIN ${this.#automations} AS a WHERE a.developer_id = given.developer AND a.idempotency_key = given.key`,
      [JSON.stringify(keys)],
    );
    return {
      takenIds: new Set(taken.map(({ id }) => id)),
      holders: new Map(holders.map((row) => [holderName(row.developer_id, row.idempotency_key), holderOf(row)])),
    };
  }

  async #carryOut(query: Query, { released, inserts }: AddPlan): Promise<void> {
    const { dialect } = this.connection;
    if (released.length > 0)
      await query(`UPDATE ${this.#automations} SET ${FREE_KEY} WHERE id IN ${dialect.listOf('$1')}`, [
        JSON.stringify(released),
      ]);
    if (inserts.length === 0) return;
    const columns = Object.keys(INSERTED_COLUMNS).join(', ');
    await query(
      `INSERT INTO ${this.#automations} (${columns})
       SELECT ${columns} FROM ${dialect.rowsOf('$1', INSERTED_COLUMNS)} AS given ORDER BY ordinal`,
      [JSON.stringify(inserts.map(insertedRow))],
    );
    await storeWords(
      query,
      dialect,
      inserts.map(({ automation }) => automation),
    );
    await this.#audit(
      query,
      inserts.map(({ auditEntry }) => auditEntry),
    );
  }

  async #notRevised(query: Query, id: AutomationId): Promise<ReviseOutcome> {
    const row = await this.#find(query, id);
    if (row === undefined || row.withdrawn_at !== null) return { outcome: 'unknown' };
    return { outcome: 'conflict', automation: automationOf(row) };
  }

  /** Withdraws those of some automations that are on sale, and returns their ids, the oldest first. */
  async #withdraw(
    query: Query,
    ids: readonly AutomationId[],
    { at, by, reason }: Pick<Withdrawal, 'at' | 'by'> & { readonly reason?: string | undefined },
  ): Promise<readonly AutomationId[]> {
    const { listOf, words } = this.connection.dialect;
    const rows = await query<Pick<AutomationRow, 'number' | 'id'>>(
      `UPDATE ${this.#automations} SET withdrawn_at = $2, withdrawn_by = $3, withdrawn_reason = $4
       WHERE id IN ${listOf('$1')} AND withdrawn_at IS NULL RETURNING number, id`,
      [JSON.stringify(ids), at.getTime(), by, reason ?? null],
    );
    const withdrawn = rows.toSorted((one, other) => one.number - other.number).map(({ id }) => id);
    for (const statement of words.withdraw) await query(statement, [JSON.stringify(withdrawn)]);
    return withdrawn;
  }

  #freeSomeKeys(asOf: Date): Promise<number> {
    return this.connection.transaction(async (query) => {
      const freed = await query(
        `UPDATE ${this.#automations} SET ${FREE_KEY} WHERE number IN
           (SELECT number FROM ${this.#automations} WHERE idempotency_key_until <= $1 LIMIT ${KEYS_AT_ONCE})
         RETURNING number`,
        [asOf.getTime()],
      );
      return freed.length;
    });
  }

  async #audit(query: Query, entries: readonly (AuditEntry | undefined)[]): Promise<void> {
    const given = entries.filter((entry) => entry !== undefined);
    if (given.length > 0) await appendEntries(query, this.connection.dialect, given);
  }
}

function holderOf(row: HolderRow): KeyHolder {
  return {
    automation: automationOf(row),
    ...(row.request_hash !== null && { requestHash: row.request_hash }),
    ...(row.idempotency_key_until !== null && { idempotencyKeyUntil: new Date(row.idempotency_key_until) }),
  };
}
