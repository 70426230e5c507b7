import { requirePerson, type Person } from '../domain/access.js';
import { checkSignInName, type Developer } from '../domain/developer.js';
import { DomainError, Violations } from '../domain/errors.js';
import { checkPassword } from '../domain/password.js';
import type { DeveloperRepository, SessionRepository } from '../domain/ports.js';
import { isOpen, type Session } from '../domain/session.js';
import { Context, type ContextOptions } from './context.js';
import { sha256 } from './defaults.js';
import { LoginThrottle } from './login-throttle.js';
import { Passwords } from './passwords.js';

/** The clock, the audit, and the hashing and throttle of `DeveloperSessions`: a process has one of each. */
export interface AccountSecurityOptions extends ContextOptions {
  readonly passwords?: Passwords | undefined;
  readonly throttle?: LoginThrottle | undefined;
}

/** A session as its owner sees it. */
export interface OwnSession {
  /** The first digits of its hash: enough to tell one's own sessions apart. */
  readonly id: string;
  readonly signedInAt: Date;
  /** The end of the session unless it is used before. */
  readonly until: Date;
  readonly address?: string;
  readonly isCurrent: boolean;
}

/** The changes, and the current password to confirm them. Omitted fields are kept. */
export interface SignInChange {
  readonly current: string;
  readonly name?: unknown;
  readonly password?: unknown;
}

/** Whether a sign-in was changed; not checked when too many passwords were wrong. */
export type ChangeOutcome = { readonly outcome: 'changed' } | { readonly outcome: 'slowed'; readonly seconds: number };

const ID_DIGITS = 16;

/** How people who are signed in change their sign-in, and end their sessions. */
export class AccountSecurity {
  readonly #context: Context;
  readonly #passwords: Passwords;
  readonly #throttle: LoginThrottle;

  /** Uses the developers and the sessions of one store. */
  constructor(
    private readonly developers: DeveloperRepository,
    private readonly sessions: SessionRepository,
    options: AccountSecurityOptions = {},
  ) {
    this.#context = new Context(options);
    this.#passwords = options.passwords ?? new Passwords();
    this.#throttle = options.throttle ?? new LoginThrottle();
  }

  /** Returns the person's open sessions, the latest sign-in first. `token` is that of the session in use. */
  async listSessions(by: Person, token: string): Promise<readonly OwnSession[]> {
    requirePerson(by);
    const [all, at, current] = [await this.sessions.list(by.developerId), this.#context.now(), sha256(token)];
    const open = all.filter((session) => isOpen(session, at));
    return open.map((session) => ownSession(session, current));
  }

  /** Ends one of the person's sessions. Fails as `not-found`. */
  async endSession(by: Person, id: string): Promise<void> {
    requirePerson(by);
    const session = (await this.sessions.list(by.developerId)).find(({ hash }) => hash.slice(0, ID_DIGITS) === id);
    const ended = this.#context.audited(by, 'session-ended', by.developerId);
    if (session === undefined || !(await this.sessions.end({ hash: session.hash, ...ended })))
      throw new DomainError('not-found', 'no-such-session', 'this session has ended');
  }

  /** Ends all of the person's sessions, also the one in use. */
  async signOutEverywhere(by: Person): Promise<void> {
    requirePerson(by);
    const { developerId } = by;
    await this.sessions.endAll({ developerId, ...this.#context.audited(by, 'sessions-ended', developerId) });
  }

  /**
   * Changes sign-in name or password. A new password ends all sessions but the one with this token. Fails as `invalid`
   * for `current`, `name` and `password`, or as `conflict` when another has the name.
   */
  async changeSignIn(by: Person, change: SignInChange, token: string): Promise<ChangeOutcome> {
    requirePerson(by);
    const developer = await this.#find(by);
    const { signInName = '', passwordHash = '' } = developer;
    const attempt = this.#throttle.acquireChange(signInName, by.origin?.address, this.#context.now());
    if (!attempt.allowed) return { outcome: 'slowed', seconds: attempt.retryAfterSeconds };
    let isRight: boolean;
    try {
      isRight = await this.#passwords.verify(change.current, passwordHash, by.developerId);
    } catch (error) {
      attempt.cancelled();
      throw error;
    }
    if (isRight) attempt.succeeded();
    const { name, password } = parseChange(change, developer, isRight);
    const isChanged = await this.developers.changeSignIn(by.developerId, {
      current: passwordHash,
      signInName: name,
      passwordHash: password === undefined ? passwordHash : await this.#passwords.hash(password, by.developerId),
      keptSession: sha256(token),
      ...this.#context.audited(by, password === undefined ? 'sign-in-name-changed' : 'password-changed', developer.id),
    });
    if (!isChanged) throw changedMeanwhile();
    return { outcome: 'changed' };
  }

  /** Returns the developer from the store, not from a cache, which may have an earlier password. */
  async #find({ developerId }: Person): Promise<Developer> {
    const { signInName } = (await this.developers.find(developerId)) ?? {};
    const developer = signInName === undefined ? undefined : await this.developers.findBySignInName(signInName);
    if (developer?.id !== developerId) throw changedMeanwhile();
    return developer;
  }
}

function ownSession({ hash, createdAt, until, address }: Session, current: string): OwnSession {
  const shown = { id: hash.slice(0, ID_DIGITS), signedInAt: createdAt, until, isCurrent: hash === current };
  return { ...shown, ...(address !== undefined && { address }) };
}

/** @throws DomainError `invalid` with every broken rule */
function parseChange({ name, password }: SignInChange, { id, signInName = '' }: Developer, isRight: boolean) {
  const violations = new Violations();
  if (!isRight) violations.field('current')('unknown-value', 'is wrong');
  const wanted = name === undefined ? signInName : checkSignInName(name, violations.field('name'));
  const text = password === undefined ? undefined : checkPassword(password, [wanted, id], violations.field('password'));
  violations.throwIfAny('the sign-in');
  return { name: wanted, password: text };
}

function changedMeanwhile(): DomainError {
  return new DomainError('conflict', 'revised-meanwhile', 'the sign-in was changed meanwhile; sign in again');
}
