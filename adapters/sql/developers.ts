import type { DeveloperId } from '../../domain/access.js';
import { canAccept, isActiveOperator, signInKey, signInNameTaken, type Developer } from '../../domain/developer.js';
import type { DeveloperIdentity, Identity } from '../../domain/identity.js';
import type {
  Activation,
  Audited,
  DeveloperAddition,
  DeveloperQuery,
  DeveloperRepository,
  IdentifiedDeveloper,
  NewInvitation,
  RoleChange,
  SignIn,
  SignInReplacement,
  DeveloperSuspension,
} from '../../domain/ports.js';
import type { Profile } from '../../domain/public-developer.js';
import { developerIdKey, publicNameKeys, publicNamePart, publicNameTaken } from '../../domain/public-name.js';
import { DEFAULT_ROLE } from '../../domain/role.js';
import { MAX_SESSIONS } from '../../domain/session.js';
import { appendEntries, audited } from './audit-log.js';
import { whereOf } from './conditions.js';
import type { Query, SqlConnection } from './connection.js';
import type { Value } from './dialect.js';
import { addIdentity, holderOf, identitiesOf } from './identities.js';
import { mappingOf, type Row } from './mapping.js';
import { endSessions, startSession } from './sessions.js';

/** An invitation takes two columns. */
type FlatDeveloper = Omit<Developer, 'invitation'> & {
  readonly invitationHash?: string;
  readonly invitationUntil?: Date;
};

const DEVELOPER = mappingOf<FlatDeveloper>({
  id: 'text',
  role: 'text',
  addedAt: 'time',
  invitationHash: 'text',
  invitationUntil: 'time',
  signInName: 'text',
  passwordHash: 'text',
  activeSince: 'time',
  suspendedAt: 'time',
  emergencySince: 'time',
  publicName: 'text',
  website: 'text',
});

const IS_ACTIVE_OPERATOR = "role = 'operator' AND active_since IS NOT NULL AND suspended_at IS NULL";

/** Developers in a table. Unique columns decide which of two writers gets a name. */
export class SqlDeveloperRepository implements DeveloperRepository {
  readonly #developers: string;

  constructor(private readonly connection: SqlConnection) {
    this.#developers = `${connection.dialect.prefix}developers`;
  }

  find(id: DeveloperId): Promise<Developer | undefined> {
    return this.#findBy('id', id);
  }

  findBySignInName(name: string): Promise<Developer | undefined> {
    return this.#findBy('sign_in_key', signInKey(name));
  }

  findByInvitation(hash: string): Promise<Developer | undefined> {
    return this.#findBy('invitation_hash', hash);
  }

  findShownAs(id: DeveloperId): Promise<Developer | undefined> {
    return this.#findBy('public_name_skeleton', developerIdKey(id));
  }

  async list({ text, before, limit }: DeveloperQuery): Promise<readonly Developer[]> {
    const { condition, values: named } = this.#named(text);
    const isBefore = `position < (SELECT position FROM ${this.#developers} WHERE id = ?)`;
    const { where, values } = whereOf([[condition], [isBefore, before]], named.length + 1);
    const end = `ORDER BY position DESC LIMIT $${named.length + values.length + 1}`;
    const sql = `SELECT ${DEVELOPER.columns} FROM ${this.#developers} ${where} ${end}`;
    return (await this.connection.query<Row>(sql, [...named, ...values, limit])).map(developerOf);
  }

  count(text?: string): Promise<number> {
    const { condition, values } = this.#named(text);
    return this.#count(this.connection.query, condition, values);
  }

  countOperators(): Promise<number> {
    return this.#count(this.connection.query, IS_ACTIVE_OPERATOR);
  }

