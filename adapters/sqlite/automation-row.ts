import type { DeveloperId } from '../../domain/access.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';
import type { ArchivedAutomation } from '../../domain/ports.js';

/** What is read of an automation. */
export interface AutomationRow {
  readonly seq: number;
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

export const AUTOMATION_COLUMNS = [
  'seq',
  'id',
  'title',
  'description',
  'price',
  'currency',
  'category_id',
  'developer_id',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof AutomationRow)[];

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

/** What is read of an automation that may be withdrawn. */
export interface ArchivedRow extends AutomationRow {
  readonly withdrawn_at: number | null;
  readonly withdrawn_reason: string | null;
}

export const ARCHIVED_COLUMNS = [...AUTOMATION_COLUMNS, 'withdrawn_at', 'withdrawn_reason'] as const;

export function archivedOf(row: ArchivedRow): ArchivedAutomation {
  const { withdrawn_at: at, withdrawn_reason: reason } = row;
  if (at === null) return { automation: automationOf(row) };
  return { automation: automationOf(row), withdrawn: { at: new Date(at), ...(reason !== null && { reason }) } };
}
