import { requireOperator, type Caller, type DeveloperId, type Operator, type Origin } from '../domain/access.js';
import type { AuditAction } from '../domain/audit.js';
import { activated, canAccept, checkSignInName, statusOf, type Developer } from '../domain/developer.js';
import { Violations, DomainError } from '../domain/errors.js';
import { checkPassword } from '../domain/password.js';
import type { Audited, DeveloperRepository, SessionRepository } from '../domain/ports.js';
import { isDueForRenewal, isOpen, isTokenText, untilAfterUse, type NewSession } from '../domain/session.js';
import { Context, type ContextOptions } from './context.js';
import { newToken, sha256 } from './defaults.js';
import { accountOf, type Account } from './account.js';
import { accountOfHostUser, callerOfHost, type AccountOfSubject } from './host-user.js';
import { Identities } from './identities.js';
import type { QueuePlace } from './fair-queue.js';
import { LoginThrottle } from './login-throttle.js';
import { Passwords } from './passwords.js';

/** The clock, the source of tokens, the hashing of passwords, the throttle of sign-ins and the audit. */
export interface DeveloperSessionsOptions extends ContextOptions {
  /** 32 characters of base64url, of 192 random bits. */
  readonly newToken?: (() => string) | undefined;
  readonly passwords?: Passwords | undefined;
  readonly throttle?: LoginThrottle | undefined;
}

/** A new session. The token is returned only here. */
export interface SignedIn {
  readonly token: string;
  readonly developer: Account;
}

/** The outcome of an attempt to sign in. */
export type SignInOutcome =
  | ({ readonly outcome: 'signed-in' } & SignedIn)
  /** Name or password is wrong. The outcome does not say which. */
  | { readonly outcome: 'refused' }
  /** Name and password are right, but the developer is suspended. */
  | { readonly outcome: 'suspended' }
  /** Not checked; may be tried again after this time. */
  | { readonly outcome: 'slowed'; readonly seconds: number };

/** Longer than any name or password can be, in UTF-16 units. Such a text is not hashed. */
const TOO_LONG = 512;

/** The issuer of the subjects of a host that names none. */
const HOST_ISSUER = 'host';

/** Signs developers in and out: by a welcome link once, then by name and password. */
export class DeveloperSessions {
  readonly #context: Context;
  readonly #newToken: () => string;
  readonly #passwords: Passwords;
  readonly #throttle: LoginThrottle;
  readonly #identities: Identities;

  /** Uses the developers and the sessions of one store. */
  constructor(
    private readonly developers: DeveloperRepository,
    private readonly sessions: SessionRepository,
    options: DeveloperSessionsOptions = {},
  ) {
    this.#context = new Context(options);
    this.#newToken = options.newToken ?? newToken;
    this.#passwords = options.passwords ?? new Passwords();
    this.#throttle = options.throttle ?? new LoginThrottle();
    this.#identities = new Identities(developers, options);
  }

  /**
   * Returns the developer of a welcome link, and leaves the link unused. Undefined when the link is unknown, used,
   * replaced or expired, or the developer is suspended.
   */
  async readInvitation(token: string): Promise<Account | undefined> {
    const developer = await this.#invitedBy(token);
    return developer && accountOf(developer);
  }

