import type { DeveloperId } from './access.js';
import type { AutomationId } from './automation.js';
import { Violations } from './errors.js';
import { checkText, isBlank, type TextRule } from './text.js';

/** A UUID, in lower case. */
export type ReportId = string & { readonly __brand: 'ReportId' };

/** What may be wrong with an automation. */
export const REPORT_KINDS = ['does-not-work', 'misleading', 'dangerous', 'not-theirs', 'other'] as const;
/** One of `REPORT_KINDS`. */
export type ReportKind = (typeof REPORT_KINDS)[number];

/** What an operator did about reports. */
export type ReportDecision = 'dismissed' | 'withdrawn' | 'file-refused';

/** An automation has at most as many open ones. */
export const MAX_OPEN_REPORTS = 100;

/** A report of an automation; open until an operator decides. */
export interface Report {
  readonly id: ReportId;
  readonly automationId: AutomationId;
  readonly kind: ReportKind;
  /** May be empty. */
  readonly text: string;
  readonly at: Date;
  /** The account that reports; undefined for a person who is not signed in. */
  readonly developerId?: DeveloperId;
  /** An IP address. */
  readonly address?: string;
  readonly closedAt?: Date;
  readonly decision?: ReportDecision;
}

/** An automation with open reports. */
export interface ReportedAutomation {
  readonly automationId: AutomationId;
  readonly count: number;
  /** Each once, in the order of `REPORT_KINDS`. */
  readonly kinds: readonly ReportKind[];
}

/** What a person says of an automation. */
export interface UncheckedReport {
  readonly kind?: unknown;
  readonly text?: unknown;
}

const TEXT: TextRule = { maxLength: 1_000, multiline: true, directionMarks: true };

/** @throws DomainError `invalid` with every broken rule. */
export function parseReport({ kind, text }: UncheckedReport): Pick<Report, 'kind' | 'text'> {
  const violations = new Violations();
  const known = REPORT_KINDS.find((one) => one === kind);
  if (known === undefined) violations.field('kind')('unknown-value', `must be one of ${REPORT_KINDS.join(', ')}`);
  const checked = isBlank(text) ? '' : checkText(text, TEXT, violations.field('text'));
  violations.throwIfAny('the report');
  return { kind: known ?? 'other', text: checked };
}

/** Groups open reports, which come in the order of their automations. */
export function reportedAutomations(
  open: readonly Pick<Report, 'automationId' | 'kind'>[],
): readonly ReportedAutomation[] {
  const groups = new Map<AutomationId, ReportKind[]>();
  for (const { automationId, kind } of open) groups.set(automationId, [...(groups.get(automationId) ?? []), kind]);
  return Array.from(groups, ([automationId, kinds]) => ({
    automationId,
    count: kinds.length,
    kinds: REPORT_KINDS.filter((kind) => kinds.includes(kind)),
  }));
}
