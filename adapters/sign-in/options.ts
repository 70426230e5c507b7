import type { UseCases } from '../../application/core.js';
import { isIdentityText } from '../../domain/identity.js';
import { requireOptions, requireParts } from '../../domain/options.js';
import type { Role } from '../../domain/role.js';
import { assertOption } from '../edge/host-options.js';
import { isSafeForTokens, parsePublicUrl } from '../edge/public-url.js';

/** The use cases that find an account, give it a role and sign it in; `newCore` makes them. */
export interface SignInCore {
  readonly identities: Pick<UseCases['identities'], 'accountOf' | 'find'>;
  readonly accounts: Pick<UseCases['accounts'], 'find' | 'setRole'>;
  readonly sessions: Pick<UseCases['sessions'], 'start'>;
}

/** The values of a claim that give each role. Who has several has the highest. */
export interface ClaimRoles {
  /** The name of a claim, such as `groups`, or its path, such as `realm_access.roles`. */
  readonly claim: string;
  readonly operators?: readonly string[] | undefined;
  readonly developers?: readonly string[] | undefined;
  readonly buyers?: readonly string[] | undefined;
}

/** A claim that everyone must have, and its value. */
export interface RequiredClaim {
  readonly claim: string;
  readonly value: string;
}

/** The options of `createSignIn`. */
export interface SignInOptions {
  /** The address of the issuer, letter by letter as its tokens have it: https, or http on a loopback address. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What people call the issuer: "Sign in with Example". Default: `your organisation`. */
  readonly name?: string | undefined;
  /** Default: `openid profile email`. */
  readonly scopes?: string | undefined;
  /** The claim that is the subject. Default: `sub`. */
  readonly subject?: string | undefined;
  /** Who has which role, by a claim. Without it, `required` says who may sign in at all. */
  readonly roles?: ClaimRoles | undefined;
  readonly required?: RequiredClaim | undefined;
  /** The role of a new account without `roles`. Default: `buyer`. */
  readonly role?: Role | undefined;
  /** Gets what operators should know. Default: nothing is told. */
  readonly warn?: ((details: object, message: string) => void) | undefined;
}

const OPTIONS = {
  issuer: true,
  clientId: true,
  clientSecret: true,
  name: true,
  scopes: true,
  subject: true,
  roles: true,
  required: true,
  role: true,
  warn: true,
} as const;

/** The options with their defaults. */
export type SignInSettings = Required<Omit<SignInOptions, 'roles' | 'required'>> &
  Pick<SignInOptions, 'roles' | 'required'> & { [Name in 'name' | 'scopes' | 'subject']: string } & {
    readonly role: Role;
    readonly warn: NonNullable<SignInOptions['warn']>;
  };

/** @throws TypeError that names what is wrong. */
export function checkedOptions(core: SignInCore, options: SignInOptions): SignInSettings {
  requireOptions('createSignIn', options, OPTIONS);
  requireParts('createSignIn', 'a core', core, ['identities', 'accounts', 'sessions']);
  const { issuer, roles, required, name, scopes, subject, role, warn } = options;
  const isIssuer = isIdentityText(issuer) && parsePublicUrl(issuer) !== undefined && isSafeForTokens(issuer);
  assertOption(isIssuer, 'issuer must be an https URL, such as https://login.example; http is for loopback addresses');
  for (const text of ['clientId', 'clientSecret'] as const)
    assertOption(typeof options[text] === 'string' && options[text] !== '', `${text} must be a text`);
  const isClosed = roles !== undefined || required !== undefined;
  assertOption(isClosed, 'createSignIn needs roles or required: else everyone whom the issuer knows could sign in');
  return {
    ...options,
    name: name ?? 'your organisation',
    scopes: scopes ?? 'openid profile email',
    subject: subject ?? 'sub',
    role: role ?? 'buyer',
    warn: warn ?? (() => undefined),
  };
}
