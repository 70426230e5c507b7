import { callerOf, developerId, requireCaller, type Caller, type DeveloperId } from '../domain/access.js';
import { Violations } from '../domain/errors.js';
import { ROLES, type Role } from '../domain/role.js';
import { checkText } from '../domain/text.js';
import { accountOf, type Account } from './account.js';
import type { Accounts } from './account-rights.js';

/** A user whom a host has signed in. The scopes follow from the role. */
export interface HostUser {
  readonly developerId: DeveloperId;
  /** Shown to the user alone, on their own pages. Default: the id. */
  readonly name?: string | undefined;
  readonly role: Role;
}

const NAME = { maxLength: 255, multiline: false };

/**
 * Returns the account of a user whom a host has signed in, with the role that the host gives; undefined while they are
 * suspended in the store. They need no account there. @throws TypeError that names what is wrong with the user
 */
export async function accountOfHostUser(user: unknown, accounts: Accounts, now: Date): Promise<Account | undefined> {
  const { developerId: id, name, role } = parseHostUser(user);
  const developer = await accounts.find(id);
  if (developer?.suspendedAt !== undefined) return undefined;
  const account = developer ? accountOf(developer) : { addedAt: now };
  return { ...account, id, role, status: 'active', ...(name !== undefined && { signInName: name }) };
}

/**
 * Returns the caller that a host has found: a user, whose scopes follow from the role, or a caller with scopes of its
 * own. Undefined while its developer is suspended, as for keys and tokens. @throws TypeError as `parseHostCaller`
 */
export async function callerOfHost(found: unknown, accounts: Accounts): Promise<Caller | undefined> {
  const caller = parseHostCaller(found);
  return (await accounts.find(caller.developerId))?.suspendedAt === undefined ? caller : undefined;
}

/** @throws TypeError that names what is wrong: a host may return anything. */
export function parseHostCaller(found: unknown): Caller {
  const { scopes, role } = (found ?? {}) as { readonly scopes?: unknown; readonly role?: unknown };
  if (scopes === undefined && role !== undefined) return callerOf({ isSignedIn: true, ...parseHostUser(found) });
  requireCaller(found as Caller);
  return found as Caller;
}

function parseHostUser(unchecked: unknown): HostUser {
  if (typeof unchecked !== 'object' || unchecked === null) throw wrong('the user', '{ developerId, name, role }');
  const { developerId: text, name, role: given } = unchecked as { readonly [Name in keyof HostUser]?: unknown };
  const id = typeof text === 'string' ? developerId(text) : undefined;
  if (id === undefined) throw wrong('developerId', 'an id that parseDeveloperId takes, or oauth: and a subject');
  const role = ROLES.find((known) => known === given);
  if (role === undefined) throw wrong('role', `one of ${ROLES.join(', ')}`);
  return { developerId: id, role, ...(name !== undefined && { name: parseName(name) }) };
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
