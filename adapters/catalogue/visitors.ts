import { networkOf } from '../../domain/address.js';
import type { Context, Handler } from '../edge/context.js';
import { leadToSignIn } from '../web/signed-in.js';
import { Problem } from '../edge/problems/problem.js';
import { visitorOf, type Visitor } from '../web/views/navigation.js';
import type { CatalogueApp } from './app.js';
import { TEXTS } from './texts.js';

type Show = (ctx: Context, app: CatalogueApp) => Promise<void>;

/** Returns the handler of a page. Who may not read is led to the sign-in, and from there back. */
export function pageFor(app: CatalogueApp, show: Show): Handler {
  return async (ctx) => {
    if (mayRead(ctx, app)) await show(ctx, app);
    else leadToSignIn(ctx, app);
  };
}

/**
 * Returns the handler of a feed. A feed reader would take a page in place of a feed for a broken feed, and cannot sign
 * in there. No scheme that programs know would let it in, so the challenge names the cookie.
 */
export function feedFor(app: CatalogueApp, show: Show): Handler {
  return async (ctx) => {
    const headers = { 'WWW-Authenticate': 'Cookie realm="automation-marketplace"' };
    if (!mayRead(ctx, app)) throw new Problem('missing-credentials', TEXTS.feedForMembers, { headers });
    await show(ctx, app);
  };
}

function mayRead({ state }: Context, { visibility }: CatalogueApp): boolean {
  return visibility === 'public' || state.signedIn !== undefined;
}

/** Returns the visitor as the header shows them; undefined if they are not signed in. */
export function memberOf({ state }: Context, { base, panel, apps, reports }: CatalogueApp): Visitor | undefined {
  const visitor = state.signedIn && visitorOf(base, state.signedIn, { apps, reports: reports !== undefined });
  return visitor && !panel ? { ...visitor, groups: [] } : visitor;
}

/** Returns for whom a search is: an account, or the network of a visitor who is not signed in. */
export function clientOf({ req, state }: Context, { addressOf }: CatalogueApp): string {
  return state.signedIn?.account.id ?? networkOf(addressOf(req));
}