  /**
   * Uses a welcome link up: sets name and password, ends the developer's other sessions and signs them in. Fails as
   * `not-found` when the link no longer works, as `invalid` for `name` and `password`, or as `conflict` when another
   * developer has the name; then the link still works.
   */
  async accept(
    token: string,
    chosen: { readonly name?: unknown; readonly password?: unknown },
    origin: Origin = {},
  ): Promise<SignedIn> {
    const developer = await this.#invitedBy(token);
    if (developer === undefined) throw noSuchInvitation();
    const { signInName, password } = parseAccount(chosen, developer);
    const passwordHash = await this.#passwords.hash(password, developer.id);
    const started = this.#newSession(origin);
    const signIn = { signInName, passwordHash, at: this.#context.now() };
    const entries = this.#entries(developer, ['developer-activated', 'signed-in'], origin);
    const activation = { ...signIn, session: started.session, ...entries };
    if (!(await this.developers.activate(sha256(token), activation))) throw noSuchInvitation();
    this.#throttle.forget(signInName, origin.address);
    return { token: started.token, developer: accountOf(activated(developer, signIn)) };
  }

  /**
   * Signs in; with `emergency`, only an account for emergencies. Takes as long for an unknown name. Fails as
   * `unavailable`, also when too many are signing in.
   */
  async signIn(name: string, password: string, origin: Origin = {}, emergency = false): Promise<SignInOutcome> {
    if (name.length > TOO_LONG || password.length > TOO_LONG) return { outcome: 'refused' };
    const attempt = this.#throttle.acquire(name.trim(), origin.address, this.#context.now());
    if (!attempt.allowed) return { outcome: 'slowed', seconds: attempt.retryAfterSeconds };
    try {
      const answer = await this.#check(name.trim(), password, attempt.place, origin, emergency);
      if (answer.outcome !== 'refused') attempt.succeeded();
      return answer;
    } catch (error) {
      attempt.cancelled();
      throw error;
    }
  }

  /**
   * Signs in a developer for whom an issuer vouches, for 12 hours, and returns the token; undefined while they are
   * suspended.
   */
  async start(by: Operator, id: DeveloperId, sid: string): Promise<string | undefined> {
    requireOperator(by);
    const { origin = {} } = by;
    const token = await this.#begin({ id }, { sid }, origin);
    if (token === undefined) this.#refuse('suspended', { id }, origin);
    return token;
  }

  /** Returns the developer with this session token, or undefined. Each use extends the session by 12 hours. */
  async find(token: string): Promise<Account | undefined> {
    if (!isTokenText(token)) return undefined;
    const [session, at] = [await this.sessions.findByHash(sha256(token)), this.#context.now()];
    if (session === undefined || !isOpen(session, at)) return undefined;
    const developer = await this.developers.find(session.developerId);
    if (developer === undefined || statusOf(developer) !== 'active') return undefined;
    if (isDueForRenewal(session, at))
      this.sessions.renew(session.hash, untilAfterUse(session, at)).catch(() => undefined);
    return accountOf(developer);
  }

  /**
   * Returns the account of a user whom a host has signed in, with the role that the host gives; undefined while they
   * are suspended here. A subject is one of this issuer, and gets an account the first time. Fails as a `TypeError` for
   * what is no such user.
   */
  async findHostUser(user: unknown, issuer = HOST_ISSUER): Promise<Account | undefined> {
    return accountOfHostUser(user, this.#accountsOf(issuer), this.developers, this.#context.now());
  }

  /**
   * Returns what a host has found for a request to the API, as a caller: a user, or a `Caller`; undefined while they
   * are suspended here. Treats a subject as `findHostUser` does. Fails as a `TypeError` for what is neither.
   */
  async findHostCaller(found: unknown, issuer = HOST_ISSUER): Promise<Caller | undefined> {
    return callerOfHost(found, this.#accountsOf(issuer), this.developers);
  }

  /** Ends a session; one that has ended is no error. */
  async signOut(token: string, origin: Origin = {}): Promise<void> {
    const session = isTokenText(token) ? await this.sessions.findByHash(sha256(token)) : undefined;
    if (session === undefined) return;
    const { hash, developerId: id } = session;
    await this.sessions.end({ hash, ...this.#entries({ id }, ['signed-out'], origin) });
  }

  #accountsOf(issuer: string): AccountOfSubject {
    return (subject) => this.#identities.accountOf({ issuer, subject });
  }

  async #check(
    name: string,
    password: string,
    place: QueuePlace,
    origin: Origin,
    emergency: boolean,
  ): Promise<SignInOutcome> {
    const developer = await this.developers.findBySignInName(name);
    const isRight = await this.#passwords.verifySignIn(password, developer?.passwordHash, place);
    const isTaken = isRight && (!emergency || developer?.emergencySince !== undefined);
    if (developer === undefined || !isTaken) return this.#refuse('refused', developer, origin);
    if (statusOf(developer) === 'suspended') return this.#refuse('suspended', developer, origin);
    const { id, passwordHash = '' } = developer;
    const token = await this.#begin({ id, passwordHash }, {}, origin);
    if (token === undefined) return this.#refuse('refused', developer, origin);
    return { outcome: 'signed-in', token, developer: accountOf(developer) };
  }

  /** Returns the token of a session that was started; undefined where none could be. */
  async #begin(
    { id, passwordHash }: Pick<Developer, 'id' | 'passwordHash'>,
    ofIssuer: Pick<NewSession, 'sid'>,
    origin: Origin,
  ): Promise<string | undefined> {
    const { token, session } = this.#newSession(origin);
    const entries = this.#entries({ id }, ['signed-in'], origin);
    const started = { passwordHash, session: { ...session, ...ofIssuer }, ...entries };
    return (await this.developers.signIn(id, started)) ? token : undefined;
  }

  async #invitedBy(token: string): Promise<Developer | undefined> {
    const developer = isTokenText(token) ? await this.developers.findByInvitation(sha256(token)) : undefined;
    return developer && canAccept(developer, this.#context.now()) ? developer : undefined;
  }

  #newSession({ address }: Origin): { readonly token: string; readonly session: NewSession } {
    const [token, createdAt] = [this.#newToken(), this.#context.now()];
    const until = untilAfterUse({ createdAt }, createdAt);
    const session = { hash: sha256(token), createdAt, until, ...(address !== undefined && { address }) };
    return { token, session };
  }

  #entries({ id }: Pick<Developer, 'id'>, actions: readonly AuditAction[], origin: Origin): Audited {
    const events = actions.map((action) => ({ actor: 'developer', action, developerId: id }) as const);
    return this.#context.auditedAs(events, origin);
  }

  /** Does not wait for the audit: the time must not tell whether there is such a developer. */
  #refuse(
    outcome: 'refused' | 'suspended',
    developer: Pick<Developer, 'id'> | undefined,
    origin: Origin,
  ): SignInOutcome {
    void this.#context.audit?.record(
      { actor: 'anonymous', action: 'sign-in-failed', ...(developer && { developerId: developer.id }) },
      origin,
    );
    return { outcome };
  }
}

function parseAccount(
  { name, password }: { readonly name?: unknown; readonly password?: unknown },
  developer: Developer,
) {
  const violations = new Violations();
  const signInName = checkSignInName(name, violations.field('name'));
  const text = checkPassword(password, [signInName, developer.id], violations.field('password'));
  violations.throwIfAny('the account');
  return { signInName, password: text };
}

function noSuchInvitation(): DomainError {
  return new DomainError(
    'not-found',
    'no-such-invitation',
    'this link has expired or was already used; ask for a new one',
  );
}
