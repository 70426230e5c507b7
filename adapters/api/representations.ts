import type { AutomationList } from '../../application/list-request.js';
import {
  CONTENT_FIELDS,
  type Automation,
  type AutomationSummary,
  type UncheckedDraft,
} from '../../domain/automation.js';
import type { CountedCategory } from '../../domain/category.js';
import { inMajorUnits } from '../../domain/price.js';
import type * as wire from '../client/index.js';

export function automationJson(automation: Automation): wire.Automation {
  return {
    id: automation.id,
    title: automation.title,
    description: automation.description,
    price: inMajorUnits(automation.price),
    currency: automation.price.currency,
    category_id: automation.categoryId,
    developer_id: automation.developerId,
    url: automation.url,
    license: automation.license,
    created_at: automation.createdAt.toISOString(),
    updated_at: automation.updatedAt.toISOString(),
  };
}

export function automationListJson({ items, total, page }: AutomationList): wire.AutomationList {
  return { data: items.map(itemJson), total, page: page.number };
}

function itemJson({ id, title, price }: AutomationSummary): wire.AutomationSummary {
  return { id, title, price: inMajorUnits(price) };
}

export function categoryListJson(categories: readonly CountedCategory[]): wire.CategoryList {
  const data = categories.map(({ id, name, automationCount }) => ({ id, name, automation_count: automationCount }));
  return { data, total: data.length };
}

/** Returns the name of a field of the core on the wire: in snake case. */
export function memberOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The fields of a draft, with their names on the wire. */
const DRAFT_FIELDS = CONTENT_FIELDS.map((field) => ({ field, member: memberOf(field) }));

/** The members of the body of a create. */
export const CREATE_MEMBERS: readonly string[] = DRAFT_FIELDS.map(({ member }) => member);

/** The body of a create by the core's names; what is missing stays missing. */
export function draftOf(body: Readonly<Record<string, unknown>>): UncheckedDraft {
  const sent = DRAFT_FIELDS.filter(({ member }) => Object.hasOwn(body, member));
  return Object.fromEntries(sent.map(({ field, member }) => [field, body[member]]));
}
