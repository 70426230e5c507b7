import { ObjectId, type ClientSession, type Db } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import type { ApiKey, ApiKeyId } from '../../domain/api-key.js';
import { DomainError } from '../../domain/errors.js';
import type { ApiKeyRepository } from '../../domain/ports.js';
import { collectionsOf, type ApiKeyDocument, type Collections } from './documents.js';
import { isDuplicate } from './failures.js';
import { AT_ONCE, reading, transacting, WITHIN, writing } from './operations.js';

/** API keys in MongoDB, by their hashes. */
export class MongoApiKeyRepository implements ApiKeyRepository {
  readonly #keys: Collections['apiKeys'];

  /** Over a database that `prepareMongo` has prepared; its client stays its maker's to close. */
  constructor(private readonly db: Db) {
    this.#keys = collectionsOf(db).apiKeys;
  }

  add(key: ApiKey): Promise<void> {
    return writing(this.db.client, (session, again) => this.#insert(key, again, session));
  }

  find(id: ApiKeyId): Promise<ApiKey | undefined> {
    return this.#findOne({ _id: id });
  }

  findByHash(hash: string): Promise<ApiKey | undefined> {
    return this.#findOne({ hash });
  }

  async list(developerId?: DeveloperId): Promise<readonly ApiKey[]> {
    const filter = developerId === undefined ? {} : { developer_id: developerId };
    const documents = await reading((signal) =>
      this.#keys
        .find(filter, { ...AT_ONCE, signal })
        .sort({ position: 1 })
        .toArray(),
    );
    return documents.map(apiKeyOf);
  }

  replace(id: ApiKeyId, successor: ApiKey, until: Date): Promise<boolean> {
    return transacting(this.db.client, async (session, again) => {
      if (again && (await this.#isThere(successor))) return true;
      const sooner = { $min: ['$expires_at', until] };
      const filter = { _id: id, revoked_at: { $exists: false } };
      const { matchedCount } = await this.#keys.updateOne(filter, [{ $set: { expires_at: sooner } }], {
        ...WITHIN,
        session,
      });
      if (matchedCount > 0) await this.#insert(successor, false, session);
      return matchedCount > 0;
    });
  }

  async revoke(id: ApiKeyId, at: Date): Promise<boolean> {
    const first = [{ $set: { revoked_at: { $ifNull: ['$revoked_at', at] } } }];
    const { matchedCount } = await writing(this.db.client, (session) =>
      this.#keys.updateOne({ _id: id }, first, { ...WITHIN, session }),
    );
    return matchedCount > 0;
  }

  async noteUse(id: ApiKeyId, at: Date): Promise<void> {
    const used = { $max: { last_used_at: at } };
    await writing(this.db.client, (session) => this.#keys.updateOne({ _id: id }, used, { ...WITHIN, session }));
  }

  async #findOne(filter: { _id: ApiKeyId } | { hash: string }): Promise<ApiKey | undefined> {
    const document = await reading((signal) => this.#keys.findOne(filter, { ...WITHIN, signal }));
    return document === null ? undefined : apiKeyOf(document);
  }

  /** Tried again after a try without an answer, the key may be there already. */
  async #insert(key: ApiKey, again: boolean, session: ClientSession): Promise<void> {
    try {
      await this.#keys.insertOne(documentOf(key), { ...WITHIN, session });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      if (again && (await this.#isThere(key))) return;
      throw new DomainError('conflict', 'duplicate-key', 'an API key has this id or this hash already');
    }
  }

  async #isThere({ id, hash }: ApiKey): Promise<boolean> {
    return (await reading((signal) => this.#keys.findOne({ _id: id, hash }, { ...WITHIN, signal }))) !== null;
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
  };
}

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
