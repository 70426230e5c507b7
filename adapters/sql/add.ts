import { holderName, planAdd, type AddContext, type AddPlan, type KeyHolder } from '../../domain/add-plan.js';
import type { AutomationId } from '../../domain/automation.js';
import type { AddOutcome, NewAutomation } from '../../domain/ports.js';
import { appendEntries } from './audit-log.js';
import { AUTOMATION, automationOf, newRow, storedOf } from './automation-rows.js';
import type { Query, SqlConnection } from './connection.js';
import type { Dialect } from './dialect.js';
import type { Row } from './mapping.js';
import { storeWords } from './words.js';

/** What frees an idempotency key. */
export const FREE_KEY = 'idempotency_key = NULL, idempotency_key_until = NULL, request_hash = NULL';

/**
 * Returns a subquery with the numbers of the automations that meet a condition. It locks them in their order, so that
 * two transactions that change several of them do not deadlock.
 */
export function inOrder({ prefix, forUpdate }: Dialect, condition: string): string {
  return `SELECT number FROM ${prefix}automations WHERE ${condition} ORDER BY number ${forUpdate}`;
}

/**
 * Adds automations. Where another writer has taken an id or a key meanwhile, it meets a duplicate, and plans again.
 */
export function add(connection: SqlConnection, offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
  const { dialect } = connection;
  return connection.transaction(
    async (query) => {
      const plan = planAdd(offers, await contextOf(query, dialect, offers));
      await carryOut(query, dialect, plan);
      return plan.outcomes;
    },
    (error) => dialect.isDuplicate(error),
  );
}

/** Reads what decides about some offers. */
async function contextOf(
  query: Query,
  { prefix, listOf, rowsOf }: Dialect,
  offers: readonly NewAutomation[],
): Promise<AddContext> {
  const taken = await query<{ readonly id: AutomationId }>(
    `SELECT id FROM ${prefix}automations WHERE id IN ${listOf('$1')}`,
    [JSON.stringify(offers.map(({ automation }) => automation.id))],
  );
  const keys = offers.flatMap(({ automation: { developerId }, idempotencyKey: key }) =>
    key === undefined ? [] : [{ developer: developerId, key }],
  );
  const holders =
    keys.length === 0
      ? []
      : await query<Row>(
          `SELECT ${AUTOMATION.columns} FROM ${rowsOf('$1', { developer: 'text', key: 'text' })} AS given
     CROSS JOIN ${prefix}automations WHERE developer_id = developer AND idempotency_key = key`,
          [JSON.stringify(keys)],
        );
  return { takenIds: new Set(taken.map(({ id }) => id)), holders: new Map(holders.map(holderOf)) };
}

function holderOf(row: Row): readonly [name: string, holder: KeyHolder] {
  const { developerId, idempotencyKey = '', idempotencyKeyUntil, requestHash } = storedOf(row);
  const holder = {
    automation: automationOf(row),
    ...(requestHash !== undefined && { requestHash }),
    ...(idempotencyKeyUntil !== undefined && { idempotencyKeyUntil }),
  };
  return [holderName(developerId, idempotencyKey), holder];
}

async function carryOut(query: Query, dialect: Dialect, { released, inserts }: AddPlan): Promise<void> {
  const { prefix, listOf, rowsOf } = dialect;
  const table = `${prefix}automations`;
  if (released.length > 0)
    await query(`UPDATE ${table} SET ${FREE_KEY} WHERE number IN (${inOrder(dialect, `id IN ${listOf('$1')}`)})`, [
      JSON.stringify(released),
    ]);
  if (inserts.length === 0) return;
  await query(
    `INSERT INTO ${table} (${AUTOMATION.columns})
     SELECT ${AUTOMATION.columns} FROM ${rowsOf('$1', AUTOMATION.types)} AS given ORDER BY ordinal`,
    [JSON.stringify(inserts.map(newRow))],
  );
  const automations = inserts.map(({ automation }) => automation);
  await storeWords(query, dialect, automations);
  await appendEntries(
    query,
    dialect,
    inserts.flatMap(({ auditEntry }) => auditEntry ?? []),
  );
}
