import type { AutomationList } from '../../application/list-request.js';
import type { Automation, AutomationSummary, UncheckedDraft } from '../../domain/automation.js';
import type { CountedCategory } from '../../domain/category.js';
import { inMajorUnits } from '../../domain/price.js';

/** The JSON on the wire, written out; a test holds these interfaces to the schemas. */
export interface AutomationJson {
  id: string;
  title: string;
  description: string;
  price: number;
  currency: string;
  category_id: string;
  developer_id: string;
  created_at: string;
  updated_at: string;
}

export interface AutomationListJson {
  data: { id: string; title: string; price: number }[];
  total: number;
  page: number;
}

export interface CategoryListJson {
  data: { id: string; name: string; automation_count: number }[];
  total: number;
}

export interface CreateAutomationJson {
  title: string;
  description: string;
  price: number;
  category_id: string;
}

export function automationJson(automation: Automation): AutomationJson {
  return {
    id: automation.id,
    title: automation.title,
    description: automation.description,
    price: inMajorUnits(automation.price),
    currency: automation.price.currency,
    category_id: automation.categoryId,
    developer_id: automation.developerId,
    created_at: automation.createdAt.toISOString(),
    updated_at: automation.updatedAt.toISOString(),
  };
}

export function automationListJson({ items, total, page }: AutomationList): AutomationListJson {
  return { data: items.map(itemJson), total, page: page.number };
}

function itemJson({ id, title, price }: AutomationSummary): AutomationListJson['data'][number] {
  return { id, title, price: inMajorUnits(price) };
}

export function categoryListJson(categories: readonly CountedCategory[]): CategoryListJson {
  const data = categories.map(({ id, name, automationCount }) => ({ id, name, automation_count: automationCount }));
  return { data, total: data.length };
}

/** The body of a create by the core's names; what is missing stays missing. */
export function draftOf(body: { readonly [Member in keyof CreateAutomationJson]?: unknown }): UncheckedDraft {
  return { title: body.title, description: body.description, price: body.price, categoryId: body.category_id };
}
