import { findSignedIn, sessionToken } from '../http/middleware/signed-in.js';
import { Problem } from '../http/problems/problem.js';
import { refuseCrossSite, refuseWithoutTls } from './cross-site.js';
import { keptIn, readForm, textOf, type Form } from './form.js';
import type { Messages } from './messages.js';
import { seeOther } from './page.js';
import { notFound } from './routes.js';
import { isSame } from './session.js';
import { askToSignIn } from './sign-in-form.js';
import { TEXTS } from './texts.js';
import type { Context, Handler, Panel, SignedInDeveloper } from './visit.js';

type ShowPage<Visitor> = (ctx: Context, visitor: Visitor) => Promise<void>;
export type ActOnForm<Visitor> = (ctx: Context, visitor: Visitor, form: Form) => Promise<void>;

/** Shows a form again as it was typed, with messages. Nothing else is done. */
export type Refill<Visitor> = (ctx: Context, visitor: Visitor, form: Form, messages: Messages) => Promise<void>;

/** Makes the handler of a page for some visitors. */
export type PageOf<Visitor> = (panel: Panel, show: ShowPage<Visitor>) => Handler;
/** Makes the handler of a form for some visitors. A form with typed text takes a function that shows it again. */
export type FormOf<Visitor> = (panel: Panel, act: ActOnForm<Visitor>, refill?: Refill<Visitor>) => Handler;

/** A page for signed-in developers. Everyone else signs in first, and comes back. */
export const authenticatedPage: PageOf<SignedInDeveloper> = (panel, show) => async (ctx) => {
  const signedIn = await findSignedIn(ctx, panel);
  if (signedIn !== undefined) await show(ctx, signedIn);
  else seeOther(ctx, signInAddress(ctx, panel));
};

/**
 * A form for signed-in developers. Refuses a form of another site. Nothing is done with a form that is not from a page
 * of the same session: it is shown again as it was typed, after a sign-in if the session has ended.
 */
export const authenticatedForm: FormOf<SignedInDeveloper> = (panel, act, refill = refuse) => {
  return async (ctx) => {
    refuseCrossSite(ctx, panel);
    const signedIn = await findSignedIn(ctx, panel);
    const form = await readForm(ctx);
    if (signedIn === undefined) askToSignIn(ctx, panel, form);
    else if (isSame(textOf(form, 'token'), signedIn.formToken)) await act(ctx, signedIn, form);
    else {
      await refill(ctx, signedIn, keptIn(form), { form: TEXTS.earlierSession });
      ctx.status = 403;
    }
  };
};

/** A page for those who sell. There is none for buyers; the role is read with each request. */
export const sellerPage = pageFor(sellerOf);

/** A form of a page for those who sell. */
export const sellerForm = formFor(sellerOf);

/** Returns pages for those of the signed-in visitors whom `of` does not refuse. */
export function pageFor<Visitor>(of: (signedIn: SignedInDeveloper) => Visitor): PageOf<Visitor> {
  return (panel, show) => authenticatedPage(panel, (ctx, signedIn) => show(ctx, of(signedIn)));
}

/** Returns forms for those of the signed-in visitors whom `of` does not refuse. */
export function formFor<Visitor>(of: (signedIn: SignedInDeveloper) => Visitor): FormOf<Visitor> {
  return (panel, act, refill = refuse) =>
    authenticatedForm(
      panel,
      (ctx, signedIn, form) => act(ctx, of(signedIn), form),
      (ctx, signedIn, form, messages) => refill(ctx, of(signedIn), form, messages),
    );
}

/** A form for visitors who are not signed in, who then get a session. */
export function publicForm(panel: Panel, act: (ctx: Context, form: Form) => Promise<void>): Handler {
  return async (ctx) => {
    refuseCrossSite(ctx, panel);
    refuseWithoutTls(ctx, panel);
    await act(ctx, await readForm(ctx));
  };
}

/** @throws Problem `not-found` for a buyer */
export function sellerOf(signedIn: SignedInDeveloper): SignedInDeveloper {
  if (signedIn.account.role === 'buyer') notFound();
  return signedIn;
}

/** Refuses a form without typed text, which has nothing to show again. */
function refuse(): never {
  throw new Problem('cross-site-request', TEXTS.earlierSession);
}

function signInAddress(ctx: Context, panel: Panel): string {
  const query = new URLSearchParams();
  if (sessionToken(ctx, panel) !== undefined) query.set('notice', 'ended');
  if (ctx.url !== '/panel') query.set('next', `${panel.base}${ctx.url}`);
  return `${panel.at}/sign-in${query.size === 0 ? '' : `?${query.toString()}`}`;
}
