import type { Actor } from '../../application/index.js';
import type { Form } from './form.js';
import { sellerForm, sellerPage } from './guards.js';
import type { Context, Handler, Panel, SignedInDeveloper } from './visit.js';

/** A signed-in person, and the rights with which they act: on what is their own, or as an operator. */
export interface Acting extends SignedInDeveloper {
  readonly by: Actor;
}

/** A page with what is a developer's own. */
export function ownPage(panel: Panel, show: (ctx: Context, acting: Acting) => Promise<void>): Handler {
  return sellerPage(panel, (ctx, signedIn) => show(ctx, actingAlone(signedIn)));
}

/** A form of a page with what is a developer's own. */
export function ownForm(panel: Panel, act: (ctx: Context, acting: Acting, form: Form) => Promise<void>): Handler {
  return sellerForm(panel, (ctx, signedIn, form) => act(ctx, actingAlone(signedIn), form));
}

/** Returns a developer who acts on what is their own. */
export function actingAlone(signedIn: SignedInDeveloper): Acting {
  return { ...signedIn, by: signedIn.caller };
}
