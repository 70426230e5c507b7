import type { Db, Filter } from 'mongodb';
import type { AuditEntry, AuditEntryId } from '../../domain/audit.js';
import type { AutomationId } from '../../domain/automation.js';
import type { ArchivedAutomation, AutomationArchive, ScanQuery } from '../../domain/ports.js';
import { READ, READ_ALL, reading, WRITE, writing } from './commands.js';
import { collectionsOf, type Collections } from './collections.js';
import { archivedOf, auditEntryOf, uuid, withoutMembers, CONTENT, type AutomationDocument } from './documents.js';

/** Automations in MongoDB, also withdrawn ones, in the order of their numbers. */
export class MongoAutomationArchive implements AutomationArchive {
  readonly #automations: Collections['automations'];

  /**
   * Over a database that `prepareMongo` has prepared, without which it refuses to write. Its client is not closed.
   * @throws TypeError when the driver is not 7.
   */
  constructor(private readonly db: Db) {
    this.#automations = collectionsOf(db).automations;
  }

  scan(query: ScanQuery): Promise<readonly ArchivedAutomation[]> {
    const { developerId, order, after, limit } = query;
    const isForward = order === 'oldest-first';
    return reading(async (signal) => {
      const owner = developerId === undefined ? {} : { developer_id: developerId };
      const known =
        after &&
        (await this.#automations.findOne({ _id: uuid(after), ...owner }, { ...READ, projection: { seq: 1 }, signal }));
      if (known === null) return [];
      const rest = known && { seq: isForward ? { $gt: known.seq } : { $lt: known.seq } };
      const documents = await this.#automations
        .find({ ...owner, ...filterOf(query), ...rest }, { ...READ_ALL, projection: CONTENT, signal })
        .sort({ seq: isForward ? 1 : -1 })
        .limit(limit)
        .toArray();
      return documents.map(archivedOf);
    });
  }

  async findAny(id: AutomationId): Promise<ArchivedAutomation | undefined> {
    const document = await reading((signal) => this.#automations.findOne({ _id: uuid(id) }, { ...WHOLE, signal }));
    return document === null ? undefined : archivedOf(document);
  }

  async pendingAudit(limit: number): Promise<readonly AuditEntry[]> {
    const options = { ...READ_ALL, projection: { audit: 1 }, limit };
    const documents = await reading((signal) => this.#automations.find(PENDING, { ...options, signal }).toArray());
    return documents.flatMap(({ audit = [] }) => audit.map(auditEntryOf)).slice(0, limit);
  }

  async clearAudit(ids: readonly AuditEntryId[]): Promise<void> {
    if (ids.length === 0) return;
    const filter = { ...PENDING, 'audit._id': { $in: [...ids] } };
    const change = withoutMembers('audit', '_id', ids);
    await writing(this.db, () => this.#automations.updateMany(filter, change, WRITE));
  }
}

const WHOLE = { ...READ, projection: CONTENT };
/** With a condition on the key of the index, as otherwise it is not used. */
const PENDING = { audit: { $exists: true }, 'audit._id': { $exists: true } };

/** A placeholder is not on sale and not withdrawn. */
function filterOf({ status }: ScanQuery): Filter<AutomationDocument> {
  if (status === 'on-sale') return { on_sale: true };
  if (status === 'withdrawn') return { on_sale: { $exists: false }, withdrawn_at: { $exists: true } };
  return { created_at: { $exists: true } };
}
