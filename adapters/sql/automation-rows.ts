import type { Automation, AutomationId, AutomationSummary } from '../../domain/automation.js';
import type { Currency } from '../../domain/currency.js';
import type { ArchivedAutomation, NewAutomation, WithdrawnBy } from '../../domain/ports.js';
import type { MinorUnits } from '../../domain/price.js';
import { mappingOf, type Row } from './mapping.js';

/** The price of an automation, in two columns. */
interface StoredPrice {
  readonly price: MinorUnits;
  readonly currency: Currency;
}

type WithoutPrice = Omit<Automation, 'price'>;

/** What a row of `automations` has. */
interface StoredAutomation
  extends WithoutPrice, StoredPrice, Omit<NewAutomation, 'automation' | 'fileContent' | 'auditEntry'> {
  readonly withdrawnAt?: Date;
  readonly withdrawnBy?: WithdrawnBy;
  readonly withdrawnReason?: string;
}

const REVISABLE = {
  title: 'text',
  description: 'text',
  categoryId: 'text',
  url: 'text-or-null',
  license: 'text-or-null',
  file: 'json-or-null',
  updatedAt: 'time',
} as const;
const OTHERS = { ...REVISABLE, id: 'text', developerId: 'text', createdAt: 'time' } as const;
const PRICE = { price: 'integer', currency: 'text' } as const;
const WITHOUT_PRICE = mappingOf<WithoutPrice>(OTHERS);

/** The columns that a revision changes. */
export const REVISION = mappingOf<Pick<Automation, keyof typeof REVISABLE> & StoredPrice>({ ...REVISABLE, ...PRICE });

/** The columns of a summary. */
export const SUMMARY = 'id, title, price, currency';

/** The columns of an automation with all its fields. */
export const SHOWN = `${WITHOUT_PRICE.columns}, ${Object.keys(PRICE).join(', ')}`;

/** The columns of automations, but for `number`. */
export const AUTOMATION = mappingOf<StoredAutomation>({
  ...OTHERS,
  ...PRICE,
  idempotencyKey: 'text',
  idempotencyKeyUntil: 'time',
  requestHash: 'text',
  withdrawnAt: 'time',
  withdrawnBy: 'text',
  withdrawnReason: 'text',
});

export function newRow(offer: NewAutomation): Row {
  return AUTOMATION.rowOf({ ...offer, ...offer.automation, ...storedPrice(offer.automation) });
}

export function revisedRow(automation: Automation): Row {
  return REVISION.rowOf({ ...automation, ...storedPrice(automation) });
}

function storedPrice({ price: { minorUnits: price, currency } }: Automation): StoredPrice {
  return { price, currency };
}

export function automationOf(row: Row): Automation {
  return Object.assign(WITHOUT_PRICE.entityOf(row), { price: priceOf(row) });
}

export function summaryOf(row: Row): AutomationSummary {
  return { id: row['id'] as AutomationId, title: row['title'] as string, price: priceOf(row) };
}

function priceOf(row: Row): Automation['price'] {
  return { minorUnits: row['price'] as MinorUnits, currency: row['currency'] as Currency };
}

export function archivedOf(row: Row): ArchivedAutomation {
  const { withdrawnAt: at, withdrawnBy: by = 'developer', withdrawnReason: reason } = storedOf(row);
  if (at === undefined) return { automation: automationOf(row) };
  return { automation: automationOf(row), withdrawn: { at, by, ...(reason !== undefined && { reason }) } };
}

export function storedOf(row: Row): StoredAutomation {
  return AUTOMATION.entityOf(row);
}
