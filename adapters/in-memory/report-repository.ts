import type { AutomationId } from '../../domain/automation.js';
import type {
  Audited,
  CursorQuery,
  ReportClosing,
  ReportOutcome,
  ReportQuery,
  ReportRepository,
} from '../../domain/ports.js';
import { MAX_OPEN_REPORTS, reportedAutomations, type Report, type ReportedAutomation } from '../../domain/report.js';
import { InMemoryAuditLog } from './audit-log.js';

/** Reports in a list; a process's own, and gone with it. */
export class InMemoryReportRepository implements ReportRepository {
  #reports: readonly Report[] = [];
  readonly #refused = new Set<string>();

  /** Takes the log that gets the entries of the audit. */
  constructor(private readonly auditLog = new InMemoryAuditLog()) {}

  async add({ report, entries }: Audited & { readonly report: Report }): Promise<ReportOutcome> {
    const { automationId, developerId } = report;
    const open = this.#reports.filter((one) => one.automationId === automationId && isOpen(one));
    if (developerId !== undefined && open.some((one) => one.developerId === developerId)) return 'repeated';
    if (open.length >= MAX_OPEN_REPORTS) return 'full';
    this.#reports = [...this.#reports, copyOf(report)];
    await this.auditLog.append(entries);
    return 'stored';
  }

  async listReported({ limit, before }: CursorQuery<AutomationId>): Promise<readonly ReportedAutomation[]> {
    const open = this.#reports.filter((one) => isOpen(one) && isBefore(one.automationId, before));
    const ordered = open.sort((one, other) => (one.automationId < other.automationId ? 1 : -1));
    return reportedAutomations(ordered).slice(0, limit);
  }

  async list({ automationId, limit, before }: ReportQuery): Promise<readonly Report[]> {
    const all = this.#reports.filter((one) => one.automationId === automationId && isBefore(one.id, before));
    const ordered = all.sort((one, other) => (one.id < other.id ? 1 : -1));
    return ordered.slice(0, limit).map(copyOf);
  }

  async close(id: AutomationId, { at, decision, refusedFile, entries }: ReportClosing): Promise<number> {
    const closed = this.#change(
      (one) => one.automationId === id && isOpen(one),
      (one) => ({ ...one, closedAt: at, decision }),
    );
    if (closed === 0) return 0;
    if (refusedFile !== undefined) this.#refused.add(refusedFile);
    await this.auditLog.append(entries);
    return closed;
  }

  async isRefused(sha256: string): Promise<boolean> {
    return this.#refused.has(sha256);
  }

  async removeClosed(asOf: Date): Promise<number> {
    const before = this.#reports.length;
    this.#reports = this.#reports.filter(({ closedAt }) => closedAt === undefined || closedAt > asOf);
    return before - this.#reports.length;
  }

  async removeAddresses(asOf: Date): Promise<number> {
    return this.#change(
      ({ at, address }) => address !== undefined && at <= asOf,
      ({ address: _removed, ...others }) => others,
    );
  }

  /** Changes every report that is meant, and returns how many. */
  #change(isMeant: (report: Report) => boolean, change: (report: Report) => Report): number {
    const meant = new Set(this.#reports.filter(isMeant));
    this.#reports = this.#reports.map((one) => (meant.has(one) ? copyOf(change(one)) : one));
    return meant.size;
  }
}

function isOpen({ closedAt }: Report): boolean {
  return closedAt === undefined;
}

function isBefore(id: string, before: string | undefined): boolean {
  return before === undefined || id < before;
}

function copyOf(report: Report): Report {
  const { at, closedAt } = report;
  return Object.freeze({ ...report, at: new Date(at), ...(closedAt && { closedAt: new Date(closedAt) }) });
}
