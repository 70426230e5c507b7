import { ObjectId, type ClientSession, type Db, type Filter, type Sort } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import { endOf, tooManyKeys, type ApiKey, type ApiKeyId } from '../../domain/api-key.js';
import { DomainError } from '../../domain/errors.js';
import type {
  ApiKeyQuery,
  ApiKeyRepository,
  Audited,
  CursorQuery,
  EndedKeyQuery,
  KeyAddition,
  KeyReplacement,
} from '../../domain/ports.js';
import { audited, insertEntries } from './audit-log.js';
import { collectionsOf, type ApiKeyDocument, type Collections } from './collections.js';
import { count, findAll, findOne, READ, WRITE, writing } from './commands.js';
import { documentOfEntity, entityOf } from './documents.js';
import { duplicateIn } from './failures.js';
import { QueueById, lockById } from './locks.js';
import { transaction } from './transactions.js';

/** API keys in MongoDB, by their hashes. */
export class MongoApiKeyRepository implements ApiKeyRepository {
  readonly #collections: Collections;
  readonly #keys: Collections['apiKeys'];
  readonly #queue = new QueueById();

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(private readonly db: Db) {
    this.#collections = collectionsOf(db);
    this.#keys = this.#collections.apiKeys;
  }

  add({ key, max, entries }: KeyAddition): Promise<void> {
    return this.#adding(key, max, async (session) => {
      await this.#insert(key, max, session);
      await insertEntries(this.#collections, entries, session);
    });
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
    return (await findAll(this.#keys, activeOf(developerId, at))).map(apiKeyOf);
  }

  countActive(developerId: DeveloperId, at: Date): Promise<number> {
    return count(this.#keys, activeOf(developerId, at));
  }

  listEnded(query: EndedKeyQuery): Promise<readonly ApiKey[]> {
    return this.#part(query, { ends_at: -1, position: -1 }, ({ developerId, asOf }, last) => ({
      developer_id: developerId,
      ends_at: { $lte: last === undefined || last.ends_at > asOf ? asOf : last.ends_at },
      ...(last && { $or: [{ ends_at: { $lt: last.ends_at } }, { position: { $lt: last.position } }] }),
    }));
  }

  countEnded(developerId: DeveloperId, asOf: Date): Promise<number> {
    return count(this.#keys, { developer_id: developerId, ends_at: { $lte: asOf } });
  }

  replace(id: ApiKeyId, { successor, until, max, entries }: KeyReplacement): Promise<boolean> {
    const replaceable = { _id: id, revoked_at: { $exists: false } };
    const sooner = { $min: { expires_at: until, ends_at: until } };
    return this.#adding(successor, max, async (session) => {
      const { matchedCount } = await this.#keys.updateOne(replaceable, sooner, { ...WRITE, session });
      if (matchedCount === 0) return false;
      await this.#insert(successor, max, session);
      await insertEntries(this.#collections, entries, session);
      return true;
    });
  }

  revoke(id: ApiKeyId, { at, entries }: Audited & { readonly at: Date }): Promise<boolean> {
    const ended = [
      { $set: { revoked_at: { $ifNull: ['$revoked_at', at] } } },
      { $set: { ends_at: { $min: ['$ends_at', '$revoked_at'] } } },
    ];
    return transaction(this.db, async (session) => {
      const options = { ...WRITE, returnDocument: 'before', session } as const;
      const before = await this.#keys.findOneAndUpdate({ _id: id }, ended, options);
      if (before !== null && before.revoked_at === undefined) await insertEntries(this.#collections, entries, session);
      return before !== null;
    });
  }

  rename(id: ApiKeyId, { name, entries }: Audited & { readonly name: string }): Promise<boolean> {
    return audited(this.db, entries, async (session) => {
      const { matchedCount } = await this.#keys.updateOne({ _id: id }, { $set: { name } }, { ...WRITE, session });
      return matchedCount > 0;
    });
  }

  async noteUse(id: ApiKeyId, at: Date): Promise<void> {
    const later = { $max: { last_used_at: at } };
    await writing(this.db, () => this.#keys.updateOne({ _id: id }, later, WRITE));
  }

  async removeEnded(asOf: Date): Promise<number> {
    return (await writing(this.db, () => this.#keys.deleteMany({ ends_at: { $lte: asOf } }, WRITE))).deletedCount;
  }

  /** Does work that inserts a key. Two at once may both find no lock of a developer: the late one is repeated. */
  #adding<Answer>(
    { developerId }: ApiKey,
    max: number | undefined,
    work: (session: ClientSession) => Promise<Answer>,
  ): Promise<Answer> {
    const isLate = (error: unknown) => duplicateIn(error)?.startsWith('locks.') === true;
    const adding = () => transaction(this.db, work, isLate).catch(refuse);
    return max === undefined ? adding() : this.#queue.run(developerId, adding);
  }

  async #insert(key: ApiKey, max: number | undefined, session: ClientSession): Promise<void> {
    if (max !== undefined) {
      await lockById(this.#collections, key.developerId, session);
      const active = activeOf(key.developerId, key.createdAt);
      if ((await this.#keys.countDocuments(active, { ...READ, session })) >= max) throw tooManyKeys(max);
    }
    await this.#keys.insertOne(documentOf(key), { ...WRITE, session });
  }

  /** Returns a part of a list. */
  async #part<Query extends CursorQuery<ApiKeyId>>(
    query: Query,
    sort: Sort,
    filterOf: (query: Query, last: ApiKeyDocument | undefined) => Filter<ApiKeyDocument>,
  ): Promise<readonly ApiKey[]> {
    const { before, limit } = query;
    const last = before === undefined ? undefined : await findOne(this.#keys, { _id: before });
    if (last === null) return [];
    return (await findAll(this.#keys, filterOf(query, last), { sort, limit })).map(apiKeyOf);
  }

  async #findOne(filter: Filter<ApiKeyDocument>): Promise<ApiKey | undefined> {
    const document = await findOne(this.#keys, filter);
    return document === null ? undefined : apiKeyOf(document);
  }
}

function activeOf(developerId: DeveloperId, at: Date): Filter<ApiKeyDocument> {
  return { developer_id: developerId, ends_at: { $gt: at } };
}

/** Throws that the key is a duplicate in place of an error that says so. */
function refuse(error: unknown): never {
  if (duplicateIn(error)?.startsWith('api_keys.') !== true) throw error;
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
