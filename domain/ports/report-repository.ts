import type { AutomationId } from '../automation.js';
import type { Report, ReportDecision, ReportedAutomation, ReportId } from '../report.js';
import type { Audited } from './audited.js';
import type { CursorQuery } from './cursor-query.js';

/** A part of the reports of one automation. */
export interface ReportQuery extends CursorQuery<ReportId> {
  readonly automationId: AutomationId;
}

/** The outcome of a report. */
export type ReportOutcome =
  | 'stored'
  /** Its account has an open one for this automation. */
  | 'repeated'
  /** The automation has `MAX_OPEN_REPORTS` open ones. */
  | 'full';

/** What an operator decided about every open report of an automation. */
export interface ReportClosing extends Audited {
  readonly at: Date;
  readonly decision: ReportDecision;
  /** The SHA-256 of a file that is refused from now on. */
  readonly refusedFile?: string;
}

/** The reports of automations, and the files that are refused for everyone. */
export interface ReportRepository {
  /**
   * Stores an open report. Stores nothing, and returns `repeated`, when its account has an open one for this
   * automation; else `full`, when the automation has `MAX_OPEN_REPORTS` open ones; both also when raced.
   */
  add(addition: Audited & { readonly report: Report }): Promise<ReportOutcome>;

  /**
   * Returns the automations that have open reports, in descending order of their ids, with the number and the kinds of
   * these; at most `limit` of them, and fewer only at the end. With `before`, those whose id is lower, also when that
   * one is unknown. Every part costs the same, whatever the number of reports.
   */
  listReported(query: CursorQuery<AutomationId>): Promise<readonly ReportedAutomation[]>;

  /**
   * Returns the reports of an automation, field for field, in descending order of their ids; at most `limit` of them,
   * and fewer only at the end. With `before`, those whose id is lower, also when that one is unknown.
   */
  list(query: ReportQuery): Promise<readonly Report[]>;

  /**
   * Closes every open report of an automation, and returns how many; with `refusedFile`, this file is refused from then
   * on, all or nothing. Where none is open, nothing changes. When raced, each report is closed once.
   */
  close(id: AutomationId, closing: ReportClosing): Promise<number>;

  /** Returns whether the file with this SHA-256 is refused. */
  isRefused(sha256: string): Promise<boolean>;

  /** Removes every report that was closed at or before this time, and returns how many. */
  removeClosed(asOf: Date): Promise<number>;

  /** Removes the address of every report of or before this time, and returns of how many. */
  removeAddresses(asOf: Date): Promise<number>;
}
