import type { DeveloperId } from '../../domain/access.js';
import type { Developer, Invitation } from '../../domain/developer.js';
import type { Activation, DeveloperRepository } from '../../domain/ports.js';
import type { SqliteDatabase } from './database.js';
import { developerReads } from './developer-reads.js';

/** Developers in SQLite. */
export class SqliteDeveloperRepository implements DeveloperRepository {
  readonly #reads;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#reads = developerReads(database);
  }

  find(id: DeveloperId): Promise<Developer | undefined> {
    return this.database.readOne(() => this.#reads.find(id));
  }

  findBySignInName(name: string): Promise<Developer | undefined> {
    return this.database.readOne(() => this.#reads.findBySignInName(name));
  }

  findByInvitation(hash: string): Promise<Developer | undefined> {
    return this.database.readOne(() => this.#reads.findByInvitation(hash));
  }

  list(): Promise<readonly Developer[]> {
    return this.database.readOne(() => this.#reads.list());
  }

  invite(id: DeveloperId, invitation: Invitation, at: Date): Promise<void> {
    return this.database.write('inviteDeveloper', id, invitation, at);
  }

  activate(invitationHash: string, activation: Activation): Promise<boolean> {
    return this.database.write('activateDeveloper', invitationHash, activation);
  }

  suspend(id: DeveloperId, at: Date): Promise<boolean> {
    return this.database.write('suspendDeveloper', id, at);
  }

  restore(id: DeveloperId): Promise<boolean> {
    return this.database.write('restoreDeveloper', id);
  }
}
