import type { Automation, UncheckedDraft } from '../../../domain/automation.js';
import type { UncheckedAutomation } from '../../../domain/imported-automation.js';
import { inMajorUnits } from '../../../domain/price.js';
import { printable } from '../terminal/printable.js';
import { withLineFeeds } from './json-input.js';

/** The members of a line of `automations import`. */
export const DRAFT_MEMBERS = ['title', 'description', 'price', 'category_id'];

/** The members of a line of `automations export`. */
export const AUTOMATION_MEMBERS = [
  ...['id', 'title', 'description', 'price', 'currency', 'category_id'],
  ...['developer_id', 'created_at', 'updated_at'],
];

const MEMBER_OF_FIELD: Readonly<Record<string, string>> = {
  categoryId: 'category_id',
  developerId: 'developer_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

/** Returns the name of a field in files and in JSON. */
export function memberOf(field: string): string {
  return MEMBER_OF_FIELD[field] ?? field;
}

/** Returns an automation as a line of JSON. */
export function lineOf(automation: Automation): string {
  return printable(JSON.stringify(membersOf(automation)));
}

/** Returns an automation for JSON, with the members of the API's response in their order. */
export function membersOf({ id, title, description, price, categoryId, developerId, ...times }: Automation): object {
  return {
    id,
    title,
    description,
    price: inMajorUnits(price),
    currency: price.currency,
    category_id: categoryId,
    developer_id: developerId,
    created_at: times.createdAt.toISOString(),
    updated_at: times.updatedAt.toISOString(),
  };
}

export function draftOf(item: Readonly<Record<string, unknown>>): UncheckedDraft {
  return {
    title: withLineFeeds(item['title']),
    description: withLineFeeds(item['description']),
    price: item['price'],
    categoryId: item['category_id'],
  };
}

export function automationOf(item: Readonly<Record<string, unknown>>): UncheckedAutomation {
  return {
    ...draftOf(item),
    id: item['id'],
    currency: item['currency'],
    developerId: item['developer_id'],
    createdAt: item['created_at'],
    updatedAt: item['updated_at'],
  };
}
