import { requireOperator, requirePerson, type Operator, type Origin, type Person } from '../domain/access.js';
import type { AuditAction } from '../domain/audit.js';
import { automationId, type AutomationId } from '../domain/automation.js';
import { DomainError } from '../domain/errors.js';
import { parseSha256 } from '../domain/file.js';
import { newPage } from '../domain/page.js';
import type { ArchivedAutomation, ReportOutcome, ReportRepository, Storage } from '../domain/ports.js';
import {
  parseReport,
  type Report,
  type ReportDecision,
  type ReportedAutomation,
  type ReportId,
  type UncheckedReport,
} from '../domain/report.js';
import { Context, type ContextOptions } from './context.js';
import { beforeOf, cursorPage, type CursorPage, type CursorRequest } from './cursor-page.js';
import type { Marketplace } from './marketplace.js';

/** A visitor who is not signed in. */
export interface Visitor {
  readonly isVisitor: true;
  readonly origin?: Origin | undefined;
}

/** An automation with open reports. */
export interface ReportedRow extends Pick<ReportedAutomation, 'count' | 'kinds'> {
  readonly id: AutomationId;
  /** Undefined in a store that has lost it. */
  readonly archived: ArchivedAutomation | undefined;
}

/** An automation with a part of its reports, newest first. */
export interface ReportedDetails extends CursorPage<Report> {
  readonly archived: ArchivedAutomation;
}

/** Why an automation is withdrawn. Its developer reads the reason, and never who reported it. */
export interface UpheldReports {
  readonly reason: string;
  /** The SHA-256 of a file that is refused for everyone from now on. */
  readonly refusedFile?: string | undefined;
}

/** The parts of one store that reports need. */
export interface ReportPorts extends Pick<Storage, 'automations' | 'archive'> {
  readonly reports: ReportRepository;
}

/** Reports of automations, and what operators do about them. */
export class Reports {
  readonly #context: Context;

  /** Uses a store, and the marketplace that withdraws. */
  constructor(
    private readonly ports: ReportPorts,
    private readonly marketplace: Pick<Marketplace, 'withdrawAutomation'>,
    options: ContextOptions = {},
  ) {
    this.#context = new Context(options);
  }

  /**
   * Reports an automation on sale, once for each account. Fails as `not-found`, or as `invalid` with every broken rule.
   */
  async report(by: Person | Visitor, id: string, unchecked: UncheckedReport): Promise<ReportOutcome> {
    const developerId = isVisitor(by) ? undefined : personId(by);
    const content = parseReport(unchecked);
    const known = automationId(id);
    if (known === undefined || (await this.ports.automations.find(known)) === undefined) throw noSuchAutomation();
    const { now, newId } = this.#context;
    const { address, requestId } = by.origin ?? {};
    const report: Report = {
      id: newId() as ReportId,
      automationId: known,
      ...content,
      at: now(),
      ...(developerId !== undefined && { developerId }),
      ...(address !== undefined && { address }),
    };
    const actor = developerId === undefined ? 'anonymous' : 'developer';
    const event = { actor, action: 'automation-reported', developerId, subject: known } as const;
    return this.ports.reports.add({ report, ...this.#context.auditedAs([event], { requestId }) });
  }

  /** Returns the automations with open reports, the newest automation first. Fails as `invalid`. */
  async list(by: Operator, request: CursorRequest = {}): Promise<CursorPage<ReportedRow>> {
    requireOperator(by);
    const { limit } = newPage({ limit: request.limit });
    const before = beforeOf(request) as AutomationId | undefined;
    const found = await this.ports.reports.listReported({ limit: limit + 1, before });
    const rows = found.map(async ({ automationId: id, count, kinds }) => {
      return { id, count, kinds, archived: await this.ports.archive.findAny(id) };
    });
    return cursorPage(await Promise.all(rows), limit);
  }

  /** Returns the reports of an automation, also of a withdrawn one. Fails as `not-found`, or as `invalid`. */
  async read(by: Operator, id: string, request: CursorRequest = {}): Promise<ReportedDetails> {
    requireOperator(by);
    const { limit } = newPage({ limit: request.limit });
    const known = automationId(id);
    const archived = known && (await this.ports.archive.findAny(known));
    if (archived === undefined) throw noSuchAutomation();
    const before = beforeOf(request) as ReportId | undefined;
    const query = { automationId: archived.automation.id, limit: limit + 1, before };
    return { archived, ...cursorPage(await this.ports.reports.list(query), limit) };
  }

  /** Closes every open report of an automation. Fails as `not-found` when there is none. */
  async dismiss(by: Operator, id: string): Promise<void> {
    requireOperator(by);
    if ((await this.#close(by, id, 'dismissed')) === 0) throw noSuchReport();
  }

  /**
   * Withdraws an automation, unless it is, and closes its open reports; with a file, this is refused for everyone.
   * Fails as `not-found`, also when no report is open: then nothing is withdrawn. Fails as `invalid`.
   */
  async uphold(by: Operator, id: string, { reason, refusedFile }: UpheldReports): Promise<void> {
    requireOperator(by);
    const sha256 = refusedFile === undefined ? undefined : parseSha256(refusedFile);
    if (!(await this.#hasOpen(id))) throw noSuchReport();
    await this.marketplace.withdrawAutomation(by, id, reason);
    const decision = sha256 === undefined ? 'withdrawn' : 'file-refused';
    if ((await this.#close(by, id, decision, sha256)) === 0) throw noSuchReport();
  }

  /** A closing leaves none open, so the newest reports tell. */
  async #hasOpen(id: string): Promise<boolean> {
    const known = automationId(id);
    const newest = known && (await this.ports.reports.list({ automationId: known, limit: NEWEST }));
    return newest?.some(({ closedAt }) => closedAt === undefined) === true;
  }

  async #close(by: Operator, id: string, decision: ReportDecision, refusedFile?: string): Promise<number> {
    const known = automationId(id);
    if (known === undefined) return 0;
    const { now } = this.#context;
    const audited = this.#context.audited(by, ACTIONS[decision], undefined, { subject: known });
    return this.ports.reports.close(known, {
      at: now(),
      decision,
      ...(refusedFile !== undefined && { refusedFile }),
      ...audited,
    });
  }
}

/** More than one, since the clocks of two processes may differ. */
const NEWEST = 25;

const ACTIONS: Readonly<Record<ReportDecision, AuditAction>> = {
  dismissed: 'reports-dismissed',
  withdrawn: 'reports-upheld',
  'file-refused': 'file-refused',
};

function isVisitor(by: Person | Visitor): by is Visitor {
  return (by as Partial<Visitor> | undefined)?.isVisitor === true;
}

function personId(by: Person): Person['developerId'] {
  requirePerson(by);
  return by.developerId;
}

function noSuchAutomation(): DomainError {
  return new DomainError('not-found', 'no-such-automation', 'there is no automation with this id');
}

function noSuchReport(): DomainError {
  return new DomainError('not-found', 'no-such-report', 'this automation has no open report any more');
}
