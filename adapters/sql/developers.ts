import type { DeveloperId } from '../../domain/access.js';
import {
  canAccept,
  isActiveOperator,
  signInKey,
  signInNameTaken,
  type Developer,
  type Invitation,
} from '../../domain/developer.js';
import type { Activation, DeveloperQuery, DeveloperRepository, OperatorRule, SignIn } from '../../domain/ports.js';
import type { Profile } from '../../domain/public-developer.js';
import { developerIdKey, publicNameKeys, publicNamePart, publicNameTaken } from '../../domain/public-name.js';
import { DEFAULT_ROLE, type Role } from '../../domain/role.js';
import { change, type Query, type SqlConnection } from './connection.js';
import type { Value } from './dialect.js';
import { mappingOf, type Row } from './mapping.js';

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
    const { condition, values } = this.#named(text);
    const parameters: Value[] = [...values, limit];
    const end = `ORDER BY position DESC LIMIT $${parameters.length}`;
    const isBefore =
      before === undefined
        ? ''
        : `AND position < (SELECT position FROM ${this.#developers} WHERE id = $${parameters.push(before)})`;
    const sql = `SELECT ${DEVELOPER.columns} FROM ${this.#developers} WHERE ${condition} ${isBefore} ${end}`;
    return (await this.connection.query<Row>(sql, parameters)).map(developerOf);
  }

  count(text?: string): Promise<number> {
    const { condition, values } = this.#named(text);
    return this.#count(this.connection.query, condition, values);
  }

  countOperators(): Promise<number> {
    return this.#count(this.connection.query, IS_ACTIVE_OPERATOR);
  }

  async register(id: DeveloperId, at: Date): Promise<boolean> {
    const added = await change(
      this.connection,
      `INSERT INTO ${this.#developers} (id, id_skeleton, added_at, role) VALUES ($1, $2, $3, '${DEFAULT_ROLE}')
       ON CONFLICT (id) DO NOTHING RETURNING id`,
      [id, developerIdKey(id), at.getTime()],
    );
    return added > 0;
  }

  async invite(id: DeveloperId, { hash, until }: Invitation, at: Date, role?: Role): Promise<void> {
    await change(
      this.connection,
      `INSERT INTO ${this.#developers} AS known (id, id_skeleton, added_at, invitation_hash, invitation_until, role)
       VALUES ($1, $2, $3, $4, $5, coalesce(CAST($6 AS text), '${DEFAULT_ROLE}'))
       ON CONFLICT (id) DO UPDATE SET invitation_hash = excluded.invitation_hash,
         invitation_until = excluded.invitation_until, role = coalesce(CAST($6 AS text), known.role)`,
      [id, developerIdKey(id), at.getTime(), hash, until.getTime(), role ?? null],
    );
  }

  activate(invitationHash: string, { signInName, passwordHash, at }: Activation): Promise<boolean> {
    return this.#naming(signInNameTaken, async (query) => {
      const developer = await this.#lock(query, 'invitation_hash', invitationHash);
      if (developer === undefined || !canAccept(developer, at)) return false;
      await query(
        `UPDATE ${this.#developers} SET sign_in_name = $2, sign_in_key = $3, password_hash = $4,
           active_since = coalesce(active_since, $5), invitation_hash = NULL, invitation_until = NULL
         WHERE id = $1`,
        [developer.id, signInName, signInKey(signInName), passwordHash, at.getTime()],
      );
      return true;
    });
  }

  suspend(id: DeveloperId, at: Date, rule: OperatorRule): Promise<Developer | 'last-operator' | undefined> {
    const sql = `UPDATE ${this.#developers} SET suspended_at = coalesce(suspended_at, $2) WHERE id = $1`;
    return this.#demote(id, rule, (query) => query(sql, [id, at.getTime()]));
  }

  setRole(id: DeveloperId, role: Role, { keepOneOperator }: OperatorRule) {
    const sql = `UPDATE ${this.#developers} SET role = $2 WHERE id = $1`;
    const rule = { keepOneOperator: keepOneOperator && role !== 'operator' };
    return this.#demote(id, rule, (query) => query(sql, [id, role]));
  }

  setProfile(id: DeveloperId, { publicName, website }: Profile): Promise<boolean> {
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
      return true;
    });
  }

  changeSignIn(id: DeveloperId, current: string, { signInName, passwordHash }: SignIn): Promise<boolean> {
    const sql = `UPDATE ${this.#developers} SET sign_in_name = $3, sign_in_key = $4, password_hash = $5
      WHERE id = $1 AND password_hash = $2 RETURNING id`;
    const values = [id, current, signInName, signInKey(signInName), passwordHash];
    return this.#naming(signInNameTaken, async (query) => (await query(sql, values)).length > 0);
  }

  rename(id: DeveloperId, signInName: string): Promise<Developer | undefined> {
    const sql = `UPDATE ${this.#developers} SET sign_in_name = $2, sign_in_key = $3 WHERE id = $1`;
    return this.#naming(signInNameTaken, async (query) => {
      const developer = await this.#lock(query, 'id', id);
      if (developer?.signInName === undefined) return undefined;
      await query(sql, [id, signInName, signInKey(signInName)]);
      return developer;
    });
  }

  restore(id: DeveloperId): Promise<Developer | undefined> {
    return this.connection.transaction(async (query) => {
      const developer = await this.#lock(query, 'id', id);
      await query(`UPDATE ${this.#developers} SET suspended_at = NULL WHERE id = $1`, [id]);
      return developer;
    });
  }

  /**
   * Runs a change after which the developer may be no active operator any more. Locks the developer and all operators
   * before, in one order, so that two such changes do not deadlock.
   */
  #demote(
    id: DeveloperId,
    { keepOneOperator }: OperatorRule,
    change: (query: Query) => Promise<unknown>,
  ): Promise<Developer | 'last-operator' | undefined> {
    return this.connection.transaction(async (query) => {
      const operators = `SELECT id FROM ${this.#developers} WHERE role = 'operator' OR id = $1 ORDER BY position`;
      if (keepOneOperator) await query(`${operators} ${this.connection.dialect.forUpdate}`, [id]);
      const developer = await this.#lock(query, 'id', id);
      const isOperator = developer !== undefined && isActiveOperator(developer);
      if (keepOneOperator && isOperator && (await this.#count(query, IS_ACTIVE_OPERATOR)) === 1) return 'last-operator';
      await change(query);
      return developer;
    });
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
   * Returns the condition that a name of a developer contains a text. The column is compared byte by byte, so `lower`
   * changes ASCII letters alone; of a parameter it would do so by the language of the database.
   */
  #named(text = ''): { readonly condition: string; readonly values: readonly Value[] } {
    if (text === '') return { condition: 'true', values: [] };
    const { contains } = this.connection.dialect;
    const shown = publicNamePart(text);
    const parts = [contains('lower(id)', '$1'), contains('sign_in_key', '$2')];
    if (shown !== '') parts.push(contains('public_name_folded', '$3'));
    return {
      condition: `(${parts.join(' OR ')})`,
      values: [
        text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
        signInKey(text),
        ...(shown === '' ? [] : [shown]),
      ],
    };
  }
}

function developerOf(row: Row): Developer {
  const { invitationHash: hash, invitationUntil: until, ...developer } = DEVELOPER.entityOf(row);
  return hash === undefined || until === undefined ? developer : { ...developer, invitation: { hash, until } };
}
