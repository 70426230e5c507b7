import { holderName, planAdd, type KeyHolder } from '../../domain/add-plan.js';
import type { AuditEntry } from '../../domain/audit.js';
import type { AutomationId } from '../../domain/automation.js';
import type {
  AddOutcome,
  NewAutomation,
  ReviseOutcome,
  Revision,
  Withdrawal,
  WithdrawOutcome,
} from '../../domain/ports.js';
import { auditWrites } from './audit-writes.js';
import { AUTOMATION_COLUMNS, automationOf, type AutomationRow } from './automation-row.js';
import { prepareRows, type Connection } from './connection.js';

interface HolderRow extends AutomationRow {
  readonly idempotency_key: string;
  readonly idempotency_key_until: number | null;
  readonly request_hash: string | null;
}

interface StatusRow extends AutomationRow {
  readonly withdrawn_at: number | null;
}

/** The writes of automations. Each runs in a transaction, and writes its audit entries in the same one. */
export function automationWrites(connection: Connection) {
  const statements = prepare(connection);
  const audit = auditWrites(connection);

  function holdersOf(offers: readonly NewAutomation[]): ReadonlyMap<string, KeyHolder> {
    const keys = offers
      .filter(({ idempotencyKey }) => idempotencyKey !== undefined)
      .map(({ automation, idempotencyKey }) => [automation.developerId, idempotencyKey]);
    const rows = keys.length === 0 ? [] : statements.findHolders(JSON.stringify(keys));
    return new Map(rows.map((row) => [holderName(row.developer_id, row.idempotency_key), holderOf(row)]));
  }

  return {
    addAutomations(offers: readonly NewAutomation[]): readonly AddOutcome[] {
      const ids = JSON.stringify(offers.map(({ automation }) => automation.id));
      const takenIds = new Set(statements.findTaken(ids).map(({ id }) => id));
      const { outcomes, released, inserts } = planAdd(offers, { holders: holdersOf(offers), takenIds });
      for (const id of released) statements.freeKey.run(id);
      for (const each of inserts) statements.insert.run(valuesOf(each));
      audit.appendAudit(inserts.flatMap(entryOf));
      return outcomes;
    },

    reviseAutomation({ automation, basedOn, auditEntry }: Revision): ReviseOutcome {
      const [row] = statements.find(automation.id);
      if (row === undefined || row.withdrawn_at !== null) return { outcome: 'unknown' };
      if (row.updated_at !== basedOn.getTime()) return { outcome: 'conflict', automation: automationOf(row) };
      const { title, description, price, categoryId, updatedAt } = automation;
      statements.revise.run([
        title,
        description,
        price.minorUnits,
        price.currency,
        categoryId,
        updatedAt.getTime(),
        row.seq,
      ]);
      audit.appendAudit(entryOf({ auditEntry }));
      return { outcome: 'revised' };
    },

    withdrawAutomation(id: AutomationId, { at, developerId, reason, auditEntry }: Withdrawal): WithdrawOutcome {
      const [row] = statements.find(id);
      if (row === undefined || (developerId !== undefined && developerId !== row.developer_id)) return 'unknown';
      if (row.withdrawn_at !== null) return 'already-withdrawn';
      statements.withdraw.run([at.getTime(), reason ?? null, row.seq]);
      audit.appendAudit(entryOf({ auditEntry }));
      return 'withdrawn';
    },

    /** Frees at most `limit` keys, so that the transaction stays short, and returns how many. */
    freeIdempotencyKeys(asOf: Date, limit: number): number {
      return statements.freeKeys.run([asOf.getTime(), limit]).changes;
    },
  };
}

function prepare(connection: Connection) {
  const free = 'UPDATE automations SET idempotency_key = NULL, idempotency_key_until = NULL, request_hash = NULL';
  return {
    find: prepareRows<StatusRow>(connection, [...AUTOMATION_COLUMNS, 'withdrawn_at'], 'FROM automations WHERE id = ?'),
    findTaken: prepareRows<Pick<AutomationRow, 'id'>>(
      connection,
      ['id'],
      'FROM automations WHERE id IN (SELECT value FROM json_each(?))',
    ),
    findHolders: prepareRows<HolderRow>(
      connection,
      [...AUTOMATION_COLUMNS, 'idempotency_key', 'idempotency_key_until', 'request_hash'],
      `FROM (SELECT value ->> 0 AS developer, value ->> 1 AS key FROM json_each(?))
       CROSS JOIN automations INDEXED BY idempotency_keys ON developer_id = developer AND idempotency_key = key`,
    ),
    insert: connection.prepare(
      `INSERT INTO automations (id, category_id, developer_id, title, price, currency, created_at, updated_at,
         idempotency_key, idempotency_key_until, request_hash, description)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    revise: connection.prepare(
      `UPDATE automations SET title = ?, description = ?, price = ?, currency = ?, category_id = ?, updated_at = ?
       WHERE seq = ?`,
    ),
    withdraw: connection.prepare('UPDATE automations SET withdrawn_at = ?, withdrawn_reason = ? WHERE seq = ?'),
    freeKey: connection.prepare(`${free} WHERE id = ?`),
    freeKeys: connection.prepare(
      `${free} WHERE seq IN (SELECT seq FROM automations WHERE idempotency_key_until <= ? LIMIT ?)`,
    ),
  };
}

function valuesOf({ automation, idempotencyKey, idempotencyKeyUntil, requestHash }: NewAutomation) {
  return [
    automation.id,
    automation.categoryId,
    automation.developerId,
    automation.title,
    automation.price.minorUnits,
    automation.price.currency,
    automation.createdAt.getTime(),
    automation.updatedAt.getTime(),
    idempotencyKey ?? null,
    idempotencyKeyUntil?.getTime() ?? null,
    requestHash ?? null,
    automation.description,
  ];
}

function holderOf(row: HolderRow): KeyHolder {
  return {
    automation: automationOf(row),
    ...(row.request_hash !== null && { requestHash: row.request_hash }),
    ...(row.idempotency_key_until !== null && { idempotencyKeyUntil: new Date(row.idempotency_key_until) }),
  };
}

function entryOf({ auditEntry }: { readonly auditEntry?: AuditEntry | undefined }): readonly AuditEntry[] {
  return auditEntry === undefined ? [] : [auditEntry];
}
