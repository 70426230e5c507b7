import { ObjectId, type Db, type Filter, type FindOptions, type Sort } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import { endOf, type ApiKey, type ApiKeyId } from '../../domain/api-key.js';
import { DomainError } from '../../domain/errors.js';
import type { ApiKeyQuery, ApiKeyRepository, CursorQuery, EndedKeyQuery } from '../../domain/ports.js';
import { READ, READ_ALL, reading, WRITE, writing } from './commands.js';
import { collectionsOf, type Collections } from './collections.js';
import { type ApiKeyDocument } from './documents.js';
import { isDuplicate } from './failures.js';

/**
 * API keys in MongoDB, by their hashes. A key that replaces another is stored first and is not valid yet: it names its
 * predecessor. It is valid from the update of the predecessor that names it as a successor. So both happen, or neither,
 * also when the process is killed between the two.
 */
export class MongoApiKeyRepository implements ApiKeyRepository {
  readonly #keys: Collections['apiKeys'];

  /**
   * Over a database that `prepareMongo` has prepared, without which it refuses to write. Its client is not closed.
   * @throws TypeError when the driver is not 7.
   */
  constructor(private readonly db: Db) {
    this.#keys = collectionsOf(db).apiKeys;
  }

  add(key: ApiKey): Promise<void> {
    return writing(this.db, (again) => this.#insert(documentOf(key), again));
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
    const documents = await this.#findAll({ developer_id: developerId, ends_at: { $gt: at } });
    return (await this.#valid(documents)).map(apiKeyOf);
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

  async replace(id: ApiKeyId, successor: ApiKey, until: Date): Promise<boolean> {
    const replaceable = { _id: id, revoked_at: { $exists: false } };
    const replaced = { $min: { expires_at: until, ends_at: until }, $addToSet: { successors: successor.id } };
    return writing(this.db, async (again) => {
      if ((await this.#keys.findOne(replaceable, { ...READ, projection: { _id: 1 } })) === null) return false;
      await this.#insert({ ...documentOf(successor), predecessor: id }, again);
      const { matchedCount } = await this.#keys.updateOne(replaceable, replaced, WRITE);
      if (matchedCount > 0) await this.#keys.updateOne({ _id: successor.id }, { $unset: { predecessor: '' } }, WRITE);
      else if (!again) await this.#keys.deleteOne({ _id: successor.id, predecessor: id }, WRITE);
      return matchedCount > 0;
    });
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

  /**
   * Makes the successors of keys that are removed certain first: they are valid only as long as their predecessor names
   * them.
   */
  async removeEnded(asOf: Date): Promise<number> {
    const successors = await this.#valid(await this.#findAll({ predecessor: { $exists: true } }));
    const ids = successors.map(({ _id }) => _id);
    return writing(this.db, async () => {
      const settled = { $unset: { predecessor: '' } } as const;
      if (ids.length > 0) await this.#keys.updateMany({ _id: { $in: ids } }, settled, WRITE);
      return (await this.#keys.deleteMany({ ends_at: { $lte: asOf } }, WRITE)).deletedCount;
    });
  }

  /** Returns a part of a list. Reads on for those that never came to be. */
  async #part<Query extends CursorQuery<ApiKeyId>>(
    query: Query,
    sort: Sort,
    filterOf: (query: Query, last: ApiKeyDocument | undefined) => Filter<ApiKeyDocument>,
  ): Promise<readonly ApiKey[]> {
    const { before, limit } = query;
    const known = before === undefined ? undefined : await this.#findAll({ _id: before });
    if (known?.length === 0) return [];
    const documents = await this.#findAll(filterOf(query, known?.[0]), { sort, limit });
    const valid = await this.#valid(documents);
    const [last, missing] = [documents.at(-1), documents.length - valid.length];
    const keys = valid.map(apiKeyOf);
    if (last === undefined || missing === 0 || documents.length < limit) return keys;
    return [...keys, ...(await this.#part({ ...query, before: last._id, limit: missing }, sort, filterOf))];
  }

  async #count(filter: Filter<ApiKeyDocument>): Promise<number> {
    const [count, uncertain] = await Promise.all([
      reading((signal) => this.#keys.countDocuments(filter, { ...READ, signal })),
      this.#findAll({ predecessor: { $exists: true }, ...filter }),
    ]);
    return count - uncertain.length + (await this.#valid(uncertain)).length;
  }

  #findAll(filter: Filter<ApiKeyDocument>, options: FindOptions = {}): Promise<readonly ApiKeyDocument[]> {
    return reading((signal) => this.#keys.find(filter, { ...READ_ALL, ...options, signal }).toArray());
  }

  async #valid(documents: readonly ApiKeyDocument[]): Promise<readonly ApiKeyDocument[]> {
    const valid = await Promise.all(documents.map((document) => this.#isValid(document)));
    return documents.filter((_, index) => valid[index]);
  }

  async #findOne(filter: Filter<ApiKeyDocument>): Promise<ApiKey | undefined> {
    const document = await reading((signal) => this.#keys.findOne(filter, { ...READ, signal }));
    return document !== null && (await this.#isValid(document)) ? apiKeyOf(document) : undefined;
  }

  async #isValid({ _id, predecessor }: ApiKeyDocument): Promise<boolean> {
    if (predecessor === undefined) return true;
    const named = { _id: predecessor, successors: _id };
    return (await reading((signal) => this.#keys.findOne(named, { ...READ, signal }))) !== null;
  }

  /** Tried again after a try without an answer, the key may be there already. */
  async #insert(document: ApiKeyDocument, again: boolean): Promise<void> {
    try {
      await this.#keys.insertOne(document, WRITE);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const { _id, hash } = document;
      if (again && (await reading((signal) => this.#keys.findOne({ _id, hash }, { ...READ, signal }))) !== null) return;
      throw new DomainError('conflict', 'duplicate-key', 'an API key has this id or this hash already');
    }
  }
}

function documentOf(key: ApiKey): ApiKeyDocument {
  return {
    _id: key.id,
    position: new ObjectId(),
    hash: key.hash,
    prefix: key.prefix,
    developer_id: key.developerId,
    name: key.name,
    scopes: [...key.scopes],
    created_at: key.createdAt,
    ...(key.lifetime !== undefined && { lifetime: key.lifetime }),
    ...(key.expiresAt && { expires_at: key.expiresAt }),
    ...(key.lastUsedAt && { last_used_at: key.lastUsedAt }),
    ...(key.revokedAt && { revoked_at: key.revokedAt }),
    ends_at: new Date(Math.min(endOf(key), LAST_TIME_MS)),
  };
}

/** The last time that JavaScript knows. */
const LAST_TIME_MS = 8_640_000_000_000_000;

function apiKeyOf(document: ApiKeyDocument): ApiKey {
  return {
    id: document._id,
    hash: document.hash,
    prefix: document.prefix,
    developerId: document.developer_id,
    name: document.name,
    scopes: document.scopes,
    createdAt: document.created_at,
    ...(document.lifetime !== undefined && { lifetime: document.lifetime }),
    ...(document.expires_at && { expiresAt: document.expires_at }),
    ...(document.last_used_at && { lastUsedAt: document.last_used_at }),
    ...(document.revoked_at && { revokedAt: document.revoked_at }),
  };
}
