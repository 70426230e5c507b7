import type { DeveloperId } from '../../domain/access.js';
import type { Developer, Invitation } from '../../domain/developer.js';
import type { Activation, DeveloperQuery, DeveloperRepository, SignIn } from '../../domain/ports.js';
import type { Profile } from '../../domain/public-developer.js';
import type { Role } from '../../domain/role.js';
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

  findShownAs(id: DeveloperId): Promise<Developer | undefined> {
    return this.database.readOne(() => this.#reads.findShownAs(id));
  }

  list(query: DeveloperQuery): Promise<readonly Developer[]> {
    return this.database.readOne(() => this.#reads.list(query));
  }

  count(text?: string): Promise<number> {
    return this.database.readOne(() => this.#reads.count(text));
  }

  countOperators(): Promise<number> {
    return this.database.readOne(() => this.#reads.countOperators());
  }

  invite(id: DeveloperId, invitation: Invitation, at: Date, role?: Role): Promise<void> {
    return this.database.write('inviteDeveloper', id, invitation, at, role);
  }

  activate(invitationHash: string, activation: Activation): Promise<boolean> {
    return this.database.write('activateDeveloper', invitationHash, activation);
  }

  suspend(id: DeveloperId, at: Date): Promise<Developer | undefined> {
    return this.database.write('suspendDeveloper', id, at);
  }

  setRole(id: DeveloperId, role: Role): Promise<Developer | undefined> {
    return this.database.write('setDeveloperRole', id, role);
  }

  setProfile(id: DeveloperId, profile: Profile): Promise<boolean> {
    return this.database.write('setDeveloperProfile', id, profile);
  }

  changeSignIn(id: DeveloperId, current: string, signIn: SignIn): Promise<boolean> {
    return this.database.write('changeDeveloperSignIn', id, current, signIn);
  }

  restore(id: DeveloperId): Promise<Developer | undefined> {
    return this.database.write('restoreDeveloper', id);
  }
}
