import { ObjectId, type ClientSession, type Db, type Filter, type FindOptions, type Sort } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import { endOf, type ApiKey, type ApiKeyId } from '../../domain/api-key.js';
import { DomainError } from '../../domain/errors.js';
import type { ApiKeyQuery, ApiKeyRepository, CursorQuery, EndedKeyQuery } from '../../domain/ports.js';
import { collectionsOf, type Collections, type ApiKeyDocument } from './collections.js';
import { READ, READ_ALL, reading, WRITE, writing } from './commands.js';
import { documentOfEntity, entityOf } from './documents.js';
import { isDuplicate } from './failures.js';
import { transaction } from './transactions.js';

/** API keys in MongoDB, by their hashes. */
export class MongoApiKeyRepository implements ApiKeyRepository {
  readonly #keys: Collections['apiKeys'];

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(private readonly db: Db) {
    this.#keys = collectionsOf(db).apiKeys;
  }

  add(key: ApiKey): Promise<void> {
    return transaction(this.db, (session) => this.#insert(documentOf(key), session)).catch(refuse);
  }

  find(id: ApiKeyId): Promise<ApiKey | undefined> {
    return this.#findOne({ _id: id });
  }

  findByHash(hash: string): Promise<ApiKey | undefined> {
    return this.#findOne({ hash });
  }

  list(query: ApiKeyQuery): Promise<readonly ApiKey[]> {
    return this.#part(query, { position: -1 }, ({ developerId }, last) => ({
      ...(developerId !== undefined && { developer_id: developerId }),
      ...(last && { position: { $lt: last.position } }),
    }));
  }

  async listActive(developerId: DeveloperId, at: Date): Promise<readonly ApiKey[]> {
    return (await this.#findAll({ developer_id: developerId, ends_at: { $gt: at } })).map(apiKeyOf);
  }

  countActive(developerId: DeveloperId, at: Date): Promise<number> {
    return this.#count({ developer_id: developerId, ends_at: { $gt: at } });
  }

  listEnded(query: EndedKeyQuery): Promise<readonly ApiKey[]> {
    return this.#part(query, { ends_at: -1, position: -1 }, ({ developerId, asOf }, last) => ({
      developer_id: developerId,
      ends_at: { $lte: last === undefined || last.ends_at > asOf ? asOf : last.ends_at },
      ...(last && { $or: [{ ends_at: { $lt: last.ends_at } }, { position: { $lt: last.position } }] }),
    }));
  }

  countEnded(developerId: DeveloperId, asOf: Date): Promise<number> {
    return this.#count({ developer_id: developerId, ends_at: { $lte: asOf } });
  }

  replace(id: ApiKeyId, successor: ApiKey, until: Date): Promise<boolean> {
    const replaceable = { _id: id, revoked_at: { $exists: false } };
    const sooner = { $min: { expires_at: until, ends_at: until } };
    return transaction(this.db, async (session) => {
      const { matchedCount } = await this.#keys.updateOne(replaceable, sooner, { ...WRITE, session });
      if (matchedCount > 0) await this.#insert(documentOf(successor), session);
      return matchedCount > 0;
    }).catch(refuse);
  }

  async revoke(id: ApiKeyId, at: Date): Promise<boolean> {
    const first = [
      { $set: { revoked_at: { $ifNull: ['$revoked_at', at] } } },
      { $set: { ends_at: { $min: ['$ends_at', '$revoked_at'] } } },
    ];
    const { matchedCount } = await writing(this.db, () => this.#keys.updateOne({ _id: id }, first, WRITE));
    return matchedCount > 0;
  }

  async rename(id: ApiKeyId, name: string): Promise<boolean> {
    const named = { $set: { name } };
    const { matchedCount } = await writing(this.db, () => this.#keys.updateOne({ _id: id }, named, WRITE));
    return matchedCount > 0;
  }

  async noteUse(id: ApiKeyId, at: Date): Promise<void> {
    const used = { $max: { last_used_at: at } };
    await writing(this.db, () => this.#keys.updateOne({ _id: id }, used, WRITE));
  }

  async removeEnded(asOf: Date): Promise<number> {
    return (await writing(this.db, () => this.#keys.deleteMany({ ends_at: { $lte: asOf } }, WRITE))).deletedCount;
  }

  /** Returns a part of a list. */
  async #part<Query extends CursorQuery<ApiKeyId>>(
    query: Query,
    sort: Sort,
    filterOf: (query: Query, last: ApiKeyDocument | undefined) => Filter<ApiKeyDocument>,
  ): Promise<readonly ApiKey[]> {
    const { before, limit } = query;
    const known = before === undefined ? undefined : await this.#findAll({ _id: before });
    if (known?.length === 0) return [];
    return (await this.#findAll(filterOf(query, known?.[0]), { sort, limit })).map(apiKeyOf);
  }

  #count(filter: Filter<ApiKeyDocument>): Promise<number> {
    return reading((signal) => this.#keys.countDocuments(filter, { ...READ, signal }));
  }

  #findAll(filter: Filter<ApiKeyDocument>, options: FindOptions = {}): Promise<readonly ApiKeyDocument[]> {
    return reading((signal) => this.#keys.find(filter, { ...READ_ALL, ...options, signal }).toArray());
  }

  async #findOne(filter: Filter<ApiKeyDocument>): Promise<ApiKey | undefined> {
    const document = await reading((signal) => this.#keys.findOne(filter, { ...READ, signal }));
    return document === null ? undefined : apiKeyOf(document);
  }

  async #insert(document: ApiKeyDocument, session: ClientSession): Promise<void> {
    await this.#keys.insertOne(document, { ...WRITE, session });
  }
}

/** Throws that the key is a duplicate in place of an error that says so. */
function refuse(error: unknown): never {
  if (!isDuplicate(error)) throw error;
  throw new DomainError('conflict', 'duplicate-key', 'an API key has this id or this hash already');
}

/** The last time that JavaScript knows. */
const LAST_TIME_MS = 8_640_000_000_000_000;

function documentOf(key: ApiKey): ApiKeyDocument {
  const ends_at = new Date(Math.min(endOf(key), LAST_TIME_MS));
  return { ...documentOfEntity(key), position: new ObjectId(), ends_at } as ApiKeyDocument;
}

function apiKeyOf(document: ApiKeyDocument): ApiKey {
  return entityOf(document, ['position', 'ends_at']) as ApiKey;
}
