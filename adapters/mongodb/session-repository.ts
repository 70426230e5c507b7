import type { Db, Filter } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import type { SessionRepository } from '../../domain/ports.js';
import { MAX_SESSIONS, type Session } from '../../domain/session.js';
import { collectionsOf, type Collections, type SessionDocument } from './collections.js';
import { findAll, findOne, WRITE, writing } from './commands.js';
import { documentOfEntity, entityOf } from './documents.js';
import { isDuplicate } from './failures.js';
import { transaction } from './transactions.js';

const LATEST = { created_at: -1 } as const;

/** Sessions in MongoDB, by their hashes. */
export class MongoSessionRepository implements SessionRepository {
  readonly #sessions: Collections['sessions'];

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(private readonly db: Db) {
    this.#sessions = collectionsOf(db).sessions;
  }

  /** Ends the oldest when the new one is stored, so that the last of several who do it at once sees all. */
  async add({ hash, ...content }: Session): Promise<void> {
    const document = documentOfEntity({ id: hash, ...content }) as SessionDocument;
    await transaction(this.db, async (session) => {
      await this.#sessions.insertOne(document, { ...WRITE, session });
    }).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
      throw new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
    });
    await this.#endOldest(content.developerId, hash);
  }

  async findByHash(hash: string): Promise<Session | undefined> {
    const document = await findOne(this.#sessions, { _id: hash });
    return document === null ? undefined : sessionOf(document);
  }

  async list(developerId: DeveloperId): Promise<readonly Session[]> {
    return (await findAll(this.#sessions, { developer_id: developerId }, { sort: LATEST })).map(sessionOf);
  }

  async renew(hash: string, until: Date): Promise<void> {
    const later = { $max: { until } };
    await writing(this.db, () => this.#sessions.updateOne({ _id: hash }, later, WRITE));
  }

  end(hash: string): Promise<boolean> {
    return transaction(this.db, async (session) => {
      const { deletedCount } = await this.#sessions.deleteOne({ _id: hash }, { ...WRITE, session });
      return deletedCount > 0;
    });
  }

  endAll(developerId: DeveloperId, except?: string): Promise<number> {
    return this.#endWhere({ developer_id: developerId, ...(except !== undefined && { _id: { $ne: except } }) });
  }

  endExpired(asOf: Date): Promise<number> {
    return this.#endWhere({ until: { $lte: asOf } });
  }

  async #endOldest(developerId: DeveloperId, hash: string): Promise<void> {
    const others = { developer_id: developerId, _id: { $ne: hash } };
    const options = { sort: LATEST, skip: MAX_SESSIONS - 1, projection: { _id: 1 } };
    const oldest = await findAll(this.#sessions, others, options);
    if (oldest.length > 0) await this.#endWhere({ _id: { $in: oldest.map(({ _id }) => _id) } });
  }

  async #endWhere(filter: Filter<SessionDocument>): Promise<number> {
    const { deletedCount } = await writing(this.db, () => this.#sessions.deleteMany(filter, WRITE));
    return deletedCount;
  }
}

function sessionOf(document: SessionDocument): Session {
  const { id: hash, ...content } = entityOf(document) as Omit<Session, 'hash'> & { readonly id: string };
  return { hash, ...content };
}
