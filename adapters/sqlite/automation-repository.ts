import type { DeveloperId } from '../../domain/access.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import { rangeOf, totalOf } from '../../domain/numbering.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  ForwardCursorQuery,
  NewAutomation,
  CursorQuery,
  Withdrawal,
  WithdrawOutcome,
} from '../../domain/ports.js';
import { PageCache } from '../storage/page-cache.js';
import {
  automationIn,
  automationOf,
  hasExpired,
  summaryOf,
  type AutomationRow,
  type AutomationTuple,
  type SummaryTuple,
} from './automation-rows.js';
import type { SqliteDatabase } from './database.js';
import { Finds } from './finds.js';
import { Tallies } from './tallies.js';

type Numbers = ReturnType<Tallies['counting']>;

/** Keys freed in one transaction, so that each stays short. */
const SWEEP = 500;

/** Automations in SQLite, numbered as `domain/numbering.ts` says. */
export class SqliteAutomationRepository implements AutomationRepository {
  readonly #statements;
  readonly #finds: Finds<AutomationId, AutomationTuple>;
  readonly #tallies: Tallies;
  readonly #pages = new PageCache();

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#statements = prepare(database);
    this.#finds = new Finds(database, FIND);
    this.#tallies = new Tallies(database);
  }

  add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    return this.database.write(() => {
      const next = this.#tallies.counting();
      const outcomes = offers.map((offer) => this.#addOne(offer, next));
      next.save();
      return outcomes;
    });
  }

  async find(id: AutomationId): Promise<Automation | undefined> {
    const row = await this.#finds.find(id);
    return row && automationIn(row);
  }

  async list(query: AutomationQuery): Promise<AutomationPage> {
    const kept = this.#pages.find(await this.database.stateSoon(), query);
    const read = () => this.#pages.keep(query, { ...this.#read(query), revision: this.database.state() });
    return kept ?? this.database.read(read);
  }

  async listOf(developerId: DeveloperId, { limit, before }: CursorQuery<AutomationId>): Promise<readonly Automation[]> {
    const { listOf, listOfAfter } = this.#statements;
    const rows = await this.database.readOne(() =>
      before === undefined ? listOf.all(developerId, limit) : listOfAfter.all(developerId, before, developerId, limit),
    );
    return (rows as AutomationRow[]).map(automationOf);
  }

  async listOldestFirst({ limit, after }: ForwardCursorQuery<AutomationId>): Promise<readonly Automation[]> {
    const { listOldest, listAfter } = this.#statements;
    const rows = await this.database.readOne(() =>
      after === undefined ? listOldest.all(limit) : listAfter.all(after, limit),
    );
    return (rows as AutomationRow[]).map(automationOf);
  }

  countByCategory(): Promise<ReadonlyMap<CategoryId, number>> {
    return this.database.readOne(() => this.#tallies.onSaleByCategory());
  }

  withdraw(id: AutomationId, { at, developerId, reason }: Withdrawal): Promise<WithdrawOutcome> {
    return this.database.write(() => {
      const row = this.#statements.findEver.get(id) as AutomationRow | undefined;
      if (row === undefined || (developerId !== undefined && developerId !== row.developer_id)) return 'unknown';
      if (row.number < 0) return 'already-withdrawn';
      this.#statements.withdraw.run(at.getTime(), reason ?? null, row.number);
      this.#tallies.countWithdrawal(row.category_id);
      return 'withdrawn';
    });
  }

  async withdrawalReasons(ids: readonly AutomationId[]): Promise<ReadonlyMap<AutomationId, string>> {
    const rows = await this.database.readOne(() => this.#statements.reasons.all(JSON.stringify(ids)));
    return new Map(rows as [AutomationId, string][]);
  }

  async freeIdempotencyKeys(asOf: Date): Promise<number> {
    let freed = 0;
    for (let some = SWEEP; some === SWEEP; freed += some)
      some = await this.database.write(() => this.#statements.freeExpired.run(asOf.getTime(), SWEEP).changes);
    return freed;
  }

  #read({ page, category }: AutomationQuery): AutomationPage {
    const numbering = this.#tallies.numberingOf(category);
    const range = rangeOf(page, numbering);
    if (range === undefined) return { items: [], total: totalOf(numbering) };
    const [json] = (
      category === undefined
        ? this.#statements.page.get(range.lowest, range.highest)
        : this.#statements.categoryPage.get(category, range.lowest, range.highest)
    ) as [string];
    return { items: (JSON.parse(json) as SummaryTuple[]).map(summaryOf), total: totalOf(numbering) };
  }

  /** Most offers collide with nothing, so it stores first and looks only when that did not work. */
  #addOne(offer: NewAutomation, next: Numbers): AddOutcome {
    const { automation, idempotencyKey } = offer;
    if (this.#insert(offer, next)) return { outcome: 'stored' };
    const holder = idempotencyKey === undefined ? undefined : this.#holderOf(idempotencyKey, automation.developerId);
    if (holder && !hasExpired(holder, automation.createdAt))
      return { outcome: 'earlier', automation: automationOf(holder) };
    if (this.#statements.isTaken.get(automation.id) !== undefined) return { outcome: 'conflict' };
    if (holder) this.#statements.freeOne.run(holder.number);
    if (this.#insert(offer, next)) return { outcome: 'stored' };
    throw new Error('the store gives out numbers that are taken; it was changed by other hands');
  }

  /** Answers whether it did: not when the id or the key is taken. */
  #insert({ automation, idempotencyKey, idempotencyKeyUntil }: NewAutomation, next: Numbers): boolean {
    const { changes } = this.#statements.insert.run(
      ...next.numbers(automation.categoryId),
      automation.categoryId,
      automation.id,
      automation.price.minorUnits,
      automation.price.currency,
      automation.title,
      automation.developerId,
      automation.createdAt.getTime(),
      idempotencyKey ?? null,
      idempotencyKeyUntil?.getTime() ?? null,
      automation.description,
    );
    if (changes > 0) next.take(automation.categoryId);
    return changes > 0;
  }

  /** The automation, perhaps withdrawn, that has the key. */
  #holderOf(idempotencyKey: string, developerId: DeveloperId): AutomationRow | undefined {
    return this.#statements.findByKey.get(developerId, idempotencyKey) as AutomationRow | undefined;
  }
}

