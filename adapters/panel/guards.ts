import { findSignedIn, sessionToken } from '../http/middleware/signed-in.js';
import { seeOther } from './page.js';
import { refuseCrossSite } from './cross-site.js';
import { readForm, textOf, type Form } from './form.js';
import { crossSite } from './page-errors.js';
import { notFound } from './routes.js';
import { isSame } from './session.js';
import type { Context, Handler, Panel, SignedInDeveloper } from './visit.js';

type ShowPage = (ctx: Context, signedIn: SignedInDeveloper) => Promise<void>;
type ActOnForm = (ctx: Context, signedIn: SignedInDeveloper, form: Form) => Promise<void>;

/** The answer to a visitor who is not signed in. */
type Otherwise = (ctx: Context, panel: Panel) => void;

/** A page for signed-in developers. By default it redirects everyone else to the sign-in. */
export function authenticatedPage(panel: Panel, show: ShowPage, otherwise: Otherwise = redirectToSignIn): Handler {
  return async (ctx) => {
    const signedIn = await findSignedIn(ctx, panel);
    if (signedIn === undefined) otherwise(ctx, panel);
    else await show(ctx, signedIn);
  };
}

/** A form for signed-in developers. Refuses a form that is not from a page of the same session. */
export function authenticatedForm(panel: Panel, act: ActOnForm, otherwise: Otherwise = redirectToSignIn): Handler {
  return async (ctx) => {
    refuseCrossSite(ctx, panel);
    const signedIn = await findSignedIn(ctx, panel);
    if (signedIn === undefined) {
      otherwise(ctx, panel);
      return;
    }
    const form = await readForm(ctx);
    if (!isSame(textOf(form, 'token'), signedIn.formToken)) throw crossSite();
    await act(ctx, signedIn, form);
  };
}

/** A page for those who sell. There is none for buyers; the role is read with each request. */
export function sellerPage(panel: Panel, show: ShowPage): Handler {
  return authenticatedPage(panel, async (ctx, signedIn) => show(ctx, sellerOf(signedIn)));
}

/** A form of a page for those who sell. */
export function sellerForm(panel: Panel, act: ActOnForm): Handler {
  return authenticatedForm(panel, async (ctx, signedIn, form) => act(ctx, sellerOf(signedIn), form));
}

/** @throws Problem `not-found` for a buyer */
function sellerOf(signedIn: SignedInDeveloper): SignedInDeveloper {
  if (signedIn.account.role === 'buyer') notFound();
  return signedIn;
}

/** A form for visitors who are not signed in. */
export function publicForm(panel: Panel, act: (ctx: Context, form: Form) => Promise<void>): Handler {
  return async (ctx) => {
    refuseCrossSite(ctx, panel);
    await act(ctx, await readForm(ctx));
  };
}

function redirectToSignIn(ctx: Context, panel: Panel): void {
  seeOther(ctx, `${panel.at}/sign-in${sessionToken(ctx, panel) === undefined ? '' : '?notice=ended'}`);
}
