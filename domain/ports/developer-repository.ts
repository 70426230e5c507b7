import type { DeveloperId } from '../access.js';
import type { Developer, Invitation } from '../developer.js';
import type { DeveloperIdentity, Identity } from '../identity.js';
import type { Profile } from '../public-developer.js';
import type { Role } from '../role.js';
import type { NewSession } from '../session.js';
import type { Audited } from './audited.js';
import type { CursorQuery } from './cursor-query.js';

/** A part of the developers, of all or of those who are found by a text. */
export interface DeveloperQuery extends CursorQuery<DeveloperId> {
  /** Only those whose id, sign-in name or public name contains this text, and those with this subject. */
  readonly text?: string | undefined;
}

/** Whether the last active operator is kept. */
export interface OperatorRule {
  /** With true, nothing changes that would leave the store without an active operator. */
  readonly keepOneOperator: boolean;
}

/** A welcome link that a developer gets. */
export interface NewInvitation extends Audited, OperatorRule {
  readonly invitation: Invitation;
  readonly at: Date;
  readonly role?: Role | undefined;
  readonly isForEmergencies?: boolean | undefined;
}

/** The sign-in that a developer chooses with an invitation, and their first session. */
export interface Activation extends Audited {
  readonly signInName: string;
  readonly passwordHash: string;
  readonly at: Date;
  readonly session: NewSession;
}

/** A sign-in with a password that was right, or for whom an issuer vouches. */
export interface SignIn extends Audited {
  /** That of the developer when the password was compared. */
  readonly passwordHash: string | undefined;
  readonly session: NewSession;
}

/** A sign-in that takes the place of another one. */
export interface SignInReplacement extends Audited {
  /** The password hash that it replaces. */
  readonly current: string;
  readonly signInName: string;
  readonly passwordHash: string;
  /** The hash of the session that goes on when the password changes. */
  readonly keptSession?: string | undefined;
}

/** A change of what a developer may do. */
export interface RoleChange extends Audited, OperatorRule {
  readonly role: Role;
}

/** A suspension of a developer. */
export interface DeveloperSuspension extends Audited, OperatorRule {
  readonly at: Date;
}

/** The time at which a developer is added. */
export interface DeveloperAddition extends Audited {
  readonly at: Date;
}

/** A developer who is to get an identity, and is added when there is none with this id. */
export interface IdentifiedDeveloper extends DeveloperAddition {
  readonly id: DeveloperId;
}

/**
 * Developers, also those without a sign-in, who have keys alone, came with a token or are users of a host. Sign-in
 * names are compared without case and normal forms (`signInKey` in `domain/developer.ts`). Sessions start and end with
 * their developers.
 */
export interface DeveloperRepository {
  /** Returns the developer with this id, field for field; undefined when there is none. */
  find(id: DeveloperId): Promise<Developer | undefined>;

  /** Returns the developer with this sign-in name, in any case and normal form; undefined when there is none. */
  findBySignInName(name: string): Promise<Developer | undefined>;

  /**
   * Returns the developer whose invitation has this hash, expired ones included; undefined when there is none, as after
   * it was used or replaced.
   */
  findByInvitation(hash: string): Promise<Developer | undefined>;

  /**
   * Returns the developer whose public name has the skeleton of this id (`developerIdKey`), which may be their own;
   * undefined when there is none.
   */
  findShownAs(id: DeveloperId): Promise<Developer | undefined>;

  /**
   * Returns developers, the one who was added last first; at most `limit` of them, and fewer only at the end. With
   * `before`, those who were added before this developer; none when that one is unknown. With `text`, only those whose
   * id contains it, in any case of ASCII letters, whose sign-in name does, compared by `signInKey`, whose public name
   * does, compared by `publicNamePart`, or who have an identity with this subject, at any issuer.
   */
  list(query: DeveloperQuery): Promise<readonly Developer[]>;

  /** Returns how many developers there are; with `text`, how many are found by it, as in `list`. */
  count(text?: string): Promise<number>;

  /** Returns how many developers are operators who have signed in once and are not suspended. */
  countOperators(): Promise<number>;

  /**
   * Adds a developer without a sign-in and with the role `developer`, unless there is one with this id, and returns
   * whether it did. When raced, one call returns true.
   */
  register(id: DeveloperId, addition: DeveloperAddition): Promise<boolean>;

  /**
   * Returns the developer who has this identity, field for field; undefined when there is none. Issuer and subject have
   * at most 255 code points each, as `isIdentityText` says: an entry of an index of PostgreSQL has at most 2.7 kB.
   */
  findByIdentity(identity: Identity): Promise<Developer | undefined>;

  /** Returns every identity of these developers, in any order. */
  listIdentities(ids: readonly DeveloperId[]): Promise<readonly DeveloperIdentity[]>;

