import { developerId } from '../../../domain/access.js';
import { DomainError, type Account, type Operator } from '../../../application/index.js';
import { moment } from '../../http/views/times.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { TEXTS } from '../texts.js';
import type { Panel } from '../visit.js';

export const DEVELOPERS_PATH = '/operator/developers';

/** Returns the developer with this id; undefined for any other text. */
export async function findDeveloper({ accounts }: Panel, by: Operator, text: string): Promise<Account | undefined> {
  return developerId(text) === undefined ? undefined : accounts.find(by, text);
}

/** Returns the address of the page of one developer. */
export function addressOf({ id }: Pick<Account, 'id'>, { at }: Pick<Panel, 'at'>): string {
  return `${at}${DEVELOPERS_PATH}/${encodeURIComponent(id)}`;
}

/** Returns the messages for a change of a developer that the core refused. @throws any other error */
export function messagesOfChange(error: unknown, wordings: Wordings): Messages {
  if (error instanceof DomainError && error.code === 'last-operator') return { form: TEXTS.operator.lastOperator };
  return messagesIn(error, wordings);
}

/** Returns a developer as pages show them. */
export function viewOf(developer: Account, panel: Pick<Panel, 'at'>) {
  const { role, status, addedAt, activeSince, suspendedAt } = developer;
  return {
    ...developer,
    href: addressOf(developer, panel),
    roleText: TEXTS.operator.roles[role],
    statusText: TEXTS.operator.developers.statuses[status],
    added: moment(addedAt),
    active: activeSince && moment(activeSince),
    suspended: suspendedAt && moment(suspendedAt),
  };
}
