import { randomUUID } from 'node:crypto';
import { ROLES, type Account } from '../../../application/index.js';
import { moment } from '../../http/views/times.js';
import { formIdOf, SubmittedForms, textOf, type Form } from '../form.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { queryOf, show } from '../page.js';
import { numberedLinks, pageNumberIn } from '../pager.js';
import { publicAddress } from '../pages/new-key.js';
import type { Resource } from '../routes.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel } from '../visit.js';
import { operatorForm, operatorPage, type SignedInOperator } from './guards.js';

const PAGE_SIZE = 50;
const T = TEXTS.operator.developers;
const WORDINGS: Wordings = { developer: { label: T.name }, role: { label: T.role } };

const LIST = '/operator/developers';

export const ROLE_CHOICES = ROLES.map((role) => ({ value: role, text: TEXTS.operator.roles[role] }));
/** Nothing chosen is no change. */
const INVITATION_CHOICES = [{ value: '', text: T.keepRole }, ...ROLE_CHOICES];

/** Everyone with an account, and the form that invites. */
export function developersPages(panel: Panel): Readonly<Record<string, Resource>> {
  const submitted = new SubmittedForms();
  return {
    [LIST]: {
      GET: operatorPage(panel, (ctx, signedIn) => showDevelopers(ctx, panel, signedIn)),
      POST: operatorForm(panel, (ctx, signedIn, form) => invite(ctx, panel, signedIn, form, submitted)),
    },
  };
}

async function invite(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInOperator,
  sent: Form,
  submitted: SubmittedForms,
): Promise<void> {
  const form = { developer: textOf(sent, 'developer'), role: textOf(sent, 'role') };
  try {
    const options = { role: form.role || undefined, by: signedIn.by };
    const invited = await submitted.once(formIdOf(sent), () => panel.accounts.invite(form.developer, options));
    if (invited === undefined)
      await showDevelopers(ctx, panel, signedIn, { form, messages: { form: T.alreadySent } }, 409);
    else {
      const link = `${publicAddress(ctx, panel) ?? panel.base}/panel/welcome/${invited.token}`;
      const page = { link, developer: form.developer, isSuspended: invited.suspendedAt !== undefined };
      show(ctx, panel, 'operator-link', { title: TEXTS.operator.link.title, current: 'developers', signedIn, ...page });
    }
  } catch (error) {
    await showDevelopers(ctx, panel, signedIn, { form, messages: messagesIn(error, WORDINGS) });
  }
}

interface Filled {
  readonly form: { readonly developer: string; readonly role: string };
  readonly messages?: Messages;
}

async function showDevelopers(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInOperator,
  filled: Filled = { form: { developer: '', role: '' } },
  status?: number,
): Promise<void> {
  const all = (await panel.accounts.list()).toReversed();
  const page = pageNumberIn(queryOf(ctx));
  const developers = all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((one) => viewOf(one, panel));
  const last = Math.max(1, Math.ceil(all.length / PAGE_SIZE));
  const pages = numberedLinks(page, last, (number) => `${panel.at}${LIST}?page=${number}`);
  const data = { developers, pages, choices: INVITATION_CHOICES, formId: randomUUID(), ...filled };
  show(ctx, panel, 'operator-developers', { title: T.title, current: 'developers', signedIn, ...data }, status);
}

/** Returns the address of the page of one developer. */
export function addressOf({ id }: Pick<Account, 'id'>, { at }: Pick<Panel, 'at'>): string {
  return `${at}${LIST}/${encodeURIComponent(id)}`;
}

/** Returns an account as pages show it. */
export function viewOf(account: Account, panel: Pick<Panel, 'at'>) {
  const { role, status, activeSince, suspendedAt, invitedAt } = account;
  return {
    ...account,
    href: addressOf(account, panel),
    roleText: TEXTS.operator.roles[role],
    statusText: T.statuses[status],
    invited: moment(invitedAt),
    active: activeSince && moment(activeSince),
    suspended: suspendedAt && moment(suspendedAt),
  };
}
