import { seeOther } from '../answers.js';
import { textOf } from '../form.js';
import { formOfMembers, formOfStrangers } from '../guards.js';
import { noticeIn, show } from '../page.js';
import type { Resource } from '../routes.js';
import { clearSession, memberOf, originOf, sessionToken, setSession } from '../session.js';
import type { Context, Handler, Panel } from '../visit.js';

const NOTICES = {
  'signed-out': 'You are signed out.',
  ended: 'Your session has ended. Sign in again to go on.',
};

const REFUSED = 'Name or password is wrong.';

export function signInPages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    '/sign-in': { GET: showSignIn(panel), POST: formOfStrangers(panel, (ctx, form) => signIn(ctx, panel, form)) },
    '/sign-out': { POST: formOfMembers(panel, (ctx) => signOut(ctx, panel)) },
  };
}

function showSignIn(panel: Panel): Handler {
  return async (ctx) => {
    if ((await memberOf(ctx, panel)) !== undefined) seeOther(ctx, `${panel.at}/keys`);
    else show(ctx, panel, 'sign-in', { title: 'Sign in', notice: noticeIn(ctx, NOTICES), name: '', problem: '' });
  };
}

/** A new session each time: one that was planted in the browser before is worth nothing afterwards. */
async function signIn(ctx: Context, panel: Panel, form: URLSearchParams): Promise<void> {
  const name = textOf(form, 'name');
  const answer = await panel.sessions.signIn(name, textOf(form, 'password'), originOf(ctx, panel));
  if (answer.outcome === 'slowed') {
    ctx.set('Retry-After', String(answer.seconds));
    show(ctx, panel, 'sign-in', { title: 'Sign in', name, problem: slowed(answer.seconds) }, 429);
  } else if (answer.outcome === 'refused') {
    show(ctx, panel, 'sign-in', { title: 'Sign in', name, problem: REFUSED }, 403);
  } else {
    await panel.sessions.signOut(sessionToken(ctx, panel) ?? '', originOf(ctx, panel));
    setSession(ctx, panel, answer.token);
    seeOther(ctx, `${panel.at}/keys`);
  }
}

async function signOut(ctx: Context, panel: Panel): Promise<void> {
  await panel.sessions.signOut(sessionToken(ctx, panel) ?? '', originOf(ctx, panel));
  clearSession(ctx, panel);
  seeOther(ctx, `${panel.at}/sign-in?notice=signed-out`);
}

function slowed(seconds: number): string {
  const wait = seconds === 1 ? 'one second' : `${seconds} seconds`;
  return `Those were a few wrong guesses in a row. Please wait ${wait}, then try again; nobody is locked out.`;
}
