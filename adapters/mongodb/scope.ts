import type { CategoryId } from '../../domain/category.js';

/** What has numbers of its own: a category, or by the empty text all automations. */
export type Scope = CategoryId | '';

export function fieldOf(scope: Scope): 'number' | 'category_number' {
  return scope === '' ? 'number' : 'category_number';
}
