import type { ClientSession, Db } from 'mongodb';
import type { AuditEntry } from '../../domain/audit.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import { collectionsOf, type AuditDocument, type Collections } from './collections.js';
import { findAll, WRITE, writing } from './commands.js';
import { documentOfEntity, entityOf } from './documents.js';
import { onlyDuplicates } from './failures.js';
import { transaction } from './transactions.js';

/** The audit in MongoDB, in the order of the ids of its entries. */
export class MongoAuditLog implements AuditLog {
  readonly #audit: Collections['audit'];

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(private readonly db: Db) {
    this.#audit = collectionsOf(db).audit;
  }

  /** An entry that is stored already is left as it is. */
  async append(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const documents = entries.map(auditDocumentOf);
    const options = { ...WRITE, ordered: false };
    await writing(this.db, () => this.#audit.insertMany(documents, options).catch(onlyDuplicates));
  }

  async list({ developerId, limit, before, after }: AuditQuery): Promise<readonly AuditEntry[]> {
    const range = { ...(before !== undefined && { $lt: before }), ...(after !== undefined && { $gt: after }) };
    const filter = {
      ...(developerId !== undefined && { developer_id: developerId }),
      ...(Object.keys(range).length > 0 && { _id: range }),
    };
    const options = { sort: { _id: after === undefined ? -1 : 1 }, limit } as const;
    return (await findAll(this.#audit, filter, options)).map((document) => entityOf(document) as AuditEntry);
  }
}

/** Does a change in a transaction, and stores its entries with it when it returns true. `again`: see `transaction`. */
export function audited(
  db: Db,
  entries: readonly AuditEntry[],
  change: (session: ClientSession) => Promise<boolean>,
  again?: (error: unknown) => boolean,
): Promise<boolean> {
  const changing = async (session: ClientSession) => {
    const isChanged = await change(session);
    if (isChanged) await insertEntries(collectionsOf(db), entries, session);
    return isChanged;
  };
  return transaction(db, changing, again);
}

/** Stores entries in the transaction of what they tell. */
export async function insertEntries(
  { audit }: Collections,
  entries: readonly AuditEntry[],
  session: ClientSession,
): Promise<void> {
  if (entries.length > 0) await audit.insertMany(entries.map(auditDocumentOf), { ...WRITE, session });
}

function auditDocumentOf(entry: AuditEntry): AuditDocument {
  return documentOfEntity(entry) as AuditDocument;
}
