import type { ClientSession, Db } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import type { AuditEntry, AuditEntryId } from '../../domain/audit.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import type { Role } from '../../domain/role.js';
import { READ_ALL, reading, WRITE, writing } from './commands.js';
import { collectionsOf, type Collections } from './collections.js';
import { onlyDuplicates } from './failures.js';

export interface AuditDocument {
  _id: AuditEntryId;
  at: Date;
  actor: AuditEntry['actor'];
  action: AuditEntry['action'];
  developer_id?: DeveloperId;
  operator_id?: DeveloperId;
  subject?: NonNullable<AuditEntry['subject']>;
  role?: Role;
  changed?: NonNullable<AuditEntry['changed']>;
  counts?: NonNullable<AuditEntry['counts']>;
  address?: string;
  request_id?: string;
}

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
    const options = { ...WRITE, ordered: false };
    await writing(this.db, () => this.#audit.insertMany(documents, options).catch(onlyDuplicates));
  }

  async list({ developerId, limit, before, after }: AuditQuery): Promise<readonly AuditEntry[]> {
    const range = { ...(before !== undefined && { $lt: before }), ...(after !== undefined && { $gt: after }) };
    const filter = {
      ...(developerId !== undefined && { developer_id: developerId }),
      ...(Object.keys(range).length > 0 && { _id: range }),
    };
    const options = { ...READ_ALL, sort: { _id: after === undefined ? -1 : 1 }, limit } as const;
    const documents = await reading((signal) => this.#audit.find(filter, { ...options, signal }).toArray());
    return documents.map(auditEntryOf);
  }
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
  const { id, at, actor, action, developerId, operatorId, subject, role, changed, counts, address, requestId } = entry;
  return {
    _id: id,
    at,
    actor,
    action,
    ...(developerId !== undefined && { developer_id: developerId }),
    ...(operatorId !== undefined && { operator_id: operatorId }),
    ...(subject !== undefined && { subject }),
    ...(role !== undefined && { role }),
    ...(changed !== undefined && { changed }),
    ...(counts !== undefined && { counts }),
    ...(address !== undefined && { address }),
    ...(requestId !== undefined && { request_id: requestId }),
  };
}

function auditEntryOf(document: AuditDocument): AuditEntry {
  const { _id: id, developer_id: developerId, operator_id: operatorId, request_id: requestId, ...rest } = document;
  return {
    id,
    ...rest,
    ...(developerId !== undefined && { developerId }),
    ...(operatorId !== undefined && { operatorId }),
    ...(requestId !== undefined && { requestId }),
  };
}
