import type { Automation, AutomationId, AutomationSummary } from '../../domain/automation.js';
import type { Currency } from '../../domain/currency.js';
import type { PlatformName } from '../../domain/file.js';
import type { ArchivedAutomation, NewAutomation, WithdrawnBy } from '../../domain/ports.js';
import type { MinorUnits } from '../../domain/price.js';
import { mappingOf, type Row } from './mapping.js';

/** What has columns of its own, so that it can be searched for: the price, and the platform of the file. */
interface Searched {
  readonly price: MinorUnits;
  readonly currency: Currency;
  readonly platform?: PlatformName | undefined;
}

type WithoutPrice = Omit<Automation, 'price'>;

/** What a row of `automations` has. */
interface StoredAutomation
  extends WithoutPrice, Searched, Omit<NewAutomation, 'automation' | 'fileContent' | 'auditEntry'> {
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
const SEARCHED = { ...PRICE, platform: 'text' } as const;
const WITHOUT_PRICE = mappingOf<WithoutPrice>(OTHERS);

/** The columns that a revision changes. */
export const REVISION = mappingOf<Pick<Automation, keyof typeof REVISABLE> & Searched>({ ...REVISABLE, ...SEARCHED });

/** The columns of a summary. */
export const SUMMARY = 'id, title, price, currency';

/** The columns of an automation with all its fields. */
export const SHOWN = `${WITHOUT_PRICE.columns}, ${Object.keys(PRICE).join(', ')}`;

/** The columns of automations, but for `number`. */
export const AUTOMATION = mappingOf<StoredAutomation>({
  ...OTHERS,
  ...SEARCHED,
  idempotencyKey: 'text',
  idempotencyKeyUntil: 'time',
  requestHash: 'text',
  withdrawnAt: 'time',
  withdrawnBy: 'text',
  withdrawnReason: 'text',
});

export function newRow(offer: NewAutomation): Row {
  return AUTOMATION.rowOf({ ...offer, ...offer.automation, ...searchedOf(offer.automation) });
}

export function revisedRow(automation: Automation): Row {
  return REVISION.rowOf({ ...automation, ...searchedOf(automation) });
}

function searchedOf({ price: { minorUnits: price, currency }, file }: Automation): Searched {
  return { price, currency, platform: file?.platform };
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
