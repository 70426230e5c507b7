import type { Origin } from '../../domain/access.js';
import type { Role } from '../../domain/role.js';

/** Why nobody was signed in. */
export type IssuerRefusal =
  /** The issuer cannot be reached, or does not answer in time. */
  | 'unreachable'
  /** The person did not go on at the issuer. */
  | 'cancelled'
  /** The browser did not begin this sign-in here, or took longer than ten minutes. */
  | 'expired'
  /** The answer of the issuer is wrong. */
  | 'not-taken'
  /** The claims are not those that everyone must have. */
  | 'not-admitted'
  /** The claims give no role. */
  | 'no-role'
  /** The issuer has left the groups out, since there are too many (Entra ID). */
  | 'too-many-groups'
  /** The account is suspended. */
  | 'suspended';

/** A person who was not signed in. */
export interface IssuerRefused {
  readonly outcome: IssuerRefusal;
  /** For the log: neither a token nor a code. */
  readonly reason: string;
}

/** Where the browser goes on, and what it keeps until it comes back. */
export interface IssuerStart {
  readonly outcome: 'started';
  readonly url: string;
  readonly kept: string;
}

/** A person whom the issuer has sent back. */
export interface IssuerSignedIn {
  readonly outcome: 'signed-in';
  readonly token: string;
  readonly role: Role;
  readonly isFirst: boolean;
  /** The page that was asked for. */
  readonly next: string;
}

/** The sign-in at an issuer of OpenID Connect, which the panel shows; `createSignIn` makes it. */
export interface IssuerSignIn {
  /** Whose subjects the people have. */
  readonly issuer: string;
  /** What people call it: "Sign in with Example". */
  readonly name: string;
  /** Whether the claims give the role, at each sign-in. */
  readonly givesRoles: boolean;

  /** Returns whether the issuer could be read when it was last tried. While it could not, this tries again. */
  isReachable(): boolean;

  /** Begins a sign-in that comes back to this address, and then leads to the page that was asked for. */
  start(redirectUri: string, next: string): Promise<IssuerStart | IssuerRefused>;

  /** Ends a sign-in: at this address the browser came back, and this is what it had kept. */
  finish(address: URL, kept: string | undefined, origin: Origin): Promise<IssuerSignedIn | IssuerRefused>;

  /** Returns where the person signs out of the issuer, and comes back to an address; undefined where there is none. */
  endSessionUrl(backTo: string): string | undefined;
}
