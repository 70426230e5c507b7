import {
  developerIdKey,
  publicNameKeys,
  publicNamePart,
  publicNameTaken,
  signInKey,
  signInNameTaken,
  type Developer,
  type DeveloperRepository,
} from 'automation-marketplace';
import { throwIfDuplicate, withoutNulls, type Database } from './database.js';

const COLUMNS =
  'id, "invitedAt", "invitationHash", "invitationUntil", "signInName", "passwordHash", "activeSince", "suspendedAt", ' +
  'role, "publicName", website';
const IS_NAMED = `
  ($1::text IS NULL OR strpos(lower(id COLLATE "C"), lower($1 COLLATE "C")) > 0 OR strpos("signInKey", $2) > 0
    OR $3 <> '' AND strpos("publicNameFolded", $3) > 0)`;
const LIST = `
  WHERE ${IS_NAMED} AND ($4::text IS NULL OR number < (SELECT number FROM developers WHERE id = $4))
  ORDER BY number DESC LIMIT $5`;
const IS_OPERATOR = `role = 'operator' AND "activeSince" IS NOT NULL AND "suspendedAt" IS NULL`;
const INVITE = `
  INSERT INTO developers (id, "invitationHash", "invitationUntil", "invitedAt", role, "idSkeleton")
  VALUES ($1, $2, $3, $4, coalesce($5, 'developer'), $6)
  ON CONFLICT (id) DO UPDATE SET "invitationHash" = $2, "invitationUntil" = $3, role = coalesce($5, developers.role)`;
const ACTIVATE = `
  UPDATE developers SET "invitationHash" = NULL, "invitationUntil" = NULL, "signInName" = $2, "signInKey" = $3,
    "passwordHash" = $4, "activeSince" = coalesce("activeSince", $5)
  WHERE "invitationHash" = $1 AND "invitationUntil" > $5 AND "suspendedAt" IS NULL RETURNING id`;
const SET_ROLE = change('role = $2');
const SET_PROFILE = `
  UPDATE developers SET "publicName" = $2, "publicNameFolded" = $3, "publicNameSkeleton" = $4, website = $5
  WHERE id = $1 RETURNING id`;
const FIND_ID_ALIKE = `
  SELECT other.id FROM developers AS own JOIN developers AS other ON other."idSkeleton" = $3 AND other.id <> own.id
  WHERE own.id = $1 AND own."publicName" IS DISTINCT FROM $2`;
const CHANGE_SIGN_IN = `
  UPDATE developers SET "signInName" = $3, "signInKey" = $4, "passwordHash" = $5
  WHERE id = $1 AND "passwordHash" = $2 RETURNING id`;
const SUSPEND = change('"suspendedAt" = coalesce(developers."suspendedAt", $2)');
const RESTORE = change('"suspendedAt" = NULL');

interface Row extends Omit<Developer, 'invitation'> {
  readonly invitationHash: string | null;
  readonly invitationUntil: Date | null;
}

/** The developers with an account, in the order of their `number`. */
export function postgresDevelopers(database: Database): DeveloperRepository {
  const select = async (condition: string, ...values: readonly unknown[]): Promise<readonly Developer[]> =>
    (await database.read<Row>(`SELECT ${COLUMNS} FROM developers ${condition}`, values)).map(developerOf);
  const count = async (condition: string, ...values: readonly unknown[]): Promise<number> => {
    const text = `SELECT count(*)::int AS count FROM developers WHERE ${condition}`;
    return (await database.read<{ readonly count: number }>(text, values))[0]?.count ?? 0;
  };
  const before = async (text: string, ...values: readonly unknown[]): Promise<Developer | undefined> =>
    (await database.change<Row>(text, values)).map(developerOf)[0];
  return {
    find: async (id) => (await select('WHERE id = $1', id))[0],
    findBySignInName: async (name) => (await select('WHERE "signInKey" = $1', signInKey(name)))[0],
    findByInvitation: async (hash) => (await select('WHERE "invitationHash" = $1', hash))[0],
    findShownAs: async (id) => (await select('WHERE "publicNameSkeleton" = $1', developerIdKey(id)))[0],
    list: ({ before: last, text, limit }) => select(LIST, ...partsOf(text), last, limit),
    count: (text) => count(IS_NAMED, ...partsOf(text)),
    countOperators: () => count(IS_OPERATOR),
    invite: (id, { hash, until }, at, role) =>
      database.execute(INVITE, [id, hash, until, at, role, developerIdKey(id)]),
    async activate(invitationHash, { signInName, passwordHash, at }) {
      const values = [invitationHash, signInName, signInKey(signInName), passwordHash, at];
      return (await database.change(ACTIVATE, values).catch(throwIfDuplicate(signInNameTaken()))).length === 1;
    },
    suspend: (id, at) => before(SUSPEND, id, at),
    setRole: (id, role) => before(SET_ROLE, id, role),
    async setProfile(id, { publicName, website }) {
      const { folded, skeleton } = publicName === undefined ? {} : publicNameKeys(publicName);
      if ((await database.read(FIND_ID_ALIKE, [id, publicName, skeleton])).length > 0) throw publicNameTaken();
      const values = [id, publicName, folded, skeleton, website];
      return (await database.change(SET_PROFILE, values).catch(throwIfDuplicate(publicNameTaken()))).length === 1;
    },
    async changeSignIn(id, current, { signInName, passwordHash }) {
      const values = [id, current, signInName, signInKey(signInName), passwordHash];
      return (await database.change(CHANGE_SIGN_IN, values).catch(throwIfDuplicate(signInNameTaken()))).length === 1;
    },
    restore: (id) => before(RESTORE, id),
  };
}

function developerOf({ invitationHash: hash, invitationUntil: until, ...row }: Row): Developer {
  const developer = withoutNulls<Developer>(row);
  return hash === null || until === null ? developer : { ...developer, invitation: { hash, until } };
}

/** Returns the values of `IS_NAMED`. */
function partsOf(text: string | undefined): readonly (string | undefined)[] {
  return [text, signInKey(text ?? ''), publicNamePart(text ?? '')];
}

/** Returns a statement that changes the developer `$1`, and returns the row as it was before. */
function change(assignment: string): string {
  return `
    WITH before AS (SELECT * FROM developers WHERE id = $1 FOR UPDATE),
      changed AS (UPDATE developers SET ${assignment} FROM before WHERE developers.id = before.id)
    SELECT ${COLUMNS} FROM before`;
}
