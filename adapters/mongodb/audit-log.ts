import type { ClientSession, Db } from 'mongodb';
import type { AuditEntry, AuditEntryId } from '../../domain/audit.js';
import { BatchQueue } from '../../domain/batch-queue.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import { collectionsOf, type AuditDocument, type Collections } from './documents.js';
import { isDuplicate } from './failures.js';
import { AT_ONCE, reading, transacting, WITHIN } from './operations.js';

/** Entries of several calls that go together at most. */
const MAX_BATCH_SIZE = 1_000;

/**
 * The audit in MongoDB. Each entry has the next position, which a unique index keeps for one alone: of two processes
 * that append at once one waits for the other. So positions have no gaps, and who sees one sees all before it.
 */
export class MongoAuditLog implements AuditLog {
  readonly #audit: Collections['audit'];
  /** One after the other: a process that waits for itself gains nothing. */
  readonly #appends = new BatchQueue<readonly AuditEntry[], undefined>((calls) => this.#append(calls), MAX_BATCH_SIZE, {
    sizeOf: ({ length }) => length,
  });
  /** The position at which the last append of this process ended. */
  #last: number | undefined;
  /** Whether only this process has appended recently. */
  #isAlone = false;

  /** Over a database that `prepareMongo` has prepared; its client stays its maker's to close. */
  constructor(private readonly db: Db) {
    this.#audit = collectionsOf(db).audit;
  }

  async append(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length > 0) await this.#appends.ask(entries.map((entry) => ({ ...entry, at: new Date(entry.at) })));
  }

  async list({ developerId, limit, before }: AuditQuery): Promise<readonly AuditEntry[]> {
    return reading(async (signal) => {
      const known = before && (await this.#audit.findOne({ _id: before }, { ...WITHIN, signal }));
      if (known === null) return [];
      const filter = {
        ...(developerId && { developer_id: developerId }),
        ...(known && { position: { $lt: known.position } }),
      };
      const documents = await this.#audit
        .find(filter, { ...AT_ONCE, signal })
        .sort({ position: -1 })
        .limit(limit)
        .toArray();
      return documents.map(entryOf);
    });
  }

  async #append(calls: readonly (readonly AuditEntry[])[]): Promise<readonly undefined[]> {
    const entries = calls.flat();
    try {
      await this.#store(entries);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      await this.#store(entries, true);
    }
    return calls.map(() => undefined);
  }

  /**
   * Where only this process appends, its own last position is the last of all and is not read. `someAreThere`: ids may
   * be taken.
   */
  async #store(entries: readonly AuditEntry[], someAreThere = false): Promise<void> {
    const own = this.#last;
    this.#last = undefined;
    this.#last = await transacting(this.db.client, async (session, again) => {
      const last = own !== undefined && this.#isAlone && !again ? own : await this.#readLast(session);
      this.#isAlone = last === own;
      const ids = someAreThere || again ? await this.#readIds(entries, session) : [];
      return this.#insert(entries, last, ids, session);
    });
  }

  async #readLast(session: ClientSession): Promise<number> {
    const [last] = await this.#audit
      .find({}, { ...WITHIN, session, projection: { position: 1 } })
      .sort({ position: -1 })
      .limit(1)
      .toArray();
    return last?.position ?? 0;
  }

  /** Those of the entries that are there already. */
  async #readIds(entries: readonly AuditEntry[], session: ClientSession): Promise<readonly AuditEntryId[]> {
    const filter = { _id: { $in: entries.map(({ id }) => id) } };
    const there = await this.#audit
      .find(filter, { ...WITHIN, session, projection: { _id: 1 }, batchSize: 10_000 })
      .toArray();
    return there.map(({ _id }) => _id);
  }

  /** An id that comes twice in the entries is new only the first time. Answers the last position. */
  async #insert(
    entries: readonly AuditEntry[],
    last: number,
    ids: readonly AuditEntryId[],
    session: ClientSession,
  ): Promise<number> {
    const known = new Set(ids);
    const documents = entries
      .filter(({ id }) => known.size < known.add(id).size)
      .map((entry, index) => documentOf(entry, last + index + 1));
    if (documents.length > 0) await this.#audit.insertMany(documents, { ...WITHIN, session });
    return last + documents.length;
  }
}

function documentOf(entry: AuditEntry, position: number): AuditDocument {
  const { id, at, actor, action, developerId, subject, address, requestId } = entry;
  return {
    _id: id,
    position,
    at,
    actor,
    action,
    ...(developerId !== undefined && { developer_id: developerId }),
    ...(subject !== undefined && { subject }),
    ...(address !== undefined && { address }),
    ...(requestId !== undefined && { request_id: requestId }),
  };
}

function entryOf(document: AuditDocument): AuditEntry {
  const { _id, at, actor, action, developer_id, subject, address, request_id } = document;
  return {
    id: _id,
    at,
    actor,
    action,
    ...(developer_id !== undefined && { developerId: developer_id }),
    ...(subject !== undefined && { subject }),
    ...(address !== undefined && { address }),
    ...(request_id !== undefined && { requestId: request_id }),
  };
}