  /**
   * Gives an identity to the developer with this id, who is added as by `register` when there is none, and returns the
   * developer. Nothing else of a known developer changes. When a developer has the identity already, returns that one
   * and changes nothing: when raced, one call gives it, and all return the same developer.
   */
  identify(identity: Identity, developer: IdentifiedDeveloper): Promise<Developer>;

  /**
   * Adds a developer with this invitation; for an existing developer it replaces an earlier one. Returns the developer
   * as they were before; undefined for a new one. With `keepOneOperator`, returns `last-operator`, and changes nothing,
   * as `setRole` does. The developer gets this role; without one a new developer gets `developer`, and another keeps
   * theirs. With `isForEmergencies`, `at` is their `emergencySince`. Nothing else of a developer changes: when they
   * were added, how they sign in, whether they are suspended, what they say of themselves.
   */
  invite(id: DeveloperId, inviting: NewInvitation): Promise<Developer | 'last-operator' | undefined>;

  /**
   * Uses up the invitation with this hash and gives its developer the sign-in name and the password hash, ends all
   * their sessions and starts this one, all or nothing; `activeSince` is the first time. Returns false, and changes
   * nothing, when there is no such invitation, when its `until` is not after `at`, or when the developer is suspended.
   * When raced, one call returns true. Rejects with a `DomainError` of kind `conflict`, and leaves the invitation good,
   * when another developer has the sign-in name, also when raced. Rejects in the same way, code `duplicate-session`,
   * when the hash of the session is taken.
   */
  activate(invitationHash: string, activation: Activation): Promise<boolean>;

  /**
   * Starts a session, ends the oldest others of its developer, by `createdAt`, so that there are at most
   * `MAX_SESSIONS`, also when raced, and returns true. Returns false, and changes nothing, when the developer has
   * another password hash or is suspended, and when there is no such developer, also when raced: no session is left
   * that began before a suspension or another password. Rejects with a `DomainError` of kind `conflict`, code
   * `duplicate-session`, and changes nothing, when the hash of the session is taken, also when raced. Without a
   * password hash none is compared, and `createdAt` of the first session is `activeSince` of a developer who has none.
   */
  signIn(id: DeveloperId, signIn: SignIn): Promise<boolean>;

  /**
   * Stores the time of the suspension, ends every session of the developer, and returns the developer as they were
   * before; undefined when there is no such developer. The first suspension counts until it is lifted: a later one
   * changes nothing. With `keepOneOperator`, returns `last-operator`, and changes nothing, for the only operator whom
   * `countOperators` counts, also when raced.
   */
  suspend(id: DeveloperId, suspending: DeveloperSuspension): Promise<Developer | 'last-operator' | undefined>;

  /**
   * Stores the role and returns the developer as they were before; undefined when there is no such developer. The role
   * that they have changes nothing. With `keepOneOperator`, returns `last-operator`, and changes nothing, when the only
   * operator whom `countOperators` counts would become none, also when raced with another such call or a suspension.
   */
  setRole(id: DeveloperId, change: RoleChange): Promise<Developer | 'last-operator' | undefined>;

  /**
   * Stores public name and website and returns true; one that is missing is removed. Returns false when there is no
   * such developer. Rejects with a `DomainError` of kind `conflict`, and changes nothing, when the public name of
   * another developer has the same folded form or the same skeleton (`publicNameKeys`), also when raced. Rejects in the
   * same way when the id of another developer has the skeleton of the public name (`developerIdKey`). A public name
   * that stays the same is not compared with ids.
   */
  setProfile(id: DeveloperId, change: Audited & { readonly profile: Profile }): Promise<boolean>;

  /**
   * Replaces sign-in name and password hash, and with another password hash ends every session of the developer but
   * `keptSession`, all or nothing, and returns true. Returns false, and changes nothing, when the developer's password
   * hash is another than `current`; when raced, one call that changes it returns true. Rejects with a `DomainError` of
   * kind `conflict` when another developer has the sign-in name, also when raced.
   */
  changeSignIn(id: DeveloperId, change: SignInReplacement): Promise<boolean>;

  /**
   * Replaces the sign-in name and returns the developer as they were before; undefined, and changes nothing, for one
   * without a sign-in and when there is no such developer. The name that they have changes nothing. Rejects with a
   * `DomainError` of kind `conflict`, and changes nothing, when another developer has the sign-in name, also when
   * raced.
   */
  rename(id: DeveloperId, renaming: Audited & { readonly signInName: string }): Promise<Developer | undefined>;

  /** Lifts a suspension and returns the developer as they were before; undefined when there is no such developer. */
  restore(restoring: Audited & { readonly id: DeveloperId }): Promise<Developer | undefined>;
}
