import type { Operator } from '../../../application/index.js';
import { formFor, pageFor } from '../guards.js';
import { notFound } from '../routes.js';
import type { SignedInDeveloper } from '../visit.js';

/** An operator who is signed in. */
export interface SignedInOperator extends SignedInDeveloper {
  /** Acts on what is of all developers; the audit names the account. */
  readonly by: Operator;
}

/** A page for operators. For everyone else who is signed in there is none; the role is read with each request. */
export const operatorPage = pageFor(operatorOf);

/** A form of a page for operators. */
export const operatorForm = formFor(operatorOf);

/** @throws Problem `not-found` for an account of another role */
function operatorOf(signedIn: SignedInDeveloper): SignedInOperator {
  const { account, person } = signedIn;
  if (account.role !== 'operator') notFound();
  return { ...signedIn, by: { isOperator: true, operatorId: account.id, origin: person.origin } };
}
