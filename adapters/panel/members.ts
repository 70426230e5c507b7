import type { Context } from '../http/context.js';
import { publicPath } from '../http/public-url.js';
import type { Visitor } from '../http/views/navigation.js';
import { visitorOf } from './page.js';
import { findSignedIn, type Sessions } from './session.js';

/** Returns a function that finds the person who is signed in to the panel, for pages outside of it. */
export function panelMembers(sessions: Sessions): (ctx: Context) => Promise<Visitor | undefined> {
  const base = publicPath(sessions.publicUrl);
  return async (ctx) => {
    const signedIn = await findSignedIn(ctx, sessions);
    return signedIn && visitorOf({ base }, signedIn);
  };
}
