import type { ClientSession, Db } from 'mongodb';
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
import { insertEntries } from './audit-log.js';
import { collectionsOf, type Collections, type ReportDocument } from './collections.js';
import { findAll, findOne, READ_ALL, WRITE, writing } from './commands.js';
import { documentOfEntity, entityOf } from './documents.js';
import { duplicateIn } from './failures.js';
import { lockById, QueueById } from './locks.js';
import { transaction } from './transactions.js';

/** Reports in MongoDB. What counts the open ones of an automation, or closes them, has locked it. */
export class MongoReportRepository implements ReportRepository {
  readonly #collections: Collections;
  readonly #reports: Collections['reports'];
  readonly #queue = new QueueById();

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(private readonly db: Db) {
    this.#collections = collectionsOf(db);
    this.#reports = this.#collections.reports;
  }

  add({ report, entries }: Audited & { readonly report: Report }): Promise<ReportOutcome> {
    const { automationId, developerId } = report;
    const isOpen = { automation_id: automationId, is_open: true } as const;
    return this.#locked(automationId, async (session) => {
      const open = await this.#reports
        .find(isOpen, { ...READ_ALL, projection: { developer_id: 1 }, session })
        .toArray();
      if (developerId !== undefined && open.some((one) => one.developer_id === developerId)) return 'repeated';
      if (open.length >= MAX_OPEN_REPORTS) return 'full';
      const document = { ...documentOfEntity(report), is_open: true } as ReportDocument;
      await this.#reports.insertOne(document, { ...WRITE, session });
      await insertEntries(this.#collections, entries, session);
      return 'stored';
    });
  }

  /** Reads the entries of an index alone, and as many as so many automations can have. */
  async listReported({ limit, before }: CursorQuery<AutomationId>): Promise<readonly ReportedAutomation[]> {
    const isOpen = { is_open: true, ...(before !== undefined && { automation_id: { $lt: before } }) } as const;
    const options = { sort: { automation_id: -1 }, limit: limit * MAX_OPEN_REPORTS, projection: COUNTED } as const;
    const open = await findAll(this.#reports, isOpen, options);
    const counted = open.map(({ automation_id: automationId, kind }) => ({ automationId, kind }));
    return reportedAutomations(counted).slice(0, limit);
  }

  async list({ automationId, limit, before }: ReportQuery): Promise<readonly Report[]> {
    const filter = { automation_id: automationId, ...(before !== undefined && { _id: { $lt: before } }) };
    const found = await findAll(this.#reports, filter, { sort: { _id: -1 }, limit });
    return found.map((document) => entityOf(document, ['is_open']) as Report);
  }

  close(id: AutomationId, { at, decision, refusedFile, entries }: ReportClosing): Promise<number> {
    const { refusedFiles } = this.#collections;
    const change = { $set: { closed_at: at, decision }, $unset: { is_open: '' } } as const;
    return this.#locked(id, async (session) => {
      const options = { ...WRITE, session };
      const isOpen = { automation_id: id, is_open: true } as const;
      const { modifiedCount } = await this.#reports.updateMany(isOpen, change, options);
      if (modifiedCount === 0) return 0;
      if (refusedFile !== undefined)
        await refusedFiles.updateOne({ _id: refusedFile }, { $setOnInsert: { at } }, { ...options, upsert: true });
      await insertEntries(this.#collections, entries, session);
      return modifiedCount;
    });
  }

  async isRefused(sha256: string): Promise<boolean> {
    return (await findOne(this.#collections.refusedFiles, { _id: sha256 })) !== null;
  }

  async removeClosed(asOf: Date): Promise<number> {
    const closed = { closed_at: { $lte: asOf } };
    return (await writing(this.db, () => this.#reports.deleteMany(closed, WRITE))).deletedCount;
  }

  async removeAddresses(asOf: Date): Promise<number> {
    const old = { address: { $exists: true }, at: { $lte: asOf } };
    const change = { $unset: { address: '' } } as const;
    return (await writing(this.db, () => this.#reports.updateMany(old, change, WRITE))).modifiedCount;
  }

  /** Two at once may both find no lock, or the same file not refused yet. The late one is done again. */
  #locked<Answer>(id: AutomationId, work: (session: ClientSession) => Promise<Answer>): Promise<Answer> {
    const isLate = (error: unknown) => /^(locks|refused_files)\./.test(duplicateIn(error) ?? '');
    const working = async (session: ClientSession) => {
      await lockById(this.#collections, id, session);
      return work(session);
    };
    return this.#queue.run(id, () => transaction(this.db, working, isLate));
  }
}

const COUNTED = { _id: 0, automation_id: 1, kind: 1 } as const;
