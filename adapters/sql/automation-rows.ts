import type { DeveloperId } from '../../domain/access.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';
import type { ArchivedAutomation, NewAutomation, WithdrawnBy } from '../../domain/ports.js';

/** What is read of an automation on sale. */
export interface AutomationRow {
  readonly number: number;
  readonly id: AutomationId;
  readonly title: string;
  readonly description: string;
  readonly price: number;
  readonly currency: Currency;
  readonly category_id: CategoryId;
  readonly developer_id: DeveloperId;
  readonly created_at: number;
  readonly updated_at: number;
}

/** What is read of an automation that may be withdrawn. */
export interface ArchivedRow extends AutomationRow {
  readonly withdrawn_at: number | null;
  readonly withdrawn_by: WithdrawnBy | null;
  readonly withdrawn_reason: string | null;
}

/** The columns of `ArchivedRow`, for the table `a`. */
export const ARCHIVED_COLUMNS =
  'a.number, a.id, a.title, a.description, a.price, a.currency, a.category_id, a.developer_id, a.created_at, ' +
  'a.updated_at, a.withdrawn_at, a.withdrawn_by, a.withdrawn_reason';

/** The columns that an insert fills. */
export const INSERTED_COLUMNS = {
  id: 'text',
  category_id: 'text',
  developer_id: 'text',
  title: 'text',
  price: 'integer',
  currency: 'text',
  created_at: 'integer',
  updated_at: 'integer',
  idempotency_key: 'text',
  idempotency_key_until: 'integer',
  request_hash: 'text',
  description: 'text',
} as const;

export function automationOf(row: AutomationRow): Automation {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    price: { minorUnits: row.price, currency: row.currency },
    categoryId: row.category_id,
    developerId: row.developer_id,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

export function archivedOf(row: ArchivedRow): ArchivedAutomation {
  const { withdrawn_at: at, withdrawn_by: by, withdrawn_reason: reason } = row;
  if (at === null) return { automation: automationOf(row) };
  const withdrawn = { at: new Date(at), by: by ?? 'developer', ...(reason !== null && { reason }) };
  return { automation: automationOf(row), withdrawn };
}

/** Returns the row of a new automation, with the names of `INSERTED_COLUMNS`. */
export function insertedRow({ automation, idempotencyKey, idempotencyKeyUntil, requestHash }: NewAutomation) {
  return {
    id: automation.id,
    category_id: automation.categoryId,
    developer_id: automation.developerId,
    title: automation.title,
    price: automation.price.minorUnits,
    currency: automation.price.currency,
    created_at: automation.createdAt.getTime(),
    updated_at: automation.updatedAt.getTime(),
    idempotency_key: idempotencyKey ?? null,
    idempotency_key_until: idempotencyKeyUntil?.getTime() ?? null,
    request_hash: requestHash ?? null,
    description: automation.description,
  } satisfies Readonly<Record<keyof typeof INSERTED_COLUMNS, string | number | null>>;
}
