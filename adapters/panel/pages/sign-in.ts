import { DomainError } from '../../../application/index.js';
import { PASSWORD_LENGTH } from '../../../domain/password.js';
import { isAtOrBelow } from '../../edge/middleware/base-path.js';
import { setCookie } from '../../web/signed-in.js';
import { seeOther } from '../../edge/send.js';
import { fieldsToKeep, keptFields } from '../../web/form.js';
import type { Wordings } from '../messages.js';
import type { Panel } from '../panel.js';
import type { Audience, FormPage, ShownForm, RequestOf } from '../request.js';
import { TEXTS } from '../texts/texts.js';

const T = TEXTS.signIn;
const W = TEXTS.welcome;
const NOTICES = { 'signed-out': T.signedOut, ended: T.ended };

type VisitorRequest = RequestOf<'visitor'>;

const WORDINGS: Wordings = {
  name: { label: T.name, instead: { 'too-short': TEXTS.required(T.name), taken: W.nameTaken } },
  password: { label: T.password, instead: { 'too-common': W.tooCommon } },
};

/** Answers a form whose session has ended. The page has what was typed, so that the form comes back filled. */
export function askToSignIn(request: VisitorRequest): void {
  const { ctx, panel } = request;
  const kept = fieldsToKeep(request.form);
  const filled = { kept, next: nextIn(panel, `${panel.base}${ctx.path}`), notice: T.toFinish };
  showForm(request, kept.length > 0 ? filled : { notice: T.ended }, 403);
}

/** Starts a new session each time, so that a session that was planted in the browser before is useless. */
export const signIn: ShownForm<'visitor'> = {
  show: async (request) => {
    const { ctx, panel, query } = request;
    const next = nextIn(panel, query.get('next') ?? '');
    if (ctx.state.signedIn !== undefined) seeOther(ctx, next ?? panel.at);
    else showForm(request, { next, notice: request.notice(NOTICES) });
  },
  submit: async (request) => {
    const { ctx, panel, form } = request;
    const name = request.text('name');
    const filled = { name, next: nextIn(panel, request.text('next')), kept: keptFields(form) };
    const answer = await panel.sessions.signIn(name, request.text('password'), request.origin(), panel.passwordsOff);
    if (answer.outcome === 'signed-in') await begin(request, answer.token, filled);
    else if (answer.outcome !== 'slowed') showForm(request, { ...filled, problem: T[answer.outcome] }, 403);
    else {
      ctx.set('Retry-After', String(answer.seconds));
      showForm(request, { ...filled, problem: T.slowed(answer.seconds) }, 429);
    }
  },
};

export const signOut: FormPage<'member'> = {
  submit: async (request) => {
    await request.panel.sessions.signOut(request.sessionToken(), request.origin());
    setSession(request);
    request.goTo('/sign-in?notice=signed-out');
  },
};

interface Filled {
  readonly name?: string;
  /** The page that was asked for. */
  readonly next?: string | undefined;
  /** What was typed into the form of that page. */
  readonly kept?: ReturnType<typeof fieldsToKeep>;
  readonly notice?: string | undefined;
  readonly problem?: string;
}

/** Leads to the page that was asked for, in a new session. */
export async function begin(request: VisitorRequest, token: string, { next, kept = [] }: Filled): Promise<void> {
  const { ctx, panel } = request;
  await panel.sessions.signOut(request.sessionToken(), request.origin());
  setSession(request, token);
  seeOther(ctx, next ?? panel.at);
  // The browser sends the same form to the page that it was typed into, which shows it again.
  if (kept.length > 0 && next !== undefined) ctx.status = 307;
}

function showForm(request: VisitorRequest, filled: Filled, status?: number): void {
  const issuer = issuerOf(request, filled);
  const asksPassword = !request.panel.passwordsOff || request.query.has('password');
  const page = { title: T.title, name: '', problem: '', kept: [], issuer, asksPassword };
  request.show('sign-in', { ...page, ...filled }, status);
}

/** Returns what the page shows of an issuer. The link is none of a form, whose target browsers would check. */
function issuerOf(request: VisitorRequest, { next, notice }: Filled) {
  const { signIn, at } = request.panel;
  if (signIn === undefined) return undefined;
  const query = next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`;
  const backTo = `${request.publicAddress() ?? ''}/panel/sign-in`;
  const signOutUrl = notice === T.signedOut ? signIn.endSessionUrl(backTo) : undefined;
  return {
    name: signIn.name,
    url: signIn.isReachable() ? `${at}/sign-in/organisation${query}` : undefined,
    signOutUrl,
  };
}

const NO_HOST = 'http://host.invalid';
/** Visible ASCII without the backslash, which browsers read as a slash. */
const ADDRESS = /^[\x21-\x5B\x5D-\x7E]*$/;

/** Returns the page of the marketplace that asked for the sign-in: no other address, since anyone can write a link. */
export function nextIn({ at, base, catalogue }: Panel, next: string): string | undefined {
  const url = ADDRESS.test(next) && URL.canParse(next, NO_HOST) ? new URL(next, NO_HOST) : undefined;
  const places = catalogue ? [at, `${base}/catalogue`] : [at];
  const isOurs = url?.origin === NO_HOST && places.some((place) => isAtOrBelow(url.pathname, place));
  return isOurs ? `${url.pathname}${url.search}` : undefined;
}

/** The page that a sign-in link opens. */
export const acceptInvitation: ShownForm<'visitor'> = {
  show: async (request) => {
    const account = await request.panel.sessions.readInvitation(request.param('token'));
    if (account === undefined) showUsed(request);
    else {
      const isReturning = account.activeSince !== undefined;
      const { id: developer, role } = account;
      const page = { title: isReturning ? W.again : W.title, isReturning, developer, role, length: PASSWORD_LENGTH };
      request.show('welcome', { ...page, name: request.text('name', account.signInName) });
    }
  },
  wordings: () => WORDINGS,
  submit: async (request) => {
    const { sessions } = request.panel;
    const chosen = { name: request.text('name'), password: request.text('password') };
    try {
      const { token } = await sessions.accept(request.param('token'), chosen, request.origin());
      await sessions.signOut(request.sessionToken(), request.origin());
      setSession(request, token);
      request.goTo('?notice=welcome');
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'no-such-invitation') throw error;
      showUsed(request);
    }
  },
};

function showUsed(request: VisitorRequest): void {
  request.show('welcome-used', { title: W.used }, 404);
}

/** Sets the cookie of the session, unless another is named. Without a token, removes it. */
export function setSession(
  { ctx, panel }: Pick<RequestOf<Audience>, 'ctx' | 'panel'>,
  token?: string,
  cookie?: string,
) {
  setCookie(ctx, panel, token ?? '', { cookie, seconds: token === undefined ? 0 : undefined });
}
