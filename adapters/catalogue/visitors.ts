import { findSignedIn, type SignedInDeveloper } from '../http/middleware/signed-in.js';
import type { Context, Handler } from '../http/context.js';
import { networkOf } from '../../domain/address.js';
import { Problem } from '../http/problems/problem.js';
import { visitorOf } from '../http/views/navigation.js';
import type { Member, CatalogueApp } from './options.js';
import { TEXTS } from './texts.js';

type Show = (ctx: Context, member: Member | undefined) => Promise<void>;

type Refuse = (ctx: Context, app: CatalogueApp) => void | Promise<void>;

/** Makes the handlers of pages: each finds the visitor. Who may not read is led to the sign-in, and from there back. */
export function visitorPages(app: CatalogueApp, refuse: Refuse = redirectToSignIn): (show: Show) => Handler {
  return (show) => async (ctx) => {
    const member = await memberOf(ctx, app);
    if (member === undefined && app.visibility === 'members') await refuse(ctx, app);
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
  return async (ctx) => (await findMember(ctx, app))?.account.id;
}

/** Returns the visitor as the header shows them; undefined if they are not signed in. */
async function memberOf(ctx: Context, app: CatalogueApp): Promise<Member | undefined> {
  const signedIn = await findMember(ctx, app);
  if (signedIn === undefined) return undefined;
  const visitor = visitorOf(app.addresses.root, signedIn);
  return app.panel ? visitor : { ...visitor, groups: [] };
}

/** Returns the visitor who is signed in, to the panel or by the host; may be undefined. */
async function findMember(ctx: Context, app: CatalogueApp): Promise<SignedInDeveloper | undefined> {
  return app.panel || app.host !== undefined ? findSignedIn(ctx, app) : undefined;
}

/** Returns for whom a search is: an account, or the network of a visitor who is not signed in. */
export function clientOf({ req }: Context, { addressOf }: CatalogueApp, member: Member | undefined): string {
  return member?.account ?? networkOf(addressOf(req));
}

async function redirectToSignIn(ctx: Context, { addresses, host }: CatalogueApp): Promise<void> {
  if (host !== undefined) return host.refuse(ctx, addresses.root);
  const back = new URLSearchParams({ next: `${addresses.root}${ctx.url}` });
  ctx.status = 303;
  ctx.set('Location', `${addresses.root}/panel/sign-in?${back.toString()}`);
}
