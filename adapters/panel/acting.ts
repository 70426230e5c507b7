import type { Actor } from '../../application/index.js';
import { formFor, pageFor, sellerOf } from './guards.js';
import type { SignedInDeveloper } from './visit.js';

/** A signed-in person, and the rights with which they act: on what is their own, or as an operator. */
export interface Acting extends SignedInDeveloper {
  readonly by: Actor;
}

/** A page with what is a developer's own. */
export const ownPage = pageFor((signedIn) => actingAlone(sellerOf(signedIn)));

/** A form of a page with what is a developer's own. */
export const ownForm = formFor((signedIn) => actingAlone(sellerOf(signedIn)));

/** Returns a developer who acts on what is their own. */
export function actingAlone(signedIn: SignedInDeveloper): Acting {
  return { ...signedIn, by: signedIn.person };
}