function prepare(database: SqliteDatabase) {
  const own = 'SELECT * FROM automations WHERE developer_id = ? AND number > 0';
  const summaries =
    'SELECT json_group_array(json_array(id, title, price, currency) ORDER BY number DESC) FROM automations';
  return {
    findEver: database.prepare('SELECT * FROM automations WHERE id = ?'),
    findByKey: database.prepare('SELECT * FROM automations WHERE developer_id = ? AND idempotency_key = ?'),
    isTaken: database.prepare('SELECT 1 FROM automations WHERE id = ?'),
    page: database.prepare(`${summaries} WHERE number BETWEEN ? AND ?`).raw(),
    categoryPage: database.prepare(`${summaries} WHERE category_id = ? AND category_number BETWEEN ? AND ?`).raw(),
    listOf: database.prepare(`${own} ORDER BY number DESC LIMIT ?`),
    listOfAfter: database.prepare(
      `${own} AND number < (SELECT abs(number) FROM automations WHERE id = ? AND developer_id = ?) ORDER BY number ` +
        `DESC LIMIT ?`,
    ),
    listOldest: database.prepare('SELECT * FROM automations WHERE number > 0 ORDER BY number LIMIT ?'),
    listAfter: database.prepare(
      'SELECT * FROM automations WHERE number > (SELECT abs(number) FROM automations WHERE id = ?) ORDER BY number ' +
        'LIMIT ?',
    ),
    insert: database.prepare(
      `INSERT INTO automations (number, category_number, category_id, id, price, currency, title, developer_id,
         created_at, idempotency_key, idempotency_key_until, description)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    withdraw: database.prepare(
      `UPDATE automations SET number = -number, category_number = -category_number, withdrawn_at = ?,
         withdrawn_reason = ?
       WHERE number = ?`,
    ),
    reasons: database
      .prepare(
        'SELECT id, withdrawn_reason FROM automations WHERE id IN (SELECT value FROM json_each(?)) AND ' +
          'withdrawn_reason IS NOT NULL',
      )
      .raw(),
    freeOne: database.prepare(
      'UPDATE automations SET idempotency_key = NULL, idempotency_key_until = NULL WHERE number = ?',
    ),
    freeExpired: database.prepare(
      `UPDATE automations SET idempotency_key = NULL, idempotency_key_until = NULL
       WHERE number IN (SELECT number FROM automations WHERE idempotency_key_until <= ? LIMIT ?)`,
    ),
  };
}

const FIND = `SELECT json_group_array(json_array(id, title, description, price, currency, category_id,
    developer_id, created_at))
  FROM automations WHERE id IN (SELECT value FROM json_each(?)) AND number > 0`;
