import { findSignedIn, originOf, sessionToken } from '../../http/middleware/signed-in.js';
import { keptFields, textOf } from '../form.js';
import { authenticatedForm, publicForm } from '../guards.js';
import { noticeIn, queryOf, seeOther } from '../page.js';
import { nextIn, showSignInForm } from '../sign-in-form.js';
import type { Resource } from '../routes.js';
import { clearSession, setSession } from '../session.js';
import { TEXTS } from '../texts.js';
import type { Context, Handler, Panel } from '../visit.js';

const { refused, suspended, slowed } = TEXTS.signIn;
const NOTICES = { 'signed-out': TEXTS.signIn.signedOut, ended: TEXTS.signIn.ended };
const PROBLEMS = { refused, suspended };

export function signInPages(panel: Panel): Readonly<Record<string, Resource>> {
  return {
    '/sign-in': { GET: showSignIn(panel), POST: publicForm(panel, (ctx, form) => signIn(ctx, panel, form)) },
    '/sign-out': { POST: authenticatedForm(panel, (ctx) => signOut(ctx, panel)) },
  };
}

function showSignIn(panel: Panel): Handler {
  return async (ctx) => {
    const next = nextIn(panel, queryOf(ctx).get('next') ?? '');
    if ((await findSignedIn(ctx, panel)) !== undefined) seeOther(ctx, next ?? panel.at);
    else showSignInForm(ctx, panel, { notice: noticeIn(ctx, NOTICES), next });
  };
}

/** Starts a new session each time, so that a session that was planted in the browser before is useless. */
async function signIn(ctx: Context, panel: Panel, form: URLSearchParams): Promise<void> {
  const name = textOf(form, 'name');
  const next = nextIn(panel, textOf(form, 'next'));
  const kept = keptFields(form);
  const answer = await panel.sessions.signIn(name, textOf(form, 'password'), originOf(ctx, panel));
  if (answer.outcome === 'slowed') {
    ctx.set('Retry-After', String(answer.seconds));
    showSignInForm(ctx, panel, { name, next, kept, problem: slowed(answer.seconds) }, 429);
  } else if (answer.outcome !== 'signed-in') {
    showSignInForm(ctx, panel, { name, next, kept, problem: PROBLEMS[answer.outcome] }, 403);
  } else {
    await panel.sessions.signOut(sessionToken(ctx, panel) ?? '', originOf(ctx, panel));
    setSession(ctx, panel, answer.token);
    seeOther(ctx, next ?? panel.at);
    // The browser sends the same form to the page that it was typed into, which shows it again.
    if (kept.length > 0 && next !== undefined) ctx.status = 307;
  }
}

async function signOut(ctx: Context, panel: Panel): Promise<void> {
  await panel.sessions.signOut(sessionToken(ctx, panel) ?? '', originOf(ctx, panel));
  clearSession(ctx, panel);
  seeOther(ctx, `${panel.at}/sign-in?notice=signed-out`);
}
