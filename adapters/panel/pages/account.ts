import { DomainError, type ChangeOutcome, type SignInChange } from '../../../application/index.js';
import { sessionToken } from '../../http/middleware/signed-in.js';
import { PASSWORD_LENGTH } from '../../../domain/password.js';
import { textOf, type Form } from '../form.js';
import { authenticatedForm, authenticatedPage, type ActOnForm, type Refill } from '../guards.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { noticeIn, seeOther, show } from '../page.js';
import { idOf, type Resource } from '../routes.js';
import { clearSession } from '../session.js';
import { TEXTS } from '../texts.js';
import { moment } from '../../http/views/times.js';
import type { Context, Panel, SignedInDeveloper } from '../visit.js';

const T = TEXTS.account;

const NOTICES = { profile: T.profileSaved, name: T.nameSaved, password: T.passwordSaved, ended: T.sessionEnded };

const WORDINGS: Wordings = {
  publicName: { label: T.publicName },
  website: { label: T.website },
  name: { label: T.name, instead: { 'too-short': TEXTS.welcome.nameRequired, taken: TEXTS.welcome.nameTaken } },
  current: { label: T.currentPassword },
  password: { label: T.newPassword, instead: { 'too-common': TEXTS.welcome.tooCommon } },
};

/** The account page: the public profile, the sign-in, and the sessions. */
export function accountPages(panel: Panel): Readonly<Record<string, Resource>> {
  // A form with a mistake is shown at its own address, from which a reload leads back.
  const form = (act: ActOnForm<SignedInDeveloper>, refill?: Refill<SignedInDeveloper>): Resource => ({
    GET: authenticatedPage(panel, async (ctx) => seeOther(ctx, `${panel.at}/account`)),
    POST: authenticatedForm(panel, act, refill),
  });
  return {
    '/account': { GET: authenticatedPage(panel, (ctx, signedIn) => showAccount(ctx, panel, signedIn)) },
    '/account/profile': form(
      (ctx, signedIn, fields) => changeProfile(ctx, panel, signedIn, fields),
      (ctx, signedIn, fields, messages) => showAccount(ctx, panel, signedIn, { typed: profileIn(fields), messages }),
    ),
    '/account/sign-in-name': form(
      (ctx, signedIn, fields) => {
        const change = { current: textOf(fields, 'nameCurrent'), name: textOf(fields, 'name') };
        return changeSignIn(ctx, panel, signedIn, change, 'nameCurrent');
      },
      (ctx, signedIn, fields, messages) =>
        showAccount(ctx, panel, signedIn, { typed: { name: textOf(fields, 'name') }, messages }),
    ),
    '/account/password': form((ctx, signedIn, fields) => {
      const change = { current: textOf(fields, 'current'), password: textOf(fields, 'password') };
      return changeSignIn(ctx, panel, signedIn, change, 'current');
    }),
    '/account/sign-out-everywhere': form((ctx, signedIn) => signOutEverywhere(ctx, panel, signedIn)),
    '/account/sessions/:id/end': form((ctx, signedIn) => endSession(ctx, panel, signedIn)),
  };
}

function profileIn(form: Form) {
  return { publicName: textOf(form, 'publicName'), website: textOf(form, 'website') };
}

async function changeProfile(ctx: Context, panel: Panel, signedIn: SignedInDeveloper, form: Form): Promise<void> {
  const typed = profileIn(form);
  try {
    await panel.profiles.change(signedIn.person, typed);
    seeOther(ctx, `${panel.at}/account?notice=profile`);
  } catch (error) {
    await showAccount(ctx, panel, signedIn, { typed, messages: messagesIn(error, WORDINGS) });
  }
}

/** The two forms have the current password in fields of different names, as a page has each name once. */
async function changeSignIn(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInDeveloper,
  change: SignInChange,
  field: 'current' | 'nameCurrent',
): Promise<void> {
  const typed = typeof change.name === 'string' ? { name: change.name } : {};
  try {
    const outcome = await panel.security.changeSignIn(signedIn.person, change, sessionToken(ctx, panel) ?? '');
    if (outcome.outcome === 'slowed') await showSlowed(ctx, panel, signedIn, outcome);
    else seeOther(ctx, `${panel.at}/account?notice=${change.password === undefined ? 'name' : 'password'}`);
  } catch (error) {
    const { current, ...others } = messagesOfSignIn(error);
    const messages = { ...others, ...(current !== undefined && { [field]: current }) };
    await showAccount(ctx, panel, signedIn, { typed, messages });
  }
}

/** @throws any other error */
function messagesOfSignIn(error: unknown): Messages {
  if (error instanceof DomainError && error.code === 'revised-meanwhile') return { form: T.changedMeanwhile };
  return messagesIn(error, WORDINGS);
}

async function showSlowed(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInDeveloper,
  { seconds }: Extract<ChangeOutcome, { outcome: 'slowed' }>,
): Promise<void> {
  ctx.set('Retry-After', String(seconds));
  await showAccount(ctx, panel, signedIn, { messages: { form: TEXTS.signIn.slowed(seconds) } }, 429);
}

/** A session that ended in the meantime is no mistake. */
async function endSession(ctx: Context, panel: Panel, { person }: SignedInDeveloper): Promise<void> {
  await panel.security.endSession(person, idOf(ctx));
  seeOther(ctx, `${panel.at}/account?notice=ended`);
}

async function signOutEverywhere(ctx: Context, panel: Panel, { person }: SignedInDeveloper): Promise<void> {
  await panel.security.signOutEverywhere(person);
  clearSession(ctx, panel);
  seeOther(ctx, `${panel.at}/sign-in?notice=signed-out`);
}

interface Filled {
  readonly typed?: { readonly publicName?: string; readonly website?: string; readonly name?: string };
  readonly messages?: Messages;
}

async function showAccount(
  ctx: Context,
  panel: Panel,
  signedIn: SignedInDeveloper,
  { typed = {}, messages = {} }: Filled = {},
  status?: number,
): Promise<void> {
  const { account, person } = signedIn;
  const sessions = await panel.security.listSessions(person, sessionToken(ctx, panel) ?? '');
  const form = {
    publicName: typed.publicName ?? account.publicName ?? '',
    website: typed.website ?? account.website ?? '',
    name: typed.name ?? account.signInName ?? '',
  };
  const page = {
    title: T.title,
    current: 'account',
    signedIn,
    notice: noticeIn(ctx, NOTICES),
    messages,
    account,
    form,
    length: PASSWORD_LENGTH,
    sessions: sessions.map((one) => ({ ...one, signedIn: moment(one.signedInAt), until: moment(one.until) })),
  } as const;
  show(ctx, panel, 'account', page, status);
}
