import type { Operator } from '../../../application/index.js';
import { Problem } from '../../http/problems/problem.js';
import type { Form } from '../form.js';
import { authenticatedForm, authenticatedPage } from '../guards.js';
import { notFound } from '../routes.js';
import type { Context, Handler, Panel, SignedInDeveloper } from '../visit.js';

/** An operator who is signed in. */
export interface SignedInOperator extends SignedInDeveloper {
  /** Acts on what is of all developers; the audit names the account. */
  readonly by: Operator;
}

/** A page for operators. For everyone else there is none; the role is read with each request. */
export function operatorPage(panel: Panel, show: (ctx: Context, signedIn: SignedInOperator) => Promise<void>): Handler {
  return authenticatedPage(panel, async (ctx, signedIn) => show(ctx, operatorOf(signedIn)), notForStrangers);
}

/** A form of a page for operators. */
export function operatorForm(
  panel: Panel,
  act: (ctx: Context, signedIn: SignedInOperator, form: Form) => Promise<void>,
): Handler {
  return authenticatedForm(
    panel,
    async (ctx, signedIn, form) => act(ctx, operatorOf(signedIn), form),
    notForStrangers,
  );
}

/** @throws Problem `not-found`, which does not tell whether there is a page */
function notForStrangers(): never {
  throw new Problem('not-found', 'The address may be wrong, or you need to sign in first.');
}

/** @throws Problem `not-found` for an account of another role */
function operatorOf(signedIn: SignedInDeveloper): SignedInOperator {
  const { account, caller } = signedIn;
  if (account.role !== 'operator') notFound();
  const origin = caller.origin && { origin: caller.origin };
  return { ...signedIn, by: { isOperator: true, operatorId: account.id, ...origin } };
}
