import { requireCaller, type Caller } from '../domain/access.js';
import type { ApiKeyVerifier, DeveloperRepository } from '../domain/ports.js';
import { boundedScopes, DEFAULT_ROLE } from '../domain/role.js';

/** The developers that are asked for their role, and whether they are suspended. */
export type Accounts = Pick<DeveloperRepository, 'find'>;

/**
 * Returns the caller with the role of their account and the scopes that it allows; undefined when they are suspended.
 * One without an account counts as a developer.
 */
export async function withAccountRights(caller: Caller, accounts: Accounts): Promise<Caller | undefined> {
  const account = await accounts.find(caller.developerId);
  if (account?.suspendedAt !== undefined) return undefined;
  const role = account?.role ?? DEFAULT_ROLE;
  const rights = { role, scopes: boundedScopes(caller.scopes, role) };
  // A spread that goes on with other members takes 2.7 µs, 2 % of a get; this takes 0.2 (Node 20).
  return Object.assign({}, caller, rights);
}

/**
 * A verifier around a verifier that does not look at role and suspension, such as one for the tokens of an issuer or of
 * a host.
 */
export class AccountRightsVerifier implements ApiKeyVerifier {
  /** Asks the accounts for the caller of each credential. */
  constructor(
    private readonly inner: ApiKeyVerifier,
    private readonly accounts: Accounts,
  ) {}

  async verify(credential: string): Promise<Caller | undefined> {
    const caller = await this.inner.verify(credential);
    if (!caller) return undefined;
    requireCaller(caller);
    return withAccountRights(caller, this.accounts);
  }
}
