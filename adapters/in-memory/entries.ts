import type { Automation, AutomationSummary } from '../../domain/automation.js';
import type { Currency } from '../../domain/currency.js';
import type { AutomationFile, PlatformName } from '../../domain/file.js';
import type { ArchivedAutomation, Withdrawal, WithdrawnBy } from '../../domain/ports.js';
import type { MinorUnits } from '../../domain/price.js';

/**
 * An automation as it is kept. Dates and price are flat, since as objects of their own they would take as much memory
 * as all the rest of a short automation.
 */
export interface Entry extends Omit<Automation, 'price' | 'file' | 'createdAt' | 'updatedAt'> {
  readonly minorUnits: MinorUnits;
  readonly currency: Currency;
  /** JSON. */
  readonly file: string | null;
  /** That of the file. */
  readonly platform: PlatformName | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Undefined while it is on sale. */
  readonly withdrawn?: { readonly at: number; readonly by: WithdrawnBy; readonly reason?: string };
}

/** Returns the entry of an automation on sale. */
export function entryOf(automation: Automation): Entry {
  const { id, title, description, price, categoryId, url, license, file, developerId } = automation;
  const { createdAt, updatedAt } = automation;
  return {
    id,
    title,
    description,
    minorUnits: price.minorUnits,
    currency: price.currency,
    categoryId,
    url,
    license,
    file: file && JSON.stringify(file),
    platform: file?.platform,
    developerId,
    createdAt: createdAt.getTime(),
    updatedAt: updatedAt.getTime(),
  };
}

/** Returns the entry of an automation that was withdrawn. */
export function withdrawnEntry(entry: Entry, { at, by, reason }: Pick<Withdrawal, 'at' | 'by' | 'reason'>): Entry {
  return { ...entry, withdrawn: { at: at.getTime(), by, ...(reason !== undefined && { reason }) } };
}

/** Returns a copy of the automation. */
export function automationOf(entry: Entry): Automation {
  const { id, title, description, categoryId, url, license, file, developerId, createdAt, updatedAt } = entry;
  return Object.freeze({
    id,
    title,
    description,
    price: priceOf(entry),
    categoryId,
    url,
    license,
    file: file === null ? null : (JSON.parse(file) as AutomationFile),
    developerId,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  });
}

/** Returns a copy of the automation, and of its withdrawal. */
export function archivedOf(entry: Entry): ArchivedAutomation {
  const { withdrawn } = entry;
  return {
    automation: automationOf(entry),
    ...(withdrawn && { withdrawn: { ...withdrawn, at: new Date(withdrawn.at) } }),
  };
}

/** Returns the part of the automation that lists show. */
export function summaryOf(entry: Entry): AutomationSummary {
  return Object.freeze({ id: entry.id, title: entry.title, price: priceOf(entry) });
}

function priceOf({ minorUnits, currency }: Entry): Automation['price'] {
  return Object.freeze({ minorUnits, currency });
}
