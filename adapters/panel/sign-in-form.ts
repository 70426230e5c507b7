import { isAtOrBelow } from '../http/middleware/base-path.js';
import { fieldsToKeep, type Form } from './form.js';
import { show } from './page.js';
import { TEXTS } from './texts.js';
import type { Context, Panel } from './visit.js';

const T = TEXTS.signIn;

interface Filled {
  /** The page that was asked for. */
  readonly next: string | undefined;
  /** What was typed into the form of that page. */
  readonly kept?: ReturnType<typeof fieldsToKeep>;
  readonly name?: string;
  readonly notice?: string | undefined;
  readonly problem?: string;
}

/** Responds with the form for the sign-in. */
export function showSignInForm(ctx: Context, panel: Panel, filled: Filled, status?: number): void {
  show(ctx, panel, 'sign-in', { title: T.title, name: '', problem: '', kept: [], ...filled }, status);
}

/** Answers a form whose session has ended. The page has what was typed, so that the form comes back filled. */
export function askToSignIn(ctx: Context, panel: Panel, form: Form): void {
  const kept = fieldsToKeep(form);
  const filled = { kept, next: nextIn(panel, `${panel.base}${ctx.path}`), notice: T.toFinish };
  showSignInForm(ctx, panel, kept.length > 0 ? filled : { next: undefined, notice: T.ended }, 403);
}

const NO_HOST = 'http://host.invalid';
/** Visible ASCII without the backslash, which browsers read as a slash. */
const ADDRESS = /^[\x21-\x5B\x5D-\x7E]*$/;

/** Returns the page of ours that asked for the sign-in: no other address, since anyone can write a link. */
export function nextIn({ at, base, catalogue }: Panel, next: string): string | undefined {
  const url = ADDRESS.test(next) && URL.canParse(next, NO_HOST) ? new URL(next, NO_HOST) : undefined;
  const places = catalogue ? [at, `${base}/catalogue`] : [at];
  const isOurs = url?.origin === NO_HOST && places.some((place) => isAtOrBelow(url.pathname, place));
  return isOurs ? `${url.pathname}${url.search}` : undefined;
}
