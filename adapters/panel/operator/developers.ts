import { randomUUID } from 'node:crypto';
import { ROLES } from '../../../application/index.js';
import { formIdOf, SubmittedForms, textOf, type Form } from '../form.js';
import type { Messages, Wordings } from '../messages.js';
import { queryOf, show } from '../page.js';
import { pagerLinks, positionIn } from '../pager.js';
import { publicAddress } from '../pages/new-key.js';
import type { Resource } from '../routes.js';
import { TEXTS } from '../texts.js';
import type { Context, Panel } from '../visit.js';
import { DEVELOPERS_PATH, messagesOfChange, viewOf } from './accounts.js';
import { operatorForm, operatorPage, type SignedInOperator } from './guards.js';

const PAGE_SIZE = 50;
const T = TEXTS.operator.developers;
const WORDINGS: Wordings = { developer: { label: T.name }, role: { label: T.role } };

export const ROLE_CHOICES = ROLES.map((role) => ({ value: role, text: TEXTS.operator.roles[role] }));
/** Nothing chosen is no change. */
const INVITATION_CHOICES = [{ value: '', text: T.keepRole }, ...ROLE_CHOICES];

/** All developers, and the form that invites. */
export function developersPages(panel: Panel): Readonly<Record<string, Resource>> {
  const submitted = new SubmittedForms();
  return {
    [DEVELOPERS_PATH]: {
      GET: operatorPage(panel, (ctx, signedIn) => showDevelopers(ctx, panel, signedIn)),
      POST: operatorForm(
        panel,
        (ctx, signedIn, form) => invite(ctx, panel, signedIn, form, submitted),
        (ctx, signedIn, form, messages) => showDevelopers(ctx, panel, signedIn, { form: typedIn(form), messages }),
      ),
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
  const form = typedIn(sent);
  if (form.developer === signedIn.account.id && form.role !== '' && form.role !== 'operator') {
    await showDevelopers(ctx, panel, signedIn, { form, messages: { role: T.ownRole } });
    return;
  }
  try {
    const send = () => panel.accounts.invite(signedIn.by, form.developer, { role: form.role || undefined });
    const invited = await submitted.once(formIdOf(sent), send);
    if (invited === undefined)
      await showDevelopers(ctx, panel, signedIn, { form, messages: { form: T.alreadySent } }, 409);
    else {
      const link = `${publicAddress(ctx, panel) ?? panel.base}/panel/welcome/${invited.token}`;
      const { namesake, suspendedAt } = invited;
      const page = { link, developer: form.developer, isSuspended: suspendedAt !== undefined, namesake };
      show(ctx, panel, 'operator-link', { title: TEXTS.operator.link.title, current: 'developers', signedIn, ...page });
    }
  } catch (error) {
    await showDevelopers(ctx, panel, signedIn, { form, messages: messagesOfChange(error, WORDINGS) });
  }
}

function typedIn(form: Form): Filled['form'] {
  return { developer: textOf(form, 'developer'), role: textOf(form, 'role') };
}

interface Filled {
  readonly form: { readonly developer: string; readonly role: string };
  readonly messages?: Messages;
}

/** Shows a page of the developers. */
async function showDevelopers(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInOperator,
  filled: Filled = { form: { developer: '', role: '' } },
  status?: number,
): Promise<void> {
  const query = queryOf(ctx);
  const q = (query.get('q') ?? '').trim();
  const position = positionIn(query);
  const before = position.before && Buffer.from(position.before, 'base64url').toString();
  const text = q || undefined;
  const { items, next } = await panel.accounts.list(signedIn.by, { limit: PAGE_SIZE, before, text });
  const range = items.length === 0 ? '' : T.total(await panel.accounts.count(signedIn.by, text));
  const address = `${panel.at}${DEVELOPERS_PATH}`;
  const list = q === '' ? address : `${address}?${new URLSearchParams({ q }).toString()}`;
  // Ids of an issuer may have any character.
  const cursor = next && { next: Buffer.from(next).toString('base64url') };
  const pages = pagerLinks(list, position, { items, ...cursor });
  const developers = items.map((one) => viewOf(one, panel));
  const data = { developers, q, address, pages, range, choices: INVITATION_CHOICES, formId: randomUUID(), ...filled };
  show(ctx, panel, 'operator-developers', { title: T.title, current: 'developers', signedIn, ...data }, status);
}
