import type { Account } from '../../application/account.js';
import type { DeveloperAccounts } from '../../application/developer-accounts.js';
import type { DeveloperKeys } from '../../application/developer-keys.js';
import { OPERATOR, type Actor } from '../../domain/access.js';
import type { ApiKey } from '../../domain/api-key.js';

/** Returns the keys in the order in which they were issued, 100 at most: a developer's own, or for the operator all. */
export async function issuedKeys(
  keys: Pick<DeveloperKeys, 'list'>,
  by: Actor = OPERATOR,
  developer?: string,
): Promise<readonly ApiKey[]> {
  return (await keys.list(by, { limit: 100, developer })).items.toReversed();
}

/** Returns the accounts in the order of their first invitation, 100 at most. */
export async function allAccounts(accounts: Pick<DeveloperAccounts, 'list'>): Promise<readonly Account[]> {
  return (await accounts.list(OPERATOR, { limit: 100 })).items.toReversed();
}
