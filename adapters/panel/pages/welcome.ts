import { originOf, sessionToken } from '../../http/middleware/signed-in.js';
import { textOf } from '../form.js';
import { publicForm } from '../guards.js';
import { messagesIn, type Messages, type Wordings } from '../messages.js';
import { seeOther, show } from '../page.js';
import type { Resource } from '../routes.js';
import { setSession } from '../session.js';
import { DomainError, type Account } from '../../../application/index.js';
import { PASSWORD_LENGTH } from '../../../domain/password.js';
import { TEXTS } from '../texts.js';
import type { Context, Handler, Panel } from '../visit.js';

const T = TEXTS.welcome;

const WORDINGS: Wordings = {
  name: { label: TEXTS.signIn.name, instead: { 'too-short': T.nameRequired, taken: T.nameTaken } },
  password: { label: TEXTS.signIn.password, instead: { 'too-common': T.tooCommon } },
};

/** The page that a welcome link opens. */
export function welcomePages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    '/welcome/:token': {
      GET: showWelcome(panel),
      POST: publicForm(panel, (ctx, form) => accept(ctx, panel, form)),
    },
  };
}

function showWelcome(panel: Panel): Handler {
  return async (ctx) => {
    const account = await panel.sessions.readInvitation(tokenOf(ctx));
    if (account === undefined) showUsed(ctx, panel);
    else showForm(ctx, panel, account, { name: account.signInName ?? '' });
  };
}

async function accept(ctx: Context, panel: Panel, form: URLSearchParams): Promise<void> {
  const name = textOf(form, 'name');
  const account = await panel.sessions.readInvitation(tokenOf(ctx));
  if (account === undefined) {
    showUsed(ctx, panel);
    return;
  }
  try {
    const chosen = { name, password: textOf(form, 'password') };
    const { token } = await panel.sessions.accept(tokenOf(ctx), chosen, originOf(ctx, panel));
    await panel.sessions.signOut(sessionToken(ctx, panel) ?? '', originOf(ctx, panel));
    setSession(ctx, panel, token);
    seeOther(ctx, `${panel.at}?notice=welcome`);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'no-such-invitation') showUsed(ctx, panel);
    else showForm(ctx, panel, account, { name, messages: messagesIn(error, WORDINGS) });
  }
}

interface Filled {
  readonly name: string;
  readonly messages?: Messages;
}

function showForm(ctx: Context, panel: Panel, account: Account, filled: Filled): void {
  const isReturning = account.activeSince !== undefined;
  const title = isReturning ? T.again : T.title;
  const { id: developer, role } = account;
  show(ctx, panel, 'welcome', { title, isReturning, developer, role, length: PASSWORD_LENGTH, ...filled });
}

function showUsed(ctx: Context, panel: Panel): void {
  show(ctx, panel, 'welcome-used', { title: T.used }, 404);
}

function tokenOf(ctx: Context): string {
  return (ctx as Context & { readonly params: { readonly token?: string } }).params.token ?? '';
}
