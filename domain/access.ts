import { DomainError } from './errors.js';
import { ROLES, scopesOfRole, type Role } from './role.js';
import { LIBRARY_SCOPE, SCOPES, type Scope } from './scope.js';
import { isSlug, SLUG_RULE } from './slug.js';

/** The id of a developer: a slug that an operator chose, or a random one, which says nothing of the person. */
export type DeveloperId = string & { readonly __brand: 'DeveloperId' };

/**
 * A key or an access token: its owner, and its scopes. It reads the market and creates automations, and has no power
 * over the account of its owner. An `ApiKeyVerifier` makes one from a credential; a host with its own users makes one
 * itself.
 */
export interface Caller {
  readonly developerId: DeveloperId;
  readonly scopes: readonly Scope[];
  /** The role of its owner, where the verifier knows it. */
  readonly role?: Role | undefined;
  /** Who asks by it, when it is neither a key nor a token: a person (`callerOf`), or the operator of an import. */
  readonly actor?: Actor | undefined;
  /** Which credential was shown, for the log. Never the credential itself. */
  readonly credentialId?: string | undefined;
  readonly origin?: Origin | undefined;
}

/**
 * A person who is signed in, by a session or by the sign-in of a host. Manages what is their own: automations, keys,
 * profile, sessions.
 */
export interface Person {
  readonly isSignedIn: true;
  readonly developerId: DeveloperId;
  readonly role: Role;
  readonly origin?: Origin | undefined;
}

/** From where something is asked, for the audit. */
export interface Origin {
  /** An IP address. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
}

/** The one who runs the marketplace, and may do what no developer may. */
export interface Operator {
  readonly isOperator: true;
  /** The account under which the operator is signed in; undefined at the command line. */
  readonly operatorId?: DeveloperId | undefined;
  readonly origin?: Origin | undefined;
}

/** The operator of the command line, of sweeps and of a host's own admin code. It is passed in words, never assumed. */
export const OPERATOR: Operator = Object.freeze({ isOperator: true });

/** The one who manages: a person what is their own, or the operator what is of all developers. */
export type Actor = Person | Operator;

/** The one who acts, as a host in JavaScript may pass it. */
type Unproven =
  | { readonly [Member in 'isOperator' | 'isSignedIn' | 'developerId' | 'role' | 'scopes']?: unknown }
  | null
  | undefined;

/** Returns whether the operator acts. The value decides: a member that is merely present is no authority. */
export function isOperator(by: Actor | Caller): by is Operator {
  return (by as Unproven)?.isOperator === true;
}

/** Returns whether a person acts who is signed in. The value decides, as for the operator. */
export function isPerson(by: Actor | Caller): by is Person {
  return (by as Unproven)?.isSignedIn === true;
}

/** @throws TypeError unless the operator or a person acts. The types say the same to hosts in TypeScript. */
export function requireActor(by: Actor): void {
  if (!isOperator(by)) requirePerson(by);
}

/** @throws TypeError unless the operator acts. */
export function requireOperator(by: Operator): void {
  if (!isOperator(by))
    throw new TypeError('the operator alone may do this; pass OPERATOR, or { isOperator: true, ... }');
}

/** @throws TypeError unless the value is a person. A key and an access token are none, whatever their scopes are. */
export function requirePerson(by: Person): void {
  const { developerId: id, role } = (by as Unproven) ?? {};
  if (!isPerson(by) || !isDeveloperId(id) || !ROLES.some((known) => known === role))
    throw new TypeError(
      'a person who is signed in may do this, not a key or a token; pass { isSignedIn: true, developerId, role }',
    );
}

/** @throws TypeError unless the value is a caller: with the id of a developer, and with a list of scopes. */
export function requireCaller(caller: Caller): void {
  const { developerId: id, scopes } = (caller as Unproven) ?? {};
  if (scopes === undefined && isPerson(caller))
    throw new TypeError('a caller is needed here, not a person; pass callerOf(person)');
  if (scopes === undefined && isOperator(caller))
    throw new TypeError(
      'a caller is needed here, not the operator; pass one with a developerId and scopes, such as callerOf(person)',
    );
  if (!isDeveloperId(id)) throw new TypeError('the developerId of a caller must be one that parseDeveloperId takes');
  if (!Array.isArray(scopes)) throw new TypeError(`the scopes of a caller must be an array of ${SCOPES.join(', ')}`);
}

/** Returns a person as a caller, with every scope that their role allows, to read the market and to create. */
export function callerOf(person: Person): Caller {
  requirePerson(person);
  const { developerId, role, origin } = person;
  return { developerId, scopes: scopesOfRole(role), role, actor: person, origin };
}

/** @throws DomainError `invalid` when the text is no slug. */
export function parseDeveloperId(text: string): DeveloperId {
  const id = developerId(text);
  if (id !== undefined) return id;
  throw new DomainError('invalid', 'developer-id', `developer ${SLUG_RULE}`, [
    { field: 'developer', code: 'invalid-format', detail: SLUG_RULE },
  ]);
}

/** Returns the text as a developer's id; undefined when no developer can have it. */
export function developerId(text: string): DeveloperId | undefined {
  return isSlug(text) ? (text as DeveloperId) : undefined;
}

/** @throws DomainError `forbidden`, whose code is the missing scope; TypeError when the value is no caller. */
export function requireScope(caller: Caller, scope: Scope): void {
  requireCaller(caller);
  if (caller.scopes.includes(scope)) return;
  throw new DomainError('forbidden', scope, `this needs the scope ${scope}`);
}

/** Returns whether the caller may read a library of templates and the files in it. */
export function canReadLibrary({ scopes }: Caller): boolean {
  return scopes.includes('automations:read') || scopes.includes(LIBRARY_SCOPE);
}

/** @throws DomainError `forbidden` for a person whose role does not allow to sell; TypeError as `requireActor`. */
export function requireSeller(by: Actor): void {
  requireActor(by);
  if (!isOperator(by)) requireScope(callerOf(by), 'automations:write');
}

function isDeveloperId(value: unknown): boolean {
  return typeof value === 'string' && developerId(value) !== undefined;
}
