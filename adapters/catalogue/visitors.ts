import { findSignedIn } from '../http/middleware/signed-in.js';
import type { Context, Handler } from '../http/context.js';
import { networkOf } from '../../domain/address.js';
import { visitorOf } from '../http/views/navigation.js';
import type { Member, Shop } from './options.js';

type Show = (ctx: Context, member: Member | undefined) => Promise<void>;

/** Makes the handlers of pages: each finds the visitor. */
export function visitorPages(shop: Shop): (show: Show) => Handler {
  return (show) => async (ctx) => {
    const member = await memberOf(ctx, shop);
    if (member === undefined && shop.visibility === 'members') redirectToSignIn(ctx, shop);
    else await show(ctx, member);
  };
}

/** Returns a function that finds the account of the visitor. */
export function accountsOf(shop: Shop): (ctx: Context) => Promise<string | undefined> {
  return async (ctx) => (shop.panel ? (await findSignedIn(ctx, shop))?.account.id : undefined);
}

/** Returns the visitor who is signed in to the panel; may be undefined. */
async function memberOf(ctx: Context, shop: Shop): Promise<Member | undefined> {
  const signedIn = shop.panel ? await findSignedIn(ctx, shop) : undefined;
  return signedIn && visitorOf(shop.addresses.root, signedIn);
}

/** Returns for whom a search is: an account, or the network of a visitor who is not signed in. */
export function clientOf({ req }: Context, { addressOf }: Shop, member: Member | undefined): string {
  return member?.account ?? networkOf(addressOf(req));
}

/** Leads to the sign-in, and from there back. */
function redirectToSignIn(ctx: Context, { addresses }: Shop): void {
  const back = new URLSearchParams({ next: `${addresses.root}${ctx.url}` });
  ctx.status = 303;
  ctx.set('Location', `${addresses.root}/panel/sign-in?${back.toString()}`);
}
