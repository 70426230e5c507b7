import { SCOPES, type Scope } from '../../../domain/scope.js';
import type { Context, RequestState } from '../context.js';
import type { ProblemSlug } from '../problems/table.js';
import type { Problem } from '../problems/problem.js';

const REALM = 'Bearer realm="automation-marketplace"';
const CHALLENGES: Partial<Record<ProblemSlug, string>> = {
  'missing-credentials': REALM,
  'invalid-token': `${REALM}, error="invalid_token"`,
};

export interface ChallengeSettings {
  /** Named in every challenge (RFC 9728, section 5.1); may be empty. */
  readonly resourceMetadata?: (() => string) | undefined;
  /** Named in a challenge to a client without valid credentials: what it needs first. Default: none. */
  readonly firstScope?: Scope | undefined;
}

/** Returns the value of WWW-Authenticate for a problem with credentials (RFC 6750, section 3); undefined for others. */
export function challengeOf(
  { slug, options: { missingScope } }: Problem,
  { state }: Context,
  { firstScope, resourceMetadata = () => '' }: ChallengeSettings,
): string | undefined {
  const isForbidden = missingScope !== undefined;
  const challenge = isForbidden ? `${REALM}, error="insufficient_scope"` : CHALLENGES[slug];
  if (challenge === undefined) return undefined;
  const scope = isForbidden ? scopesToAskFor(missingScope, state) : firstScope;
  const address = resourceMetadata();
  return `${challenge}${scope ? `, scope="${scope}"` : ''}${address ? `, resource_metadata="${address}"` : ''}`;
}

/** A client asks for exactly these: without those that it has, it would lose them. */
function scopesToAskFor(missing: string, { caller }: Partial<RequestState>): string {
  return SCOPES.filter((scope) => scope === missing || caller?.scopes.includes(scope)).join(' ');
}
