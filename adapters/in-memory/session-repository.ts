import type { DeveloperId } from '../../domain/access.js';
import { DomainError } from '../../domain/errors.js';
import type { SessionRepository } from '../../domain/ports.js';
import { MAX_SESSIONS, type Session } from '../../domain/session.js';

/** Sessions in a map; a process's own, and gone with it. */
export class InMemorySessionRepository implements SessionRepository {
  readonly #sessions = new Map<string, Session>();

  async add(session: Session): Promise<void> {
    if (this.#sessions.has(session.hash))
      throw new DomainError('conflict', 'duplicate-session', 'a session has this hash already');
    const others = this.#of(session.developerId);
    for (const { hash } of others.slice(MAX_SESSIONS - 1)) this.#sessions.delete(hash);
    this.#sessions.set(session.hash, copyOf(session));
  }

  async findByHash(hash: string): Promise<Session | undefined> {
    const session = this.#sessions.get(hash);
    return session && copyOf(session);
  }

  async list(developerId: DeveloperId): Promise<readonly Session[]> {
    return this.#of(developerId).map(copyOf);
  }

  async renew(hash: string, until: Date): Promise<void> {
    const session = this.#sessions.get(hash);
    if (session !== undefined && until > session.until) this.#sessions.set(hash, copyOf({ ...session, until }));
  }

  async end(hash: string): Promise<boolean> {
    return this.#sessions.delete(hash);
  }

  async endAll(developerId: DeveloperId, except?: string): Promise<number> {
    return this.#endWhere((session) => session.developerId === developerId && session.hash !== except);
  }

  async endExpired(asOf: Date): Promise<number> {
    return this.#endWhere(({ until }) => until <= asOf);
  }

  /** Returns the sessions of a developer, the latest first. */
  #of(developerId: DeveloperId): readonly Session[] {
    const sessions = Array.from(this.#sessions.values()).filter((session) => session.developerId === developerId);
    return sessions.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  }

  #endWhere(isMeant: (session: Session) => boolean): number {
    const meant = Array.from(this.#sessions.values()).filter(isMeant);
    for (const { hash } of meant) this.#sessions.delete(hash);
    return meant.length;
  }
}

function copyOf(session: Session): Session {
  return Object.freeze({ ...session, createdAt: new Date(session.createdAt), until: new Date(session.until) });
}
