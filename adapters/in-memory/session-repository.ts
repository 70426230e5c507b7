import type { DeveloperId } from '../../domain/access.js';
import type { Audited, SessionRepository } from '../../domain/ports.js';
import { duplicateSession, type Session } from '../../domain/session.js';
import { InMemoryAuditLog } from './audit-log.js';

/** Sessions in a map; a process's own, and gone with it. */
export class InMemorySessionRepository implements SessionRepository {
  readonly #sessions = new Map<string, Session>();

  /** Takes the log that gets the entries of the audit. */
  constructor(private readonly auditLog = new InMemoryAuditLog()) {}

  /** Throws the error of a session whose hash is taken. */
  requireFree(hash: string): void {
    if (this.#sessions.has(hash)) throw duplicateSession();
  }

  /** Stores a session whose hash is free, and ends all others of its developer but the latest `kept`. */
  start(session: Session, kept: number): void {
    for (const { hash } of this.#of(session.developerId).slice(kept)) this.#sessions.delete(hash);
    this.#sessions.set(session.hash, copyOf(session));
  }

  /** Ends every session of a developer but one, and returns how many. */
  endOthers(developerId: DeveloperId, except?: string): number {
    return this.#endWhere((session) => session.developerId === developerId && session.hash !== except);
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

  async end({ hash, entries }: Audited & { readonly hash: string }): Promise<boolean> {
    const isThere = this.#sessions.delete(hash);
    if (isThere) await this.auditLog.append(entries);
    return isThere;
  }

  async endAll({ developerId, entries }: Audited & { readonly developerId: DeveloperId }): Promise<number> {
    const ended = this.endOthers(developerId);
    if (ended > 0) await this.auditLog.append(entries);
    return ended;
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
