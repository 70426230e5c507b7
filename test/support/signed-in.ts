import type { Person, Role } from '../../application/index.js';

/** Returns the owner of a key as a person who is signed in. */
export function signedIn({ developerId }: Pick<Person, 'developerId'>, role: Role = 'developer'): Person {
  return { isSignedIn: true, developerId, role };
}
