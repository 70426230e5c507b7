import { DEFAULT_ROLE } from '../../../domain/role.js';
import { developerId, isOfIssuer } from '../../../domain/access.js';
import type { Account, Operator } from '../../../application/index.js';
import { moment } from '../../http/views/times.js';
import { TEXTS } from '../texts.js';
import type { Panel } from '../visit.js';

export const DEVELOPERS_PATH = '/operator/developers';

const { statuses, keysOnly } = TEXTS.operator.developers;

/** A developer with an account, or with keys alone, who was never invited. */
export type KnownDeveloper = Omit<Account, 'invitedAt'> & Partial<Pick<Account, 'invitedAt'>>;

/** Returns a developer who has an account or keys; undefined for any other text. */
export async function findDeveloper(
  { accounts, keys }: Panel,
  by: Operator,
  text: string,
): Promise<KnownDeveloper | undefined> {
  const id = developerId(text);
  if (id === undefined) return undefined;
  const account = await accounts.find(by, id);
  if (account !== undefined || isOfIssuer(id)) return account;
  const { items } = await keys.list(by, { developer: id, limit: 1 });
  return items.length === 0 ? undefined : { id, role: DEFAULT_ROLE, status: 'active' };
}

/** Returns whether no account but that of the operator who is signed in could run the marketplace. */
export async function isLastOperator({ accounts }: Panel, by: Operator): Promise<boolean> {
  return (await accounts.countOperators(by)) <= 1;
}

/** Returns the address of the page of one developer. */
export function addressOf({ id }: Pick<Account, 'id'>, { at }: Pick<Panel, 'at'>): string {
  return `${at}${DEVELOPERS_PATH}/${encodeURIComponent(id)}`;
}

/** Returns a developer as pages show them. */
export function viewOf(developer: KnownDeveloper, panel: Pick<Panel, 'at'>) {
  const { role, status, activeSince, suspendedAt, invitedAt } = developer;
  return {
    ...developer,
    href: addressOf(developer, panel),
    roleText: TEXTS.operator.roles[role],
    statusText: invitedAt === undefined ? keysOnly : statuses[status],
    invited: invitedAt && moment(invitedAt),
    active: activeSince && moment(activeSince),
    suspended: suspendedAt && moment(suspendedAt),
  };
}
