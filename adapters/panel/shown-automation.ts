import { inMajorUnits, type ArchivedAutomation, type CountedCategory } from '../../application/index.js';
import { decimalsOf, type Currency } from '../../domain/currency.js';
import { TEXTS } from './texts.js';
import { moment } from '../http/views/times.js';

/** Returns an automation as pages show it. */
export function viewOf({ automation, withdrawn }: ArchivedAutomation, categories: readonly CountedCategory[]) {
  const { id, title, description, categoryId, createdAt, updatedAt } = automation;
  return {
    id,
    title,
    description,
    category: categories.find((one) => one.id === categoryId)?.name ?? categoryId,
    price: priceText(inMajorUnits(automation.price), automation.price.currency),
    published: moment(createdAt),
    revised: updatedAt > createdAt ? moment(updatedAt) : undefined,
    withdrawn: withdrawn && { at: moment(withdrawn.at), reason: withdrawn.reason },
  };
}

/** Returns a price for people: `$9.99`, or `Free`. Shows the decimals of ISO 4217; Intl omits some by default. */
export function priceText(amount: number, currency: Currency): string {
  if (amount === 0) return TEXTS.automations.free;
  const decimals = decimalsOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, ...digits }).format(amount);
}
