import { callerOf, developerId, requireCaller, type Caller, type DeveloperId } from '../domain/access.js';
import { Violations } from '../domain/errors.js';
import { IDENTITY_TEXT_RULE, isIdentityText } from '../domain/identity.js';
import { ROLES, type Role } from '../domain/role.js';
import { checkText } from '../domain/text.js';
import { accountOf, type Account } from './account.js';
import type { Accounts } from './account-rights.js';

/** What a host says of a user, besides who they are. */
interface HostUserRights {
  /** Shown to the user alone, on their own pages. Default: the id. */
  readonly name?: string | undefined;
  /** The scopes follow from it. */
  readonly role: Role;
}

/** A user whom a host knows by a subject, which no other user has or gets: their account is made the first time. */
export interface HostSubject extends HostUserRights {
  readonly subject: string;
  readonly developerId?: undefined;
}

/** A user whom a host gives an id, as it keeps the ids of developers itself. */
export interface HostDeveloper extends HostUserRights {
  readonly developerId: DeveloperId;
  readonly subject?: undefined;
}

/** A user whom a host has signed in. */
export type HostUser = HostSubject | HostDeveloper;

/** Returns the account of a user whom a host knows by this subject. */
export type AccountOfSubject = (subject: string) => Promise<DeveloperId>;

const NAME = { maxLength: 255, multiline: false };

/**
 * Returns the account of a user whom a host has signed in, with the role that the host gives; undefined while they are
 * suspended in the store. Rejects with a TypeError that names what is wrong with the user.
 */
export async function accountOfHostUser(
  user: unknown,
  accountOfSubject: AccountOfSubject,
  accounts: Accounts,
  now: Date,
): Promise<Account | undefined> {
  const { developerId: id, name, role } = await parseHostUser(user, accountOfSubject);
  const developer = await accounts.find(id);
  if (developer?.suspendedAt !== undefined) return undefined;
  const account = developer ? accountOf(developer) : { addedAt: now };
  return { ...account, id, role, status: 'active', ...(name !== undefined && { signInName: name }) };
}

/**
 * Returns the caller that a host has found: a user, whose scopes follow from the role, or a caller with scopes of its
 * own. Undefined while its developer is suspended, as for keys and tokens. Rejects as `parseHostCaller`.
 */
export async function callerOfHost(
  found: unknown,
  accountOfSubject: AccountOfSubject,
  accounts: Accounts,
): Promise<Caller | undefined> {
  const caller = await parseHostCaller(found, accountOfSubject);
  return (await accounts.find(caller.developerId))?.suspendedAt === undefined ? caller : undefined;
}

/** Rejects with a TypeError that names what is wrong: a host may return anything. */
export async function parseHostCaller(
  found: unknown,
  accountOfSubject: AccountOfSubject = noAccounts,
): Promise<Caller> {
  const { scopes, role } = (found ?? {}) as { readonly scopes?: unknown; readonly role?: unknown };
  if (scopes === undefined && role !== undefined)
    return callerOf({ isSignedIn: true, ...(await parseHostUser(found, accountOfSubject)) });
  requireCaller(found as Caller);
  return found as Caller;
}

/** Parses the role and the name first: a user who is refused gets no account. */
async function parseHostUser(unchecked: unknown, accountOfSubject: AccountOfSubject): Promise<HostDeveloper> {
  if (typeof unchecked !== 'object' || unchecked === null) throw wrong('the user', '{ subject, name, role }');
  const { subject, developerId: id, name, role: given } = unchecked as { readonly [Name in keyof HostUser]?: unknown };
  const role = ROLES.find((known) => known === given);
  if (role === undefined) throw wrong('role', `one of ${ROLES.join(', ')}`);
  const shown = name === undefined ? undefined : { name: parseName(name) };
  return { developerId: await parseWho(subject, id, accountOfSubject), role, ...shown };
}

async function parseWho(subject: unknown, id: unknown, accountOfSubject: AccountOfSubject): Promise<DeveloperId> {
  if (subject === undefined) {
    const known = developerId(id as string);
    if (known === undefined) throw wrong('developerId', 'an id that parseDeveloperId takes, or subject in its place');
    return known;
  }
  if (id !== undefined) throw wrong('developerId', 'missing next to subject');
  if (!isIdentityText(subject)) throw wrong('subject', IDENTITY_TEXT_RULE);
  return accountOfSubject(subject);
}

async function noAccounts(): Promise<never> {
  throw new TypeError('a user with a subject needs sessions: core.sessions, which find the account');
}

function parseName(name: unknown): string {
  const violations = new Violations();
  const text = checkText(name, NAME, violations.field('name'));
  if (violations.fields.length > 0) throw wrong('name', `undefined, or a line of 1 to ${NAME.maxLength} characters`);
  return text;
}

function wrong(what: string, rule: string): TypeError {
  return new TypeError(`${what} that the host's sign-in returns must be ${rule}`);
}
