import {
  developerIdKey,
  publicNameKeys,
  publicNameTaken,
  signInKey,
  signInNameTaken,
  type Developer,
  type DeveloperRepository,
} from 'automation-marketplace';
import { throwIfDuplicate, withoutNulls, type Database } from './database.js';

const SELECT = `
  SELECT id, "invitedAt", "invitationHash", "invitationUntil", "signInName", "passwordHash", "activeSince",
    "suspendedAt", role, "publicName", website
  FROM developers`;
const INVITE = `
  INSERT INTO developers (id, "invitationHash", "invitationUntil", "invitedAt", role, "idSkeleton")
  VALUES ($1, $2, $3, $4, coalesce($5, 'developer'), $6)
  ON CONFLICT (id) DO UPDATE SET "invitationHash" = $2, "invitationUntil" = $3, role = coalesce($5, developers.role)`;
const ACTIVATE = `
  UPDATE developers SET "invitationHash" = NULL, "invitationUntil" = NULL, "signInName" = $2, "signInKey" = $3,
    "passwordHash" = $4, "activeSince" = coalesce("activeSince", $5)
  WHERE "invitationHash" = $1 AND "invitationUntil" > $5 AND "suspendedAt" IS NULL RETURNING id`;
const SET_ROLE = 'UPDATE developers SET role = $2 WHERE id = $1 RETURNING id';
const SET_PROFILE = `
  UPDATE developers SET "publicName" = $2, "publicNameFolded" = $3, "publicNameSkeleton" = $4, website = $5
  WHERE id = $1 RETURNING id`;
const FIND_ID_ALIKE = `
  SELECT other.id FROM developers AS own JOIN developers AS other ON other."idSkeleton" = $3 AND other.id <> own.id
  WHERE own.id = $1 AND own."publicName" IS DISTINCT FROM $2`;
const CHANGE_SIGN_IN = `
  UPDATE developers SET "signInName" = $3, "signInKey" = $4, "passwordHash" = $5
  WHERE id = $1 AND "passwordHash" = $2 RETURNING id`;
const SUSPEND = 'UPDATE developers SET "suspendedAt" = coalesce("suspendedAt", $2) WHERE id = $1 RETURNING id';
const RESTORE = 'UPDATE developers SET "suspendedAt" = NULL WHERE id = $1 RETURNING id';

interface Row extends Omit<Developer, 'invitation'> {
  readonly invitationHash: string | null;
  readonly invitationUntil: Date | null;
}

/** The developers with an account, in the order of their `number`. */
export function postgresDevelopers(database: Database): DeveloperRepository {
  const select = async (condition: string, ...values: readonly string[]): Promise<readonly Developer[]> =>
    (await database.read<Row>(`${SELECT} ${condition}`, values)).map(developerOf);
  return {
    find: async (id) => (await select('WHERE id = $1', id))[0],
    findBySignInName: async (name) => (await select('WHERE "signInKey" = $1', signInKey(name)))[0],
    findByInvitation: async (hash) => (await select('WHERE "invitationHash" = $1', hash))[0],
    list: () => select('ORDER BY number'),
    invite: (id, { hash, until }, at, role) =>
      database.execute(INVITE, [id, hash, until, at, role, developerIdKey(id)]),
    async activate(invitationHash, { signInName, passwordHash, at }) {
      const values = [invitationHash, signInName, signInKey(signInName), passwordHash, at];
      return (await database.change(ACTIVATE, values).catch(throwIfDuplicate(signInNameTaken()))).length === 1;
    },
    suspend: async (id, at) => (await database.change(SUSPEND, [id, at])).length === 1,
    setRole: async (id, role) => (await database.change(SET_ROLE, [id, role])).length === 1,
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
    restore: async (id) => (await database.change(RESTORE, [id])).length === 1,
  };
}

function developerOf({ invitationHash: hash, invitationUntil: until, ...row }: Row): Developer {
  const developer = withoutNulls<Developer>(row);
  return hash === null || until === null ? developer : { ...developer, invitation: { hash, until } };
}
