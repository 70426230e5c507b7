import type { Automation } from '../../domain/automation.js';
import type { Currency } from '../../domain/currency.js';
import type { ArchivedAutomation, NewAutomation, WithdrawnBy } from '../../domain/ports.js';
import type { MinorUnits } from '../../domain/price.js';
import { mappingOf, type Row } from './mapping.js';

/** What a row of `automations` has. */
interface StoredAutomation extends Omit<Automation, 'price'>, Omit<NewAutomation, 'automation' | 'auditEntry'> {
  readonly price: MinorUnits;
  readonly currency: Currency;
  readonly withdrawnAt?: Date;
  readonly withdrawnBy?: WithdrawnBy;
  readonly withdrawnReason?: string;
}

/** The columns of automations, but for `number`. */
export const AUTOMATION = mappingOf<StoredAutomation>({
  id: 'text',
  title: 'text',
  description: 'text',
  price: 'integer',
  currency: 'text',
  categoryId: 'text',
  developerId: 'text',
  createdAt: 'time',
  updatedAt: 'time',
  idempotencyKey: 'text',
  idempotencyKeyUntil: 'time',
  requestHash: 'text',
  withdrawnAt: 'time',
  withdrawnBy: 'text',
  withdrawnReason: 'text',
});

/** Returns the row of a new automation. */
export function newRow(offer: NewAutomation): Row {
  const { minorUnits: price, currency } = offer.automation.price;
  return AUTOMATION.rowOf({ ...offer, ...offer.automation, price, currency });
}

export function automationOf(row: Row): Automation {
  const { id, title, description, price, currency, categoryId, developerId, createdAt, updatedAt } = storedOf(row);
  const money = { minorUnits: price, currency };
  return { id, title, description, price: money, categoryId, developerId, createdAt, updatedAt };
}

export function archivedOf(row: Row): ArchivedAutomation {
  const { withdrawnAt: at, withdrawnBy: by = 'developer', withdrawnReason: reason } = storedOf(row);
  if (at === undefined) return { automation: automationOf(row) };
  return { automation: automationOf(row), withdrawn: { at, by, ...(reason !== undefined && { reason }) } };
}

export function storedOf(row: Row): StoredAutomation {
  return AUTOMATION.entityOf(row);
}
