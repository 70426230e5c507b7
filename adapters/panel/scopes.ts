import { LIBRARY_SCOPE, SCOPES, type Scope } from '../../application/index.js';
import type { RequestOf } from './request.js';
import { TEXTS } from './texts/texts.js';

const HINTS = TEXTS.keys.scopeHints;

/** Returns the scopes that a person can give to an app, with what each allows. */
export function scopeChoices({ signedIn }: RequestOf<'member'>) {
  const allowed: readonly Scope[] = SCOPES.filter((name) => signedIn.caller.scopes.includes(name));
  return allowed.map((name) => ({ name, hint: HINTS[name] }));
}

/** Returns those that a person can give to a key. */
export function keyScopeChoices(request: RequestOf<'member'>) {
  return [...scopeChoices(request), { name: LIBRARY_SCOPE, hint: HINTS[LIBRARY_SCOPE] }];
}

/** Returns what each of these scopes allows. */
export function hintsOf(scopes: readonly Scope[]): readonly string[] {
  return scopes.map((scope) => HINTS[scope]);
}
