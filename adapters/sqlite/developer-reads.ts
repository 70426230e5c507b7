import type { DeveloperId } from '../../domain/access.js';
import { signInKey, type Developer } from '../../domain/developer.js';
import type { DeveloperQuery } from '../../domain/ports.js';
import { developerIdKey, publicNamePart } from '../../domain/public-name.js';
import type { Role } from '../../domain/role.js';
import { prepareRows, type Preparer } from './connection.js';

interface DeveloperRow {
  readonly id: DeveloperId;
  readonly invited_at: number;
  readonly invitation_hash: string | null;
  readonly invitation_until: number | null;
  readonly sign_in_name: string | null;
  readonly password_hash: string | null;
  readonly active_since: number | null;
  readonly suspended_at: number | null;
  readonly role: Role;
  readonly public_name: string | null;
  readonly website: string | null;
}

const COLUMNS = [
  'id',
  'invited_at',
  'invitation_hash',
  'invitation_until',
  'sign_in_name',
  'password_hash',
  'active_since',
  'suspended_at',
  'role',
  'public_name',
  'website',
] as const satisfies readonly (keyof DeveloperRow)[];

/** Takes an id, and the position that stands for it if there is no such developer. */
const BEFORE = 'position < coalesce((SELECT position FROM developers WHERE id = ?), ?)';

const IS_NAMED = `(instr(lower(id), lower(?)) OR instr(sign_in_key, ?) OR ? <> '' AND instr(public_name_folded, ?))`;

/** Returns the values of `IS_NAMED`. */
function partsOf(text: string): readonly string[] {
  const shown = publicNamePart(text);
  return [text, signInKey(text), shown, shown];
}

/** Returns the reads of developers, for the repository and for its writes. */
export function developerReads(preparer: Preparer) {
  const rows = (rest: string) => prepareRows<DeveloperRow>(preparer, COLUMNS, `FROM developers ${rest}`);
  const byId = rows('WHERE id = ?');
  const bySignInKey = rows('WHERE sign_in_key = ?');
  const byInvitation = rows('WHERE invitation_hash = ?');
  const bySkeleton = rows('WHERE public_name_skeleton = ?');
  const list = rows(`WHERE ${BEFORE} ORDER BY position DESC LIMIT ?`);
  const listNamed = rows(`WHERE ${BEFORE} AND ${IS_NAMED} ORDER BY position DESC LIMIT ?`);
  const count = (rest: string) => {
    const from = `FROM (SELECT count(*) AS count FROM developers ${rest})`;
    return prepareRows<{ readonly count: number }>(preparer, ['count'], from);
  };
  const all = count('');
  const named = count(`WHERE ${IS_NAMED}`);
  const operators = count(`WHERE role = 'operator' AND active_since IS NOT NULL AND suspended_at IS NULL`);
  return {
    find: (id: DeveloperId) => byId(id).map(developerOf)[0],
    findBySignInName: (name: string) => bySignInKey(signInKey(name)).map(developerOf)[0],
    findByInvitation: (hash: string) => byInvitation(hash).map(developerOf)[0],
    findShownAs: (id: DeveloperId) => bySkeleton(developerIdKey(id)).map(developerOf)[0],
    list({ text, limit, before }: DeveloperQuery): readonly Developer[] {
      const start = [before ?? '', before === undefined ? Number.MAX_SAFE_INTEGER : 0];
      if (text === undefined) return list(...start, limit).map(developerOf);
      return listNamed(...start, ...partsOf(text), limit).map(developerOf);
    },
    count: (text?: string) => (text === undefined ? all() : named(...partsOf(text)))[0]?.count ?? 0,
    countOperators: () => operators()[0]?.count ?? 0,
  };
}

function developerOf(row: DeveloperRow): Developer {
  const { invitation_hash: hash, invitation_until: until } = row;
  return {
    id: row.id,
    role: row.role,
    invitedAt: new Date(row.invited_at),
    ...(hash !== null && until !== null && { invitation: { hash, until: new Date(until) } }),
    ...(row.sign_in_name !== null && { signInName: row.sign_in_name }),
    ...(row.password_hash !== null && { passwordHash: row.password_hash }),
    ...(row.public_name !== null && { publicName: row.public_name }),
    ...(row.website !== null && { website: row.website }),
    ...(row.active_since !== null && { activeSince: new Date(row.active_since) }),
    ...(row.suspended_at !== null && { suspendedAt: new Date(row.suspended_at) }),
  };
}
