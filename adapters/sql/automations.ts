import { holderName, planAdd, type AddContext, type KeyHolder } from '../../domain/add-plan.js';
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
import { appendEntries } from './audit-log.js';
import { readFile, removeFiles, storeFiles } from './automation-files.js';
import { AUTOMATION, automationOf, newRow, revisedRow, REVISION, storedOf } from './automation-rows.js';
import { inLots, MAX_ROWS, type Query, type SqlConnection } from './connection.js';
import type { Value } from './dialect.js';
import { readTotals } from './counts.js';
import type { Row } from './mapping.js';
import { SqlPages } from './pages.js';
import type { RecordedCurrency } from './settings.js';
import { storeWords } from './words.js';

/** The values come third and later. */
const SET_REVISION = Object.keys(REVISION.types)
  .map((column, index) => `${column} = $${index + 3}`)
  .join(', ');
const FREE_KEY = 'idempotency_key = NULL, idempotency_key_until = NULL, request_hash = NULL';

/** Automations in a table. A change, its counts, its words and its entry in the audit are one transaction. */
export class SqlAutomationRepository implements AutomationRepository {
  readonly #pages: SqlPages;
  readonly #automations: string;

  /** Uses an open connection and does not close it. */
  constructor(
    private readonly connection: SqlConnection,
    private readonly currency: RecordedCurrency,
    private readonly hasWords: boolean,
  ) {
    this.#pages = new SqlPages(connection);
    this.#automations = `${connection.dialect.prefix}automations`;
  }

  /** Where another writer has taken an id or a key meanwhile, it meets a duplicate, and plans again. */
  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    return this.connection.transaction(async (query) => {
      const { outcomes, released, inserts } = planAdd(offers, await this.#contextOf(query, offers));
      if (released.length > 0) await this.#freeKeys(query, released);
      if (inserts.length > 0) await this.#insert(query, inserts);
      return outcomes;
    }, this.connection.dialect.isDuplicate);
  }

  async find(id: AutomationId): Promise<Automation | undefined> {
    const row = await this.#find(this.connection.query, id);
    return row === undefined || isWithdrawn(row) ? undefined : automationOf(row);
  }

  readFile(id: AutomationId): Promise<Uint8Array | undefined> {
    return readFile(this.connection.query, this.connection.dialect, id);
  }

  list(query: AutomationQuery): Promise<AutomationPage> {
    return this.#pages.list(query);
  }

  countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return readTotals(this.connection.query, this.connection.dialect);
  }

  revise({ automation, basedOn, fileContent, auditEntry }: Revision): Promise<ReviseOutcome> {
    const { id, price, file } = automation;
    const { dialect } = this.connection;
    return this.connection.transaction(async (query) => {
      const currency = await this.currency.read(query);
      if (price.currency !== currency) return { outcome: 'other-currency', currency };
      const revised = await query(
        `UPDATE ${this.#automations} SET ${SET_REVISION}
         WHERE id = $1 AND updated_at = $2 AND withdrawn_at IS NULL RETURNING id`,
        [id, basedOn.getTime(), ...Object.values(revisedRow(automation))],
      );
      if (revised.length === 0) return this.#notRevised(query, id);
      await this.#storeWords(query, [automation]);
      if (file === null) await removeFiles(query, dialect, [id]);
      else if (fileContent) await storeFiles(query, dialect, [{ id, content: fileContent }]);
      await this.#append(query, auditEntry);
      return { outcome: 'revised' };
    });
  }

  withdraw(id: AutomationId, withdrawal: Withdrawal): Promise<WithdrawOutcome> {
    const { developerId, auditEntry } = withdrawal;
    return this.connection.transaction(async (query) => {
      const row = await this.#find(query, id);
      if (row === undefined || (developerId !== undefined && developerId !== row['developer_id'])) return 'unknown';
      const withdrawn = await this.#withdraw(query, withdrawal, 'id = $1', [id]);
      if (withdrawn.length === 0) return 'already-withdrawn';
      await this.#append(query, auditEntry);
      return 'withdrawn';
    });
  }

  withdrawAll(withdrawal: BulkWithdrawal): Promise<readonly AutomationId[]> {
    const { developerId, entryIds } = withdrawal;
    return this.connection.transaction(async (query) => {
      const values = [developerId, entryIds.length];
      const withdrawn = await this.#withdraw(query, withdrawal, 'developer_id = $1', values, 'LIMIT $2');
      await this.#append(query, ...withdrawalEntries(withdrawn, withdrawal));
      return withdrawn;
    });
  }

  freeIdempotencyKeys(asOf: Date): Promise<number> {
    const isOver = 'idempotency_key_until <= $1';
    const some = `SELECT number FROM ${this.#automations} WHERE ${isOver} LIMIT ${MAX_ROWS}`;
    const locked = this.#locked(`number IN (${some}) AND ${isOver}`);
    const sql = `UPDATE ${this.#automations} SET ${FREE_KEY} WHERE number IN (${locked}) RETURNING number`;
    return inLots(this.connection, sql, [asOf.getTime()]);
  }

  async #find(query: Query, id: AutomationId): Promise<Row | undefined> {
    return (await query<Row>(`SELECT ${AUTOMATION.columns} FROM ${this.#automations} WHERE id = $1`, [id]))[0];
  }

  /** Returns what decides about some offers. */
  async #contextOf(query: Query, offers: readonly NewAutomation[]): Promise<AddContext> {
    const { listOf, rowsOf } = this.connection.dialect;
    const currency = await this.currency.read(query);
    const taken = await query<{ readonly id: AutomationId }>(
      `SELECT id FROM ${this.#automations} WHERE id IN ${listOf('$1')}`,
      [JSON.stringify(offers.map(({ automation }) => automation.id))],
    );
    const keys = offers
      .filter(({ idempotencyKey }) => idempotencyKey !== undefined)
      .map(({ automation, idempotencyKey: key }) => ({ developer: automation.developerId, key }));
    const sql = `SELECT ${AUTOMATION.columns} FROM ${rowsOf('$1', { developer: 'text', key: 'text' })} AS given
      CROSS JOIN ${this.#automations} WHERE developer_id = developer AND idempotency_key = key`;
    const holders = keys.length === 0 ? [] : await query<Row>(sql, [JSON.stringify(keys)]);
    return { currency, takenIds: new Set(taken.map(({ id }) => id)), holders: new Map(holders.map(holderOf)) };
  }

  async #freeKeys(query: Query, ids: readonly AutomationId[]): Promise<void> {
    const locked = this.#locked(`id IN ${this.connection.dialect.listOf('$1')}`);
    const sql = `UPDATE ${this.#automations} SET ${FREE_KEY} WHERE number IN (${locked})`;
    await query(sql, [JSON.stringify(ids)]);
  }

  async #insert(query: Query, offers: readonly NewAutomation[]): Promise<void> {
    const given = `${this.connection.dialect.rowsOf('$1', AUTOMATION.types)} AS given`;
    const sql = `INSERT INTO ${this.#automations} (${AUTOMATION.columns})
      SELECT ${AUTOMATION.columns} FROM ${given} ORDER BY ordinal`;
    await query(sql, [JSON.stringify(offers.map(newRow))]);
    await this.#storeWords(
      query,
      offers.map(({ automation }) => automation),
    );
    const files = offers.flatMap(({ automation: { id }, fileContent: content }) => (content ? [{ id, content }] : []));
    await storeFiles(query, this.connection.dialect, files);
    await this.#append(query, ...offers.map(({ auditEntry }) => auditEntry));
  }

  async #notRevised(query: Query, id: AutomationId): Promise<ReviseOutcome> {
    const row = await this.#find(query, id);
    if (row === undefined || isWithdrawn(row)) return { outcome: 'unknown' };
    return { outcome: 'conflict', automation: automationOf(row) };
  }

  /** Withdraws those on sale that meet a condition, the oldest first, and returns their ids in this order. */
  async #withdraw(
    query: Query,
    { at, by, reason }: Pick<BulkWithdrawal, 'at' | 'by' | 'reason'>,
    condition: string,
    values: readonly Value[],
    limit = '',
  ): Promise<readonly AutomationId[]> {
    const { listOf, forUpdate, words } = this.connection.dialect;
    const locked = await query<{ readonly id: AutomationId }>(
      `SELECT id FROM ${this.#automations} WHERE ${condition} AND withdrawn_at IS NULL
       ORDER BY number ${limit} ${forUpdate}`,
      values,
    );
    const ids = locked.map(({ id }) => id);
    const list = JSON.stringify(ids);
    await query(
      `UPDATE ${this.#automations} SET withdrawn_at = $2, withdrawn_by = $3, withdrawn_reason = $4
       WHERE id IN ${listOf('$1')}`,
      [list, at.getTime(), by, reason ?? null],
    );
    for (const statement of words.withdraw) await query(statement, [list]);
    await removeFiles(query, this.connection.dialect, ids);
    return ids;
  }

  /**
   * Returns a subquery with the numbers of the automations that meet a condition. It locks them in their order, so that
   * two transactions that change several of them do not deadlock.
   */
  #locked(condition: string): string {
    const { forUpdate } = this.connection.dialect;
    return `SELECT number FROM ${this.#automations} WHERE ${condition} ORDER BY number ${forUpdate}`;
  }

  #storeWords(query: Query, automations: readonly Automation[]): Promise<void> {
    return storeWords(query, this.connection.dialect, automations, this.hasWords);
  }

  #append(query: Query, ...entries: readonly (AuditEntry | undefined)[]): Promise<void> {
    const given = entries.filter((entry) => entry !== undefined);
    return appendEntries(query, this.connection.dialect, given);
  }
}

function isWithdrawn(row: Row): boolean {
  return row['withdrawn_at'] !== null;
}

function holderOf(row: Row): readonly [name: string, holder: KeyHolder] {
  const stored = storedOf(row);
  const name = holderName(stored.developerId, stored.idempotencyKey ?? '');
  return [name, { ...stored, automation: automationOf(row) }];
}
