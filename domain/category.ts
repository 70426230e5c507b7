import { Violations } from './errors.js';
import { isSlug, SLUG_RULE } from './slug.js';
import { checkText, type TextRule } from './text.js';
import { requireParts } from './options.js';

/** A slug: lower-case letters, digits and single hyphens, 1 to 64 characters. */
export type CategoryId = string & { readonly __brand: 'CategoryId' };

/** Operators keep the categories, and every automation is in one. */
export interface Category {
  readonly id: CategoryId;
  readonly name: string;
}

/** A category and how many automations are on sale in it. */
export interface CountedCategory extends Category {
  readonly automationCount: number;
}

export const CATEGORY_NAME: TextRule = { maxLength: 100, multiline: false };

/** Returns the text as a category's id; undefined when no category can have it. */
export function categoryId(text: string): CategoryId | undefined {
  return isSlug(text) ? (text as CategoryId) : undefined;
}

/** Checks a draft and returns the category. @throws DomainError `invalid` with every broken rule. */
export function newCategory(draft: { readonly id?: unknown; readonly name?: unknown }): Category {
  requireParts('newCategory', 'a category', draft, []);
  const violations = new Violations();
  const id = typeof draft.id === 'string' ? categoryId(draft.id) : undefined;
  if (id === undefined) violations.field('id')('invalid-format', SLUG_RULE);
  const name = checkText(draft.name, CATEGORY_NAME, violations.field('name'));
  violations.throwIfAny('the category');
  return Object.freeze({ id: id as CategoryId, name });
}

const ALPHABET = new Intl.Collator('en');

/** Orders categories by name as people do ("Cloud" before "CRM"), then by id. */
export function byName(one: Category, other: Category): number {
  return ALPHABET.compare(one.name, other.name) || (one.id < other.id ? -1 : 1);
}
