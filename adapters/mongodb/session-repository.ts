import type { ClientSession, Db } from 'mongodb';
import type { DeveloperId } from '../../domain/access.js';
import type { Audited, SessionRepository } from '../../domain/ports.js';
import type { Session } from '../../domain/session.js';
import { audited, insertEntries } from './audit-log.js';
import { collectionsOf, type Collections, type SessionDocument } from './collections.js';
import { findAll, findOne, READ_ALL, WRITE, writing } from './commands.js';
import { documentOfEntity, entityOf } from './documents.js';
import { transaction } from './transactions.js';

const LATEST = { created_at: -1 } as const;

/** Sessions in MongoDB, by their hashes. */
export class MongoSessionRepository implements SessionRepository {
  readonly #collections: Collections;
  readonly #sessions: Collections['sessions'];

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(private readonly db: Db) {
    this.#collections = collectionsOf(db);
    this.#sessions = this.#collections.sessions;
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

  end({ hash, entries }: Audited & { readonly hash: string }): Promise<boolean> {
    return audited(this.db, entries, async (session) => {
      const { deletedCount } = await this.#sessions.deleteOne({ _id: hash }, { ...WRITE, session });
      return deletedCount > 0;
    });
  }

  endAll({ developerId, entries }: Audited & { readonly developerId: DeveloperId }): Promise<number> {
    return transaction(this.db, async (session) => {
      const ended = await endSessions(this.#collections, developerId, session);
      if (ended > 0) await insertEntries(this.#collections, entries, session);
      return ended;
    });
  }

  async endExpired(asOf: Date): Promise<number> {
    return (await writing(this.db, () => this.#sessions.deleteMany({ until: { $lte: asOf } }, WRITE))).deletedCount;
  }
}

/** Stores a session, and ends all others of its developer but the latest `kept`, in the transaction of a change. */
export async function startSession(
  { sessions }: Pick<Collections, 'sessions'>,
  { hash, ...content }: Session,
  kept: number,
  session: ClientSession,
): Promise<void> {
  const document = documentOfEntity({ id: hash, ...content }) as SessionDocument;
  await sessions.insertOne(document, { ...WRITE, session });
  const others = { developer_id: content.developerId, _id: { $ne: hash } };
  const options = { ...READ_ALL, sort: LATEST, skip: kept, projection: { _id: 1 }, session } as const;
  const oldest = await sessions.find(others, options).toArray();
  if (oldest.length > 0)
    await sessions.deleteMany({ _id: { $in: oldest.map(({ _id }) => _id) } }, { ...WRITE, session });
}

/** Ends every session of a developer but one, in the transaction of a change. Returns how many. */
export async function endSessions(
  { sessions }: Pick<Collections, 'sessions'>,
  developerId: DeveloperId,
  session: ClientSession,
  except = '',
): Promise<number> {
  const others = { developer_id: developerId, _id: { $ne: except } };
  return (await sessions.deleteMany(others, { ...WRITE, session })).deletedCount;
}

function sessionOf(document: SessionDocument): Session {
  const { id: hash, ...content } = entityOf(document) as Omit<Session, 'hash'> & { readonly id: string };
  return { hash, ...content };
}
