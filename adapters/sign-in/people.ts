import { DomainError } from '../../application/index.js';
import { OPERATOR, type DeveloperId, type Origin } from '../../domain/access.js';
import type { Role } from '../../domain/role.js';
import type { VouchedPerson } from './claims.js';
import type { SignInCore, SignInSettings } from './options.js';

/** A person who was signed in; without a token while the account is suspended. */
interface SignedInPerson {
  readonly role: Role;
  readonly isFirst: boolean;
  readonly token: string | undefined;
}

/** Signs a person in: finds the account, or makes one, gives the role, and starts the session. */
export async function signInPerson(
  core: SignInCore,
  { issuer, subject, role, keepsRole, sid }: VouchedPerson,
  origin: Origin,
  warn: SignInSettings['warn'],
): Promise<SignedInPerson> {
  const known = await core.identities.find({ issuer, subject });
  const id = known ?? (await core.identities.accountOf({ issuer, subject }));
  const account = await core.accounts.find(OPERATOR, id);
  const isFirst = account?.activeSince === undefined;
  const isDue = account?.status !== 'suspended' && (known === undefined || keepsRole);
  const isGiven = isDue && (await giveRole(core, id, role, origin));
  if (isDue && !isGiven)
    warn(
      { developerId: id },
      'the claims of the last active operator give another role; the role stays, since one operator must be left',
    );
  const token = await core.sessions.start({ ...OPERATOR, origin }, id, sid);
  return { isFirst, role: isGiven ? role : (account?.role ?? role), token };
}

/** Returns whether the role was given: the last active operator keeps theirs. */
async function giveRole({ accounts }: SignInCore, id: DeveloperId, role: Role, origin: Origin): Promise<boolean> {
  try {
    await accounts.setRole({ isOperator: true, operatorId: id, origin }, id, role);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'last-operator') return false;
    throw error;
  }
}
