import { developerId, type DeveloperId } from '../domain/access.js';
import { Violations } from '../domain/errors.js';
import { ROLES, type Role } from '../domain/role.js';
import { checkText } from '../domain/text.js';

/** A user whom a host has signed in. The scopes follow from the role. */
export interface HostUser {
  readonly developerId: DeveloperId;
  /** Shown to the user alone, on their own pages. Default: the id. */
  readonly name?: string | undefined;
  readonly role: Role;
}

const NAME = { maxLength: 255, multiline: false };

/** @throws TypeError that names what is wrong: a host may return anything. */
export function parseHostUser(unchecked: unknown): HostUser {
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
