import type { AutomationId, Automation } from '../domain/automation.js';
import type { DeveloperId } from '../domain/access.js';
import { newCategory, type Category } from '../domain/category.js';
import { parseCurrency } from '../domain/currency.js';
import { inMajorUnits, minorUnits } from '../domain/price.js';

const APPS = [
  ...['Stripe', 'Google Sheets', 'Slack', 'HubSpot', 'Notion', 'Airtable'],
  ...['Gmail', 'Shopify', 'Jira', 'Zendesk', 'Trello', 'Xero'],
];
const VERBS = ['Copy', 'Sync', 'Collect', 'Translate', 'Summarise', 'Archive', 'Check', 'Enrich'];
const THINGS = [
  ...['new invoices', 'open tickets', 'leads', 'meeting notes', 'orders'],
  ...['reviews', 'contacts', 'payouts', 'form answers'],
];
const TIMES = ['every hour', 'every morning', 'as they come', 'once a week', 'at the end of the month'];
const SENTENCES = [
  'Set it up once with your own account; no code is needed.',
  'Duplicates are recognised by their number and left out.',
  'When a step fails it is tried again three times, and then you get a message with the reason.',
  'Fields can be mapped to columns of your own.',
  'It works with the free plan of both services.',
  'Amounts are converted at the rate of the day.',
  'A log of the last 90 days shows what was done and when.',
  'Attachments up to 25 MB are taken along; larger ones are linked.',
  'Personal data is masked before it leaves your account.',
  'Runs in under a minute for a thousand records.',
];

const USD = parseCurrency('USD');
const EPOCH = Date.UTC(2024, 0, 1);
const STEP = 37_000;

/** Returns a generator of numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function newCategories(count: number): readonly Category[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return numbers.map((number) => newCategory({ id: `category-${number}`, name: `Category ${number}` }));
}

/**
 * Returns automations as a marketplace has them, in the order in which they are stored; the same ones at every call.
 * Each category has the same number of them.
 */
export function* newAutomations(count: number, categories: readonly Category[]): Generator<Automation> {
  const random = randomNumbers(count);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  for (let index = 0; index < count; index += 1) {
    const [from, to] = [pick(APPS), pick(APPS)];
    const title = [pick(VERBS), pick(THINGS), 'from', from, 'to', to, pick(TIMES)].join(' ');
    const sentences = Array.from({ length: 3 + Math.floor(random() * 6) }, () => pick(SENTENCES));
    const createdAt = new Date(EPOCH + index * STEP);
    yield Object.freeze({
      id: idOf(createdAt, random),
      title,
      description: [`${title}, with ${from} as the source and ${to} as the target.`, ...sentences].join(' '),
      price: Object.freeze({
        minorUnits: minorUnits(random() < 0.1 ? 0 : 99 + 100 * Math.floor(random() * 300)),
        currency: USD,
      }),
      categoryId: (categories[index % categories.length] as Category).id,
      url: null,
      license: null,
      file: null,
      developerId: `developer-${1 + Math.floor(random() * 500)}` as DeveloperId,
      createdAt,
      updatedAt: createdAt,
    });
  }
}

/** Returns what a client sends to create one like it. */
export function draftJson(automation: Automation): string {
  const { title, description, price, categoryId } = automation;
  return JSON.stringify({ title, description, price: inMajorUnits(price), category_id: categoryId });
}

/** Returns the values in arrays of this size; the last one may be shorter. */
export function* inBatches<Value>(values: Iterable<Value>, size: number): Generator<Value[]> {
  let batch: Value[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Returns a UUID of version 7. The times differ, so the ids do. */
function idOf(createdAt: Date, random: () => number): AutomationId {
  const time = createdAt.getTime().toString(16).padStart(12, '0');
  const hex = (digits: number) =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  const random74 = [`7${hex(3)}`, `8${hex(3)}`, hex(6) + hex(6)];
  return [time.slice(0, 8), time.slice(8), ...random74].join('-') as AutomationId;
}
