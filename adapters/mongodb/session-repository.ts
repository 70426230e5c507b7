import type { Db, Filter } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import type { SessionRepository } from '../../domain/ports.js';
import { MAX_SESSIONS, type Session } from '../../domain/session.js';
import { collectionsOf, type Collections } from './collections.js';
import { type SessionDocument } from './documents.js';
import { isDuplicate } from './failures.js';
import { READ, READ_ALL, reading, WRITE, writing } from './commands.js';

const LATEST = { created_at: -1 } as const;

/** Sessions in MongoDB, by their hashes. */
export class MongoSessionRepository implements SessionRepository {
  readonly #sessions: Collections['sessions'];

  /**
   * Over a database that `prepareMongo` has prepared, without which it refuses to write. Its client is not closed.
   * @throws TypeError when the driver is not 7.
   */
  constructor(private readonly db: Db) {
    this.#sessions = collectionsOf(db).sessions;
  }

  add(session: Session): Promise<void> {
    return writing(this.db, async (again) => {
      await this.#insert(session, again);
      await this.#endOldest(session);
    });
  }

  async findByHash(hash: string): Promise<Session | undefined> {
    const document = await reading((signal) => this.#sessions.findOne({ _id: hash }, { ...READ, signal }));
    return document === null ? undefined : sessionOf(document);
  }

  async list(developerId: DeveloperId): Promise<readonly Session[]> {
    const [filter, options] = [{ developer_id: developerId }, { ...READ_ALL, sort: LATEST }];
    const documents = await reading((signal) => this.#sessions.find(filter, { ...options, signal }).toArray());
    return documents.map(sessionOf);
  }

  async renew(hash: string, until: Date): Promise<void> {
    const later = { $max: { until } };
    await writing(this.db, () => this.#sessions.updateOne({ _id: hash }, later, WRITE));
  }

  /** After a try without an answer, what is not there any more is what that try ended. */
  end(hash: string): Promise<boolean> {
    return writing(this.db, async (again) => {
      const { deletedCount } = await this.#sessions.deleteOne({ _id: hash }, WRITE);
      return deletedCount > 0 || again;
    });
  }

  endAll(developerId: DeveloperId, except?: string): Promise<number> {
    return this.#endWhere({ developer_id: developerId, ...(except !== undefined && { _id: { $ne: except } }) });
  }

  endExpired(asOf: Date): Promise<number> {
    return this.#endWhere({ until: { $lte: asOf } });
  }

  async #endOldest({ hash, developerId }: Session): Promise<void> {
    const others = { developer_id: developerId, _id: { $ne: hash } };
    const options = { ...READ_ALL, sort: LATEST, skip: MAX_SESSIONS - 1, projection: { _id: 1 } } as const;
    const oldest = await reading((signal) => this.#sessions.find(others, { ...options, signal }).toArray());
    if (oldest.length > 0) await this.#endWhere({ _id: { $in: oldest.map(({ _id }) => _id) } });
  }

  async #endWhere(filter: Filter<SessionDocument>): Promise<number> {
    const { deletedCount } = await writing(this.db, () => this.#sessions.deleteMany(filter, WRITE));
    return deletedCount;
  }

  /** Tried again after a try without an answer, the session may be there already. */
  async #insert({ hash, developerId, createdAt, until, address }: Session, again: boolean): Promise<void> {
    const times = { created_at: createdAt, until };
    const document = { _id: hash, developer_id: developerId, ...times, ...(address !== undefined && { address }) };
    try {
      await this.#sessions.insertOne(document, WRITE);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      if (again && (await this.#isThere(document))) return;
      throw new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
    }
  }

  async #isThere({ _id, developer_id, created_at }: SessionDocument): Promise<boolean> {
    return (
      (await reading((signal) => this.#sessions.findOne({ _id, developer_id, created_at }, { ...READ, signal }))) !==
      null
    );
  }
}

function sessionOf(document: SessionDocument): Session {
  return {
    hash: document._id,
    developerId: document.developer_id,
    createdAt: document.created_at,
    until: document.until,
    ...(document.address !== undefined && { address: document.address }),
  };
}
