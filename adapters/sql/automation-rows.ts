import type { Automation } from '../../domain/automation.js';
import type { Currency } from '../../domain/currency.js';
import type { ArchivedAutomation, NewAutomation, WithdrawnBy } from '../../domain/ports.js';
import type { MinorUnits } from '../../domain/price.js';
import { mappingOf, type Row } from './mapping.js';

/** An automation with its price in two columns. */
interface FlatAutomation extends Omit<Automation, 'price'> {
  readonly price: MinorUnits;
  readonly currency: Currency;
}

/** What a row of `automations` has. */
interface StoredAutomation extends FlatAutomation, Omit<NewAutomation, 'automation' | 'auditEntry'> {
  readonly withdrawnAt?: Date;
  readonly withdrawnBy?: WithdrawnBy;
  readonly withdrawnReason?: string;
}

/** What a revision changes. */
const REVISED = {
  title: 'text',
  description: 'text',
  price: 'integer',
  currency: 'text',
  categoryId: 'text',
  updatedAt: 'time',
} as const;
const FLAT = { ...REVISED, id: 'text', developerId: 'text', createdAt: 'time' } as const;

export const REVISION = mappingOf<Pick<FlatAutomation, keyof typeof REVISED>>(REVISED);
const FLAT_AUTOMATION = mappingOf<FlatAutomation>(FLAT);

/** The columns of automations, but for `number`. */
export const AUTOMATION = mappingOf<StoredAutomation>({
  ...FLAT,
  idempotencyKey: 'text',
  idempotencyKeyUntil: 'time',
  requestHash: 'text',
  withdrawnAt: 'time',
  withdrawnBy: 'text',
  withdrawnReason: 'text',
});

/** Returns the row of a new automation. */
export function newRow(offer: NewAutomation): Row {
  return AUTOMATION.rowOf({ ...offer, ...withFlatPrice(offer.automation) });
}

/** Returns the columns that a revision changes. */
export function revisedRow(automation: Automation): Row {
  return REVISION.rowOf(withFlatPrice(automation));
}

function withFlatPrice({ price: { minorUnits: price, currency }, ...others }: Automation): FlatAutomation {
  return { ...others, price, currency };
}

export function automationOf(row: Row): Automation {
  const { price: minorUnits, currency, ...others } = FLAT_AUTOMATION.entityOf(row);
  return { ...others, price: { minorUnits, currency } };
}

export function archivedOf(row: Row): ArchivedAutomation {
  const { withdrawnAt: at, withdrawnBy: by = 'developer', withdrawnReason: reason } = storedOf(row);
  if (at === undefined) return { automation: automationOf(row) };
  return { automation: automationOf(row), withdrawn: { at, by, ...(reason !== undefined && { reason }) } };
}

export function storedOf(row: Row): StoredAutomation {
  return AUTOMATION.entityOf(row);
}
