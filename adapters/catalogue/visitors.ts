import { findSignedIn } from '../http/middleware/signed-in.js';
import type { Context, Handler } from '../http/context.js';
import { networkOf } from '../../domain/address.js';
import { Problem } from '../http/problems/problem.js';
import { visitorOf } from '../http/views/navigation.js';
import type { Member, CatalogueApp } from './options.js';
import { TEXTS } from './texts.js';

type Show = (ctx: Context, member: Member | undefined) => Promise<void>;

type Refuse = (ctx: Context, app: CatalogueApp) => void;

/** Makes the handlers of pages: each finds the visitor. Who may not read is led to the sign-in, and from there back. */
export function visitorPages(app: CatalogueApp, refuse: Refuse = redirectToSignIn): (show: Show) => Handler {
  return (show) => async (ctx) => {
    const member = await memberOf(ctx, app);
    if (member === undefined && app.visibility === 'members') refuse(ctx, app);
    else await show(ctx, member);
  };
}

/**
 * Makes the handlers of feeds. A feed reader would take a page in place of a feed for a broken feed, and cannot sign in
 * there. No scheme that programs know would let it in, so the challenge names the cookie.
 */
export function visitorFeeds(app: CatalogueApp): (show: Show) => Handler {
  return visitorPages(app, () => {
    const headers = { 'WWW-Authenticate': 'Cookie realm="automation-marketplace"' };
    throw new Problem('missing-credentials', TEXTS.feedForMembers, { headers });
  });
}

/** Returns a function that finds the account of the visitor. */
export function accountsOf(app: CatalogueApp): (ctx: Context) => Promise<string | undefined> {
  return async (ctx) => (app.panel ? (await findSignedIn(ctx, app))?.account.id : undefined);
}

/** Returns the visitor who is signed in to the panel; may be undefined. */
async function memberOf(ctx: Context, app: CatalogueApp): Promise<Member | undefined> {
  const signedIn = app.panel ? await findSignedIn(ctx, app) : undefined;
  return signedIn && visitorOf(app.addresses.root, signedIn);
}

/** Returns for whom a search is: an account, or the network of a visitor who is not signed in. */
export function clientOf({ req }: Context, { addressOf }: CatalogueApp, member: Member | undefined): string {
  return member?.account ?? networkOf(addressOf(req));
}

function redirectToSignIn(ctx: Context, { addresses }: CatalogueApp): void {
  const back = new URLSearchParams({ next: `${addresses.root}${ctx.url}` });
  ctx.status = 303;
  ctx.set('Location', `${addresses.root}/panel/sign-in?${back.toString()}`);
}
