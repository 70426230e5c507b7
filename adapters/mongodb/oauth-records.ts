import type { ClientSession, Db, Document, Filter } from 'mongodb';
import { randomUUID } from 'node:crypto';
import type { DeveloperId } from '../../domain/access.js';
import type {
  Audited,
  OAuthRecord,
  OAuthRecordQuery,
  OAuthRecords,
  RecordAddition,
  RecordRemoval,
} from '../../domain/ports.js';
import { audited, insertEntries } from './audit-log.js';
import { collectionsOf, type Collections, type OAuthRecordDocument } from './collections.js';
import { count, findAll, findOne, READ, WRITE, writing } from './commands.js';
import { documentOfEntity, entityOf } from './documents.js';
import { duplicateIn } from './failures.js';
import { QueueById, lockById } from './locks.js';
import { transaction } from './transactions.js';

const LOT_SIZE = 500;

/** Records of the authorization server in MongoDB, by their kinds and ids. */
export class MongoOAuthRecords implements OAuthRecords {
  readonly #collections: Collections;
  readonly #records: Collections['oauthRecords'];
  readonly #queue = new QueueById();

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(private readonly db: Db) {
    this.#collections = collectionsOf(db);
    this.#records = this.#collections.oauthRecords;
  }

  /** Two at once may both find no record. The one that is too late is done again. */
  upsert(record: OAuthRecord): Promise<void> {
    const document = documentOf(record);
    return transaction(
      this.db,
      async (session) => {
        const options = { ...WRITE, upsert: true, session };
        await this.#records.updateOne({ _id: document._id }, replacementBy(document), options);
      },
      isLate,
    );
  }

  /** As `upsert`, one that is too late is done again. */
  add({ record, max, entries }: RecordAddition): Promise<boolean> {
    const { developerId } = record;
    const document = documentOf(record);
    const adding = () =>
      this.#audited(entries, async (session) => {
        if (max !== undefined && !(await this.#hasRoom(record, max, session))) return false;
        const options = { ...WRITE, upsert: true, session };
        await this.#records.updateOne({ _id: document._id }, replacementBy(document), options);
        return true;
      });
    return max === undefined ? adding() : this.#queue.run(developerId, adding);
  }

