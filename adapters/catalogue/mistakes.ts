import type { FieldError, UncheckedListRequest, UseCases } from '../../application/index.js';
import type { Currency } from '../../domain/currency.js';
import { typedPriceRule } from '../../domain/typed-price.js';
import { requestOf, type FieldName, type ListState } from './list-state.js';
import { TEXTS } from './texts.js';

const FIELD_OF: Readonly<Record<string, FieldName>> = { priceMin: 'lowest', priceMax: 'highest' };

/** A field that breaks a rule, and the rule. */
export interface Mistake {
  readonly field: FieldName;
  readonly code: string;
  readonly detail: string;
}

/** Returns what is wrong in the fields; whether there is such a category, only the store knows. */
export function mistakesIn(state: ListState, catalogue: UseCases['catalogue']): readonly Mistake[] {
  const request = requestOf(state, catalogue.currency);
  return catalogue.review(request).map((error) => {
    const field = FIELD_OF[error.field] ?? (error.field as FieldName);
    return { field, code: error.code, detail: detailOf(error, request, catalogue.currency) };
  });
}

/** Returns the rule as people read it: they type prices in other forms than programs, into fields with other names. */
function detailOf({ field, code, detail }: FieldError, request: UncheckedListRequest, currency: Currency): string {
  const { priceMin, priceMax } = request;
  const isReversed = typeof priceMin === 'number' && typeof priceMax === 'number' && priceMin > priceMax;
  if (field === 'priceMin' && isReversed) return TEXTS.aboveHighest;
  return code === 'wrong-type' && field in FIELD_OF ? typedPriceRule(currency) : detail;
}
