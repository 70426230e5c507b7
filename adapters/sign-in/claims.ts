import { isIdentityText, type Identity } from '../../domain/identity.js';
import type { Role } from '../../domain/role.js';
import type { IssuerRefused } from '../web/issuer-sign-in.js';
import type { ClaimRoles, SignInSettings } from './options.js';

/** The claims of an ID token that was verified. Each may be of any type. */
export type Claims = Readonly<Record<string, unknown>>;

/** The clocks of the issuer and of this machine may differ so much. */
export const CLOCK_SKEW_S = 60;

/** A person for whom the issuer vouches. */
export interface VouchedPerson extends Identity {
  readonly role: Role;
  /** Whether the role counts at each sign-in, not at the first alone. */
  readonly keepsRole: boolean;
  /** What the issuer calls its session; empty where it does not tell. */
  readonly sid: string;
}

/** Returns the person of whom the claims speak, with their role; or why they are not let in. */
export function personOf(claims: Claims, settings: SignInSettings, now: Date): VouchedPerson | IssuerRefused {
  const { issuer, clientId, required, roles } = settings;
  const [subject, sid = '', azp = clientId] = [claims[settings.subject], claims['sid'], claims['azp']];
  if (!isIdentityText(subject)) return notTaken(`the claim ${settings.subject} is no subject`);
  if (sid !== '' && !isIdentityText(sid)) return notTaken('the claim sid is no name of a session');
  if (azp !== clientId) return notTaken('the token is for another client');
  if (Number(claims['iat']) > now.getTime() / 1000 + CLOCK_SKEW_S) return notTaken('the token is of the future');
  if (required !== undefined && !textsIn(claims, required.claim).includes(required.value))
    return { outcome: 'not-admitted', reason: `the claim ${required.claim} is not what is required` };
  const person = { issuer, subject, sid };
  if (roles === undefined) return { ...person, role: settings.role, keepsRole: false };
  const role = roleIn(claims, roles);
  return role === undefined ? withoutRole(claims, roles) : { ...person, role, keepsRole: true };
}

function notTaken(reason: string): IssuerRefused {
  return { outcome: 'not-taken', reason };
}

/** Returns the highest role that the claim gives. */
function roleIn(claims: Claims, { claim, operators = [], developers = [], buyers = [] }: ClaimRoles): Role | undefined {
  const given = new Set(textsIn(claims, claim));
  const has = (values: readonly string[]) => values.some((value) => given.has(value));
  if (has(operators)) return 'operator';
  if (has(developers)) return 'developer';
  return has(buyers) ? 'buyer' : undefined;
}

/** Above 200 groups, Entra ID names where they can be asked for in their place. */
function withoutRole(claims: Claims, { claim }: ClaimRoles): IssuerRefused {
  const isElsewhere = at(claims['_claim_names'], claim) !== undefined || claims['hasgroups'] === true;
  if (isElsewhere) return { outcome: 'too-many-groups', reason: `the issuer has left ${claim} out: it is too long` };
  return { outcome: 'no-role', reason: `the claim ${claim} gives no role` };
}

/** Returns the texts of a claim: of the one that has this name, or else this path. */
function textsIn(claims: Claims, name: string): readonly string[] {
  const found = at(claims, name) ?? name.split('.').reduce<unknown>(at, claims);
  const all: readonly unknown[] = Array.isArray(found) ? found : [found];
  return all.filter((one) => typeof one === 'string');
}

function at(value: unknown, name: string): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isOwn ? (value as Claims)[name] : undefined;
}
