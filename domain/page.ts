import { requireParts } from './options.js';
import { DomainError, Violations, type ReportViolation } from './errors.js';

/** Which slice of a list: `number` counts from 1. */
export interface Page {
  readonly number: number;
  readonly limit: number;
}

export const PAGE_BOUNDS = { lowest: 1, highest: 999_999_999, usual: 1 } as const;
export const LIMIT_BOUNDS = { lowest: 1, highest: 100, usual: 25 } as const;

type Bounds = typeof PAGE_BOUNDS | typeof LIMIT_BOUNDS;

/** Returns the requested page, or the default one. Never clamps a value. @throws DomainError `invalid`. */
export function newPage(wanted: { readonly page?: number | undefined; readonly limit?: number | undefined }): Page {
  requireParts('newPage', 'what is wanted of a page', wanted, []);
  const violations = new Violations();
  const number = checkInteger(wanted.page, PAGE_BOUNDS, violations.field('page'));
  const limit = checkInteger(wanted.limit, LIMIT_BOUNDS, violations.field('limit'));
  violations.throwIfAny('the page');
  return Object.freeze({ number, limit });
}

export const AFTER_RULE = 'must be the id of an automation that is or was on sale';

/** Returns the error for a page behind an automation that is not known. */
export function unknownAfter(): DomainError {
  return new DomainError('invalid', 'invalid-fields', 'the page is not valid', [
    { field: 'after', code: 'unknown-value', detail: AFTER_RULE },
  ]);
}

function checkInteger(value: number | undefined, bounds: Bounds, report: ReportViolation): number {
  if (value === undefined) return bounds.usual;
  if (!Number.isInteger(value) || value < bounds.lowest || value > bounds.highest)
    report('out-of-range', `must be an integer from ${bounds.lowest} to ${bounds.highest}`);
  return value;
}
