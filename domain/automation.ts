import type { DeveloperId } from './access.js';
import { categoryId, type Category, type CategoryId } from './category.js';
import type { Currency } from './currency.js';
import { BrokenRules, type FieldError, type Report } from './errors.js';
import { readPrice, type Price } from './price.js';
import { readText, type TextRule } from './text.js';

/** A UUID, in lower case (RFC 9562). */
export type AutomationId = string & { readonly __brand: 'AutomationId' };

/** Something on sale. It never changes: a mistake is withdrawn and offered anew. */
export interface Automation {
  readonly id: AutomationId;
  readonly title: string;
  readonly description: string;
  readonly price: Price;
  readonly categoryId: CategoryId;
  readonly developerId: DeveloperId;
  readonly createdAt: Date;
}

/** What a list shows of an automation. */
export type AutomationSummary = Pick<Automation, 'id' | 'title' | 'price'>;

/** What a developer says of a new automation; the price in major units, such as 9.99. */
export interface AutomationDraft {
  readonly title: string;
  readonly description: string;
  readonly price: number;
  readonly categoryId: string;
}

/** A draft as it comes from outside, nothing of it proven. */
export type UncheckedDraft = { readonly [Field in keyof AutomationDraft]?: unknown };

/** What the marketplace adds to a draft: facts, which are not checked. */
export interface Offering {
  readonly id: AutomationId;
  readonly developerId: DeveloperId;
  readonly createdAt: Date;
}

/** What a draft is checked against: the currency, and the category that it names, if there is one. */
export interface Market {
  readonly currency: Currency;
  readonly category: Category | undefined;
}

export const TITLE: TextRule = { maxLength: 200, multiline: false };
export const DESCRIPTION: TextRule = { maxLength: 10_000, multiline: true };
export const WITHDRAWAL_REASON: TextRule = { maxLength: 1_000, multiline: true };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The text as an automation's id, or undefined when no automation can have it. */
export function automationId(text: string): AutomationId | undefined {
  return UUID.test(text) ? (text as AutomationId) : undefined;
}

/** Every rule that a draft breaks; none when it can be offered. */
export function brokenRules(draft: UncheckedDraft, market: Market): readonly FieldError[] {
  const broken = new BrokenRules();
  readDraft(draft, market, broken);
  return broken.fields;
}

/** @throws DomainError `invalid` with every broken rule. */
export function newAutomation(draft: UncheckedDraft, market: Market, offering: Offering): Automation {
  const broken = new BrokenRules();
  const { title, description, price, categoryId } = readDraft(draft, market, broken);
  broken.throwIfAny('the automation');
  const { id, developerId, createdAt } = offering;
  return Object.freeze({ id, title, description, price, categoryId, developerId, createdAt });
}

/** What a draft says; every broken rule goes to `broken`. */
export function readDraft(draft: UncheckedDraft, market: Market, broken: BrokenRules) {
  return {
    title: readText(draft.title, TITLE, broken.on('title')),
    description: readText(draft.description, DESCRIPTION, broken.on('description')),
    price: Object.freeze(readPrice(draft.price, market.currency, broken.on('price'))),
    categoryId: readCategory(draft.categoryId, market.category, broken.on('categoryId')),
  };
}

function readCategory(value: unknown, category: Category | undefined, report: Report): CategoryId {
  if (value === undefined) report('required', 'is required');
  else if (typeof value !== 'string') report('wrong-type', 'must be a string');
  else if (categoryId(value) === undefined || category?.id !== value)
    report('unknown-value', 'must be the id of a category; the category list has them all');
  return value as CategoryId;
}

/** Whether two automations were made from the same draft. */
export function sameContent(one: Automation, other: Automation): boolean {
  return (
    one.title === other.title &&
    one.description === other.description &&
    one.price.minorUnits === other.price.minorUnits &&
    one.price.currency === other.price.currency &&
    one.categoryId === other.categoryId
  );
}
