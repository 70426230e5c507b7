import { signInKey, signInNameTaken, type Developer, type DeveloperRepository } from 'automation-marketplace';
import { throwIfDuplicate, withoutNulls, type Database } from './database.js';

const SELECT = `
  SELECT id, "invitedAt", "invitationHash", "invitationUntil", "signInName", "passwordHash", "activeSince",
    "suspendedAt"
  FROM developers`;
const INVITE = `
  INSERT INTO developers (id, "invitationHash", "invitationUntil", "invitedAt") VALUES ($1, $2, $3, $4)
  ON CONFLICT (id) DO UPDATE SET "invitationHash" = $2, "invitationUntil" = $3`;
const ACTIVATE = `
  UPDATE developers SET "invitationHash" = NULL, "invitationUntil" = NULL, "signInName" = $2, "signInKey" = $3,
    "passwordHash" = $4, "activeSince" = coalesce("activeSince", $5)
  WHERE "invitationHash" = $1 AND "invitationUntil" > $5 AND "suspendedAt" IS NULL RETURNING id`;
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
    invite: (id, { hash, until }, at) => database.execute(INVITE, [id, hash, until, at]),
    async activate(invitationHash, { signInName, passwordHash, at }) {
      const values = [invitationHash, signInName, signInKey(signInName), passwordHash, at];
      return (await database.change(ACTIVATE, values).catch(throwIfDuplicate(signInNameTaken()))).length === 1;
    },
    suspend: async (id, at) => (await database.change(SUSPEND, [id, at])).length === 1,
    restore: async (id) => (await database.change(RESTORE, [id])).length === 1,
  };
}

function developerOf({ invitationHash: hash, invitationUntil: until, ...row }: Row): Developer {
  const developer = withoutNulls<Developer>(row);
  return hash === null || until === null ? developer : { ...developer, invitation: { hash, until } };
}
