import { developerId, type DeveloperId } from './access.js';
import {
  automationId,
  checkDraft,
  sameContent,
  type Automation,
  type AutomationId,
  type ValidationContext,
  type UncheckedDraft,
} from './automation.js';
import type { Currency } from './currency.js';
import { Violations, type ReportViolation } from './errors.js';
import { SLUG_RULE } from './slug.js';

/** An automation as another store wrote it, unchecked: a draft, and what the marketplace there had added. */
export interface UncheckedAutomation extends UncheckedDraft {
  readonly id?: unknown;
  readonly currency?: unknown;
  readonly developerId?: unknown;
  /** RFC 3339, in UTC, with milliseconds. */
  readonly createdAt?: unknown;
  /** As `createdAt`, and not before it; `createdAt` when it is missing. */
  readonly updatedAt?: unknown;
}

/**
 * Returns an automation of another store, with its id, its developer and its date.
 * @throws DomainError `invalid` with every broken rule.
 */
export function parseImportedAutomation(from: UncheckedAutomation, context: ValidationContext): Automation {
  const violations = new Violations();
  const id = read(from.id, automationId, ID_RULE, violations.field('id'));
  const content = checkDraft(from, context, violations);
  checkCurrency(from.currency, context.currency, violations.field('currency'));
  const owner = read(from.developerId, developerId, SLUG_RULE, violations.field('developerId'));
  const createdAt = read(from.createdAt, timeOf, TIME_RULE, violations.field('createdAt'));
  const updatedAt = from.updatedAt === undefined ? createdAt : updateTime(from.updatedAt, createdAt, violations);
  violations.throwIfAny('the automation');
  return Object.freeze({
    ...content,
    id: id as AutomationId,
    developerId: owner as DeveloperId,
    createdAt: createdAt as Date,
    updatedAt: updatedAt as Date,
  });
}

function updateTime(value: unknown, createdAt: Date | undefined, violations: Violations): Date | undefined {
  const report = violations.field('updatedAt');
  const updatedAt = read(value, timeOf, TIME_RULE, report);
  if (updatedAt && createdAt && updatedAt < createdAt)
    report('out-of-range', 'must not be before the time of creation');
  return updatedAt;
}

/** Tells whether two automations with the same id agree in content, developer and date. */
export function isSameAutomation(one: Automation, other: Automation): boolean {
  return (
    sameContent(one, other) &&
    one.developerId === other.developerId &&
    one.createdAt.getTime() === other.createdAt.getTime()
  );
}

const ID_RULE = 'must be a UUID';
const TIME_RULE = 'must be a time in UTC with milliseconds, such as 2026-01-31T12:00:00.000Z';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns undefined also for a date that does not exist, such as 30 February. */
function timeOf(text: string): Date | undefined {
  const time = new Date(TIME.test(text) ? text : NaN);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text ? time : undefined;
}

function read<Value>(
  value: unknown,
  parse: (text: string) => Value | undefined,
  rule: string,
  report: ReportViolation,
): Value | undefined {
  if (value === undefined) report('required', 'is required');
  else if (typeof value !== 'string') report('wrong-type', 'must be a string');
  else {
    const parsed = parse(value);
    if (parsed === undefined) report('invalid-format', rule);
    return parsed;
  }
  return undefined;
}

function checkCurrency(value: unknown, currency: Currency, report: ReportViolation): void {
  if (value === undefined) report('required', 'is required');
  else if (value !== currency) report('unknown-value', `must be ${currency}, as of every price in this store`);
}
