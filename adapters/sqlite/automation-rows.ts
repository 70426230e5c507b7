import type { DeveloperId } from '../../domain/access.js';
import type { Automation, AutomationId, AutomationSummary } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';

export interface AutomationRow {
  number: number;
  id: AutomationId;
  title: string;
  description: string;
  price: number;
  currency: Currency;
  category_id: CategoryId;
  developer_id: DeveloperId;
  created_at: number;
  idempotency_key_until: number | null;
}

export type AutomationTuple = [
  id: AutomationId,
  title: string,
  description: string,
  price: number,
  currency: Currency,
  categoryId: CategoryId,
  developerId: DeveloperId,
  createdAt: number,
];

export function automationIn([
  id,
  title,
  description,
  minorUnits,
  currency,
  categoryId,
  developerId,
  createdAt,
]: AutomationTuple): Automation {
  return {
    id,
    title,
    description,
    price: { minorUnits, currency },
    categoryId,
    developerId,
    createdAt: new Date(createdAt),
  };
}

export type SummaryTuple = [id: AutomationId, title: string, price: number, currency: Currency];

export function summaryOf([id, title, minorUnits, currency]: SummaryTuple): AutomationSummary {
  return { id, title, price: { minorUnits, currency } };
}

export function automationOf(row: AutomationRow): Automation {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    price: { minorUnits: row.price, currency: row.currency },
    categoryId: row.category_id,
    developerId: row.developer_id,
    createdAt: new Date(row.created_at),
  };
}

export function hasExpired({ idempotency_key_until: until }: AutomationRow, asOf: Date): boolean {
  return until !== null && until <= asOf.getTime();
}
