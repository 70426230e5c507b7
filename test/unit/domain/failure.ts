import { Violations, DomainError, type FieldError, type ReportViolation } from '../../../domain/errors.js';

/** The `DomainError` with which this fails, at once or later. */
export async function failureOf(attempt: () => unknown): Promise<DomainError> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

/** The broken rules of an invalid value, as `field: code`. */
export async function brokenBy(attempt: () => unknown): Promise<readonly string[]> {
  const failure = await failureOf(attempt);
  if (failure.kind !== 'invalid') throw failure;
  return failure.fields.map(({ field, code }) => `${field}: ${code}`);
}

/** Returns the result of a checking function, and what it reports. */
export function checking<Value>(check: (report: ReportViolation) => Value): {
  value: Value;
  broken: readonly FieldError[];
} {
  const violations = new Violations();
  return { value: check(violations.field('field')), broken: violations.fields };
}
