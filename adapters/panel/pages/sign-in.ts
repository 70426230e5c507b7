import { findSignedIn, originOf, sessionToken } from '../../http/middleware/signed-in.js';
import { textOf } from '../form.js';
import { authenticatedForm, publicForm } from '../guards.js';
import { noticeIn, queryOf, seeOther, show } from '../page.js';
import type { Resource } from '../routes.js';
import { clearSession, setSession } from '../session.js';
import { TEXTS } from '../texts.js';
import type { Context, Handler, Panel } from '../visit.js';

const { title, refused, suspended, slowed } = TEXTS.signIn;
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
    else show(ctx, panel, 'sign-in', { title, notice: noticeIn(ctx, NOTICES), name: '', problem: '', next });
  };
}

/** Starts a new session each time, so that a session that was planted in the browser before is useless. */
async function signIn(ctx: Context, panel: Panel, form: URLSearchParams): Promise<void> {
  const name = textOf(form, 'name');
  const next = nextIn(panel, textOf(form, 'next'));
  const answer = await panel.sessions.signIn(name, textOf(form, 'password'), originOf(ctx, panel));
  if (answer.outcome === 'slowed') {
    ctx.set('Retry-After', String(answer.seconds));
    show(ctx, panel, 'sign-in', { title, name, next, problem: slowed(answer.seconds) }, 429);
  } else if (answer.outcome !== 'signed-in') {
    show(ctx, panel, 'sign-in', { title, name, next, problem: PROBLEMS[answer.outcome] }, 403);
  } else {
    await panel.sessions.signOut(sessionToken(ctx, panel) ?? '', originOf(ctx, panel));
    setSession(ctx, panel, answer.token);
    seeOther(ctx, next ?? panel.at);
  }
}

/** Returns the page of the catalogue that asked for the sign-in: no other address, since anyone can write a link. */
function nextIn({ base, catalogue }: Panel, next: string): string | undefined {
  const isPage = /^\/catalogue(?:[/?][\x21-\x5B\x5D-\x7E]*)?$/.test(next.slice(base.length));
  return catalogue && next.startsWith(base) && isPage ? next : undefined;
}

async function signOut(ctx: Context, panel: Panel): Promise<void> {
  await panel.sessions.signOut(sessionToken(ctx, panel) ?? '', originOf(ctx, panel));
  clearSession(ctx, panel);
  seeOther(ctx, `${panel.at}/sign-in?notice=signed-out`);
}
