import type { Db } from 'mongodb';
import type { AuditEntry } from '../../domain/audit.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import { READ_ALL, reading, WRITE, writing } from './commands.js';
import { collectionsOf, type Collections } from './collections.js';
import { auditDocumentOf, auditEntryOf } from './documents.js';
import { duplicatesIn } from './failures.js';

/** The audit in MongoDB, in the order of the ids of its entries. */
export class MongoAuditLog implements AuditLog {
  readonly #audit: Collections['audit'];

  /**
   * Over a database that `prepareMongo` has prepared, without which it refuses to write. Its client is not closed.
   * @throws TypeError when the driver is not 7.
   */
  constructor(private readonly db: Db) {
    this.#audit = collectionsOf(db).audit;
  }

  /** An entry that is stored already is left as it is. */
  async append(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const documents = entries.map(auditDocumentOf);
    const insert = async () => this.#audit.insertMany(documents, { ...WRITE, ordered: false }).catch(duplicatesIn);
    await writing(this.db, insert);
  }

  async list({ developerId, limit, before }: AuditQuery): Promise<readonly AuditEntry[]> {
    const filter = {
      ...(developerId !== undefined && { developer_id: developerId }),
      ...(before !== undefined && { _id: { $lt: before } }),
    };
    const options = { ...READ_ALL, sort: { _id: -1 }, limit } as const;
    const documents = await reading((signal) => this.#audit.find(filter, { ...options, signal }).toArray());
    return documents.map(auditEntryOf);
  }
}