  replace(record: OAuthRecord, { from, entries }: Audited & { readonly from: string }): Promise<boolean> {
    const document = documentOf(record);
    const filter = { _id: document._id, content: from };
    return this.#audited(entries, async (session) => {
      const { matchedCount } = await this.#records.updateOne(filter, replacementBy(document), { ...WRITE, session });
      return matchedCount === 1;
    });
  }

  find(kind: string, id: string): Promise<OAuthRecord | undefined> {
    return this.#findOne({ _id: keyOf(kind, id) });
  }

  findByUid(kind: string, uid: string): Promise<OAuthRecord | undefined> {
    return this.#findOne({ uid, ...ofKind(kind) });
  }

  findByUserCode(kind: string, userCode: string): Promise<OAuthRecord | undefined> {
    return this.#findOne({ user_code: userCode, ...ofKind(kind) });
  }

  async list({ kind, developerId, limit, before }: OAuthRecordQuery): Promise<readonly OAuthRecord[]> {
    const filter = { ...(developerId !== undefined && { developer_id: developerId }), ...ofKind(kind, before) };
    const options = { sort: { _id: -1 }, limit } as const;
    return (await findAll(this.#records, filter, options)).map(recordOf);
  }

  count(kind: string, developerId: DeveloperId): Promise<number> {
    return count(this.#records, { developer_id: developerId, ...ofKind(kind) });
  }

  /** May be repeated, since the record tells which call has used it up. */
  async consume(kind: string, id: string, at: Date): Promise<boolean> {
    const by = randomUUID();
    const change = [{ $set: { consumed: { $ifNull: ['$consumed', { at, by }] } } }];
    const options = { ...WRITE, returnDocument: 'after', projection: { consumed: 1 } } as const;
    const update = () => this.#records.findOneAndUpdate({ _id: keyOf(kind, id) }, change, options);
    return (await writing(this.db, update))?.consumed?.by === by;
  }

  async destroy({ kind, id, entries }: RecordRemoval): Promise<boolean> {
    return (await this.#remove({ _id: keyOf(kind, id) }, entries)) > 0;
  }

  revokeByGrantId(grantId: string): Promise<number> {
    return this.#removeAll({ grant_id: grantId });
  }

  revokeByClientId({ clientId, entries }: Audited & { readonly clientId: string }): Promise<number> {
    return this.#removeAll({ client_id: clientId }, entries);
  }

  removeExpired(asOf: Date): Promise<number> {
    return this.#removeAll({ expires_at: { $lte: asOf } });
  }

  async #findOne(filter: Filter<OAuthRecordDocument>): Promise<OAuthRecord | undefined> {
    const document = await findOne(this.#records, filter);
    return document === null ? undefined : recordOf(document);
  }

  /**
   * Removes what matches in lots, since a transaction has room for some 40,000 records. A record that was found may be
   * stored again before it is removed: it has to match then, too.
   */
  async #removeAll(filter: Filter<OAuthRecordDocument>, entries: Audited['entries'] = []): Promise<number> {
    for (let total = 0; ;) {
      const some = await findAll(this.#records, filter, { projection: { _id: 1 }, limit: LOT_SIZE });
      const found = { ...filter, _id: { $in: some.map(({ _id }) => _id) } };
      total += await this.#remove(found, total === 0 ? entries : []);
      if (some.length < LOT_SIZE) return total;
    }
  }

  /** Removes in a transaction, so that the answer is known also after the connection was lost. */
  #remove(filter: Filter<OAuthRecordDocument>, entries: Audited['entries']): Promise<number> {
    return transaction(this.db, async (session) => {
      const { deletedCount } = await this.#records.deleteMany(filter, { ...WRITE, session });
      if (deletedCount > 0) await insertEntries(this.#collections, entries, session);
      return deletedCount;
    });
  }

  /** Does a change with its entries. One that is too late is done again. */
  #audited(entries: Audited['entries'], change: (session: ClientSession) => Promise<boolean>): Promise<boolean> {
    return audited(this.db, entries, change, isLate);
  }

  async #hasRoom({ kind, developerId }: RecordAddition['record'], max: number, session: ClientSession) {
    await lockById(this.#collections, developerId, session);
    const own = { developer_id: developerId, ...ofKind(kind) };
    return (await this.#records.countDocuments(own, { ...READ, session })) < max;
  }
}

/** Returns whether another one has made the same record, or the lock of its developer. The next try finds it. */
function isLate(error: unknown): boolean {
  return /^(oauth_records|locks)\./.test(duplicateIn(error) ?? '');
}

/** Neither a kind nor an id has a blank. */
const BLANK = ' ';
/** The character after the blank. */
const NEXT = '!';

function keyOf(kind: string, id: string): string {
  return kind + BLANK + id;
}

/** Returns the filter for the records of a kind; with `before`, for those whose id is lower. */
function ofKind(kind: string, before?: string): Filter<OAuthRecordDocument> {
  return { _id: { $gt: kind + BLANK, $lt: before === undefined ? kind + NEXT : keyOf(kind, before) } };
}

function documentOf({ kind, id, consumedAt: _ignored, ...content }: OAuthRecord): OAuthRecordDocument {
  return documentOfEntity({ id: keyOf(kind, id), ...content }) as OAuthRecordDocument;
}

/** Returns the change to this document, which keeps whether the record was consumed. */
function replacementBy(document: OAuthRecordDocument): Document[] {
  return [{ $replaceWith: { $mergeObjects: [{ $literal: document }, { consumed: '$consumed' }] } }];
}

function recordOf(document: OAuthRecordDocument): OAuthRecord {
  const { id: key, ...content } = entityOf(document, ['consumed']) as Omit<OAuthRecord, 'kind'>;
  const [kind = '', id = ''] = key.split(BLANK);
  return { kind, id, ...content, ...(document.consumed && { consumedAt: document.consumed.at }) };
}