  register(id: DeveloperId, { at, entries }: DeveloperAddition): Promise<boolean> {
    return audited(this.connection, entries, async (query) => (await query(...this.#adding(id, at))).length > 0);
  }

  async findByIdentity(identity: Identity): Promise<Developer | undefined> {
    const holder = await holderOf(this.connection.query, this.connection.dialect, identity);
    return holder && this.find(holder);
  }

  listIdentities(ids: readonly DeveloperId[]): Promise<readonly DeveloperIdentity[]> {
    return identitiesOf(this.connection.query, this.connection.dialect, ids);
  }

  identify(identity: Identity, { id, at, entries }: IdentifiedDeveloper): Promise<Developer> {
    const { dialect } = this.connection;
    return this.connection.transaction(async (query) => {
      if (await addIdentity(query, dialect, { ...identity, developerId: id })) {
        await query(...this.#adding(id, at));
        await appendEntries(query, dialect, entries);
      }
      const holder = (await holderOf(query, dialect, identity)) ?? id;
      return (await this.#lock(query, 'id', holder)) as Developer;
    });
  }

  invite(id: DeveloperId, { invitation, at, role, isForEmergencies, keepOneOperator, entries }: NewInvitation) {
    const { hash, until } = invitation;
    const since = isForEmergencies === true ? at.getTime() : null;
    const columns = 'id, id_skeleton, added_at, invitation_hash, invitation_until, role, emergency_since';
    const sql = `INSERT INTO ${this.#developers} AS known (${columns})
       VALUES ($1, $2, $3, $4, $5, coalesce(CAST($6 AS text), '${DEFAULT_ROLE}'), $7)
       ON CONFLICT (id) DO UPDATE SET invitation_hash = excluded.invitation_hash,
         invitation_until = excluded.invitation_until, role = coalesce(CAST($6 AS text), known.role),
         emergency_since = coalesce(excluded.emergency_since, known.emergency_since)`;
    const keepsOne = keepOneOperator && role !== undefined && role !== 'operator';
    return this.#demote(id, keepsOne, async (query) => {
      await query(sql, [id, developerIdKey(id), at.getTime(), hash, until.getTime(), role ?? null, since]);
      await appendEntries(query, this.connection.dialect, entries);
    });
  }

  activate(invitationHash: string, { signInName, passwordHash, at, session, entries }: Activation): Promise<boolean> {
    const { dialect } = this.connection;
    return this.#naming(signInNameTaken, async (query) => {
      const developer = await this.#lock(query, 'invitation_hash', invitationHash);
      if (developer === undefined || !canAccept(developer, at)) return false;
      await query(
        `UPDATE ${this.#developers} SET sign_in_name = $2, sign_in_key = $3, password_hash = $4,
           active_since = coalesce(active_since, $5), invitation_hash = NULL, invitation_until = NULL
         WHERE id = $1`,
        [developer.id, signInName, signInKey(signInName), passwordHash, at.getTime()],
      );
      await startSession(query, dialect, { ...session, developerId: developer.id }, 0);
      await appendEntries(query, dialect, entries);
      return true;
    });
  }

  signIn(id: DeveloperId, { passwordHash, session, entries }: SignIn): Promise<boolean> {
    return audited(this.connection, entries, async (query) => {
      const developer = await this.#lock(query, 'id', id);
      if (developer === undefined || developer.suspendedAt !== undefined) return false;
      if ((passwordHash ?? developer.passwordHash) !== developer.passwordHash) return false;
      const activate = `UPDATE ${this.#developers} SET active_since = $2 WHERE id = $1`;
      if (developer.activeSince === undefined) await query(activate, [id, session.createdAt.getTime()]);
      await startSession(query, this.connection.dialect, { ...session, developerId: id }, MAX_SESSIONS - 1);
      return true;
    });
  }

  suspend(id: DeveloperId, { at, keepOneOperator, entries }: DeveloperSuspension) {
    const sql = `UPDATE ${this.#developers} SET suspended_at = $2 WHERE id = $1`;
    return this.#demote(id, keepOneOperator, async (query, developer) => {
      await endSessions(query, this.connection.dialect, { developerId: id });
      if (developer === undefined || developer.suspendedAt !== undefined) return;
      await query(sql, [id, at.getTime()]);
      await appendEntries(query, this.connection.dialect, entries);
    });
  }

  setRole(id: DeveloperId, { role, keepOneOperator, entries }: RoleChange) {
    const sql = `UPDATE ${this.#developers} SET role = $2 WHERE id = $1`;
    return this.#demote(id, keepOneOperator && role !== 'operator', async (query, developer) => {
      if (developer === undefined || developer.role === role) return;
      await query(sql, [id, role]);
      await appendEntries(query, this.connection.dialect, entries);
    });
  }

  setProfile(id: DeveloperId, { profile, entries }: Audited & { readonly profile: Profile }): Promise<boolean> {
    const { publicName, website } = profile;
    return this.#naming(publicNameTaken, async (query) => {
      const developer = await this.#lock(query, 'id', id);
      if (developer === undefined) return false;
      const keys = publicName === undefined ? undefined : publicNameKeys(publicName);
      if (keys !== undefined && publicName !== developer.publicName) {
        const alike = await this.#count(query, 'id_skeleton = $1 AND id <> $2', [keys.skeleton, id]);
        if (alike > 0) throw publicNameTaken();
      }
      await query(
        `UPDATE ${this.#developers} SET public_name = $2, public_name_folded = $3, public_name_skeleton = $4,
           website = $5
         WHERE id = $1`,
        [id, publicName ?? null, keys?.folded ?? null, keys?.skeleton ?? null, website ?? null],
      );
      await appendEntries(query, this.connection.dialect, entries);
      return true;
    });
  }

  changeSignIn(id: DeveloperId, change: SignInReplacement): Promise<boolean> {
    const { current, signInName, passwordHash, keptSession, entries } = change;
    const { dialect } = this.connection;
    const sql = `UPDATE ${this.#developers} SET sign_in_name = $3, sign_in_key = $4, password_hash = $5
      WHERE id = $1 AND password_hash = $2 RETURNING id`;
    const values = [id, current, signInName, signInKey(signInName), passwordHash];
    return this.#naming(signInNameTaken, async (query) => {
      if ((await query(sql, values)).length === 0) return false;
      if (passwordHash !== current) await endSessions(query, dialect, { developerId: id, except: keptSession });
      await appendEntries(query, dialect, entries);
      return true;
    });
  }

  rename(id: DeveloperId, { signInName, entries }: Audited & { readonly signInName: string }) {
    const sql = `UPDATE ${this.#developers} SET sign_in_name = $2, sign_in_key = $3 WHERE id = $1`;
    return this.#naming(signInNameTaken, async (query) => {
      const developer = await this.#lock(query, 'id', id);
      if (developer?.signInName === undefined) return undefined;
      if (developer.signInName === signInName) return developer;
      await query(sql, [id, signInName, signInKey(signInName)]);
      await appendEntries(query, this.connection.dialect, entries);
      return developer;
    });
  }

  restore({ id, entries }: Audited & { readonly id: DeveloperId }): Promise<Developer | undefined> {
    return this.connection.transaction(async (query) => {
      const developer = await this.#lock(query, 'id', id);
      if (developer?.suspendedAt === undefined) return developer;
      await query(`UPDATE ${this.#developers} SET suspended_at = NULL WHERE id = $1`, [id]);
      await appendEntries(query, this.connection.dialect, entries);
      return developer;
    });
  }

  /**
   * Runs a change after which the developer may be no active operator any more. Locks the developer and all operators
   * before, in one order, so that two such changes do not deadlock.
   */
  #demote(
    id: DeveloperId,
    keepOneOperator: boolean,
    change: (query: Query, developer: Developer | undefined) => Promise<void>,
  ): Promise<Developer | 'last-operator' | undefined> {
    return this.connection.transaction(async (query) => {
      const operators = `SELECT id FROM ${this.#developers} WHERE role = 'operator' OR id = $1 ORDER BY position`;
      if (keepOneOperator) await query(`${operators} ${this.connection.dialect.forUpdate}`, [id]);
      const developer = await this.#lock(query, 'id', id);
      const isOperator = developer !== undefined && isActiveOperator(developer);
      if (keepOneOperator && isOperator && (await this.#count(query, IS_ACTIVE_OPERATOR)) === 1) return 'last-operator';
      await change(query, developer);
      return developer;
    });
  }

  /** Returns the statement that adds a developer, unless there is one with this id. */
  #adding(id: DeveloperId, at: Date): readonly [sql: string, values: readonly Value[]] {
    const sql = `INSERT INTO ${this.#developers} (id, id_skeleton, added_at, role)
      VALUES ($1, $2, $3, '${DEFAULT_ROLE}')
      ON CONFLICT (id) DO NOTHING RETURNING id`;
    return [sql, [id, developerIdKey(id), at.getTime()]];
  }

  /** Runs a change that may give a name that another developer has. */
  #naming<Result>(taken: () => Error, change: (query: Query) => Promise<Result>): Promise<Result> {
    return this.connection.transaction(change).catch((error: unknown) => {
      throw this.connection.dialect.isDuplicate(error) ? taken() : error;
    });
  }

  async #findBy(column: string, value: string): Promise<Developer | undefined> {
    const sql = `SELECT ${DEVELOPER.columns} FROM ${this.#developers} WHERE ${column} = $1`;
    return (await this.connection.query<Row>(sql, [value])).map(developerOf)[0];
  }

  /** Returns a developer whom no other transaction changes until this one ends. */
  async #lock(query: Query, column: string, value: string): Promise<Developer | undefined> {
    const { forUpdate } = this.connection.dialect;
    const sql = `SELECT ${DEVELOPER.columns} FROM ${this.#developers} WHERE ${column} = $1 ${forUpdate}`;
    return (await query<Row>(sql, [value])).map(developerOf)[0];
  }

  async #count(query: Query, condition: string, values: readonly Value[] = []): Promise<number> {
    const sql = `SELECT count(*) AS count FROM ${this.#developers} WHERE ${condition}`;
    return (await query<{ readonly count: number }>(sql, values))[0]?.count ?? 0;
  }

  /**
   * Returns the condition that a name of a developer contains a text, or that it is a subject of theirs. The column is
   * compared byte by byte, so `lower` changes ASCII letters alone; of a parameter it would do so by the language of the
   * database.
   */
  #named(text = ''): { readonly condition: string; readonly values: readonly Value[] } {
    if (text === '') return { condition: 'true', values: [] };
    const { contains, prefix } = this.connection.dialect;
    const shown = publicNamePart(text);
    const identified = `id IN (SELECT developer_id FROM ${prefix}identities WHERE subject = $3)`;
    const parts = [contains('lower(id)', '$1'), contains('sign_in_key', '$2'), identified];
    if (shown !== '') parts.push(contains('public_name_folded', '$4'));
    return {
      condition: `(${parts.join(' OR ')})`,
      values: [
        text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
        signInKey(text),
        text,
        ...(shown === '' ? [] : [shown]),
      ],
    };
  }
}

function developerOf(row: Row): Developer {
  const { invitationHash: hash, invitationUntil: until, ...developer } = DEVELOPER.entityOf(row);
  return hash === undefined || until === undefined ? developer : { ...developer, invitation: { hash, until } };
}
