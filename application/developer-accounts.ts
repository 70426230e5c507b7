import {
  developerId,
  isOfIssuer,
  parseAnyDeveloperId,
  parseDeveloperId,
  requireOperator,
  type DeveloperId,
  type Operator,
} from '../domain/access.js';
import { checkSignInName, newInvitation, statusOf, type Developer, type DeveloperStatus } from '../domain/developer.js';
import { DomainError, Violations } from '../domain/errors.js';
import { newPage } from '../domain/page.js';
import type { DeveloperRepository, OperatorRule, SessionRepository } from '../domain/ports.js';
import { parseRole, type Role } from '../domain/role.js';
import type { AuditTrail } from './audit-trail.js';
import { cursorPage, type CursorPage, type CursorRequest } from './cursor-page.js';
import { newToken, now, sha256 } from './defaults.js';

/** The clock, the source of tokens, and the audit. */
export interface DeveloperAccountsOptions {
  /** The clock; the machine's by default. */
  readonly now?: (() => Date) | undefined;
  /** 32 characters of base64url, of 192 random bits. */
  readonly newToken?: (() => string) | undefined;
  /** Is told of who is invited, suspended and restored. */
  readonly audit?: AuditTrail | undefined;
}

/** Without another rule, the last active operator is kept. */
const KEEP_ONE: OperatorRule = { keepOneOperator: true };

/** A developer as others may see them: nothing by which one could sign in. */
export interface Account {
  readonly id: DeveloperId;
  readonly role: Role;
  readonly status: DeveloperStatus;
  readonly signInName?: string;
  /** When the developer was first known here: by an invitation, a key, a suspension or a profile. */
  readonly addedAt: Date;
  /** Until when the latest welcome link is good; gone when it was used. */
  readonly invitedUntil?: Date;
  readonly activeSince?: Date;
  readonly suspendedAt?: Date;
  readonly publicName?: string;
  readonly website?: string;
}

/** A part of the accounts. */
export interface AccountsRequest extends CursorRequest {
  /** Only those whose id, sign-in name or public name contains this text. */
  readonly text?: string | undefined;
}

/** The role that an invitation gives, and whether it may take the role of the last active operator. */
export interface InviteOptions extends Partial<OperatorRule> {
  /** Without one, a new developer gets the role `developer`, and another keeps theirs. */
  readonly role?: string | undefined;
}

/** The parts of a welcome link. Its token is returned only here. */
export interface Welcome {
  readonly token: string;
  readonly until: Date;
  /** Since when the developer is suspended; then the link opens nothing until they are restored. */
  readonly suspendedAt?: Date;
  readonly namesake?: Namesake;
}

/** Another developer, whose public name is the id of the one who is invited, or looks like it. */
export interface Namesake {
  readonly id: DeveloperId;
  readonly publicName: string;
}

/** Developers, invited and suspended by the operator. `DeveloperSessions` has what developers do themselves. */
export class DeveloperAccounts {
  readonly #now: () => Date;
  readonly #newToken: () => string;
  readonly #audit: AuditTrail | undefined;

  /** Uses the developers and the sessions of one store. */
  constructor(
    private readonly developers: DeveloperRepository,
    private readonly sessions: SessionRepository,
    options: DeveloperAccountsOptions = {},
  ) {
    this.#now = options.now ?? now;
    this.#newToken = options.newToken ?? newToken;
    this.#audit = options.audit;
  }

  /**
   * Makes a welcome link, good once and for 24 hours; an earlier one is good no more. What a developer has signs them
   * in until they accept, so that this is also how a forgotten password is reset. A suspended one stays suspended.
   * A public name of another developer is no obstacle. Fails as `invalid`, or as `conflict` (`last-operator`) when
   * another role would leave no active operator.
   */
  async invite(by: Operator, developer: string, { role, ...rule }: InviteOptions = {}): Promise<Welcome> {
    requireOperator(by);
    const [id, given] = [parseDeveloperId(developer), role === undefined ? undefined : parseRole(role)];
    const [token, at] = [this.#newToken(), this.#now()];
    const invitation = newInvitation(sha256(token), at);
    // An invitation alone would not look at the other operators.
    if (given !== undefined) refuseLast(await this.developers.setRole(id, given, { ...KEEP_ONE, ...rule }));
    await this.developers.invite(id, invitation, at, given);
    await this.#audit?.recordBy(by, 'developer-invited', id, given && { role: given });
    const suspendedAt = (await this.developers.find(id))?.suspendedAt;
    const namesake = await this.#namesakeOf(id);
    return {
      token,
      until: invitation.until,
      ...(suspendedAt && { suspendedAt }),
      ...(namesake && { namesake }),
    };
  }

  /** Returns developers, also those without a sign-in, the latest first. */
  async list(by: Operator, { limit, before, text }: AccountsRequest = {}): Promise<CursorPage<Account>> {
    requireOperator(by);
    const page = newPage({ limit });
    const last = before === undefined ? undefined : developerId(before);
    if (before !== undefined && last === undefined) return { items: [] };
    const developers = await this.developers.list({ limit: page.limit + 1, before: last, text });
    const { items, ...next } = cursorPage(developers, page.limit);
    return { items: items.map(accountOf), ...next };
  }

  /** Returns how many developers there are; with a text, of how many a name contains it. */
  async count(by: Operator, text?: string): Promise<number> {
    requireOperator(by);
    return this.developers.count(text);
  }

  /** Returns a developer; undefined when there is none. Fails as `invalid`. */
  async find(by: Operator, developer: string): Promise<Account | undefined> {
    requireOperator(by);
    const known = await this.developers.find(parseAnyDeveloperId(developer));
    return known && accountOf(known);
  }

  /**
   * Changes what a developer may do. Safe to repeat. Fails as `invalid`, as `not-found`, or as `conflict`
   * (`last-operator`) when it would leave no active operator.
   */
  async setRole(by: Operator, developer: string, role: string, rule: OperatorRule = KEEP_ONE): Promise<void> {
    requireOperator(by);
    const [id, given] = [parseAnyDeveloperId(developer), parseRole(role)];
    const earlier = await this.#change(id, () => this.developers.setRole(id, given, rule));
    if (earlier.role !== given) await this.#audit?.recordBy(by, 'developer-role-changed', id, { role: given });
  }

  /**
   * Suspends a developer: their sessions end, and their keys and access tokens no longer work. Their automations stay
   * on sale. Safe to repeat. Fails as `invalid`, as `not-found`, or as `conflict` (`last-operator`) when it would leave
   * no active operator.
   */
  async suspend(by: Operator, developer: string, rule: OperatorRule = KEEP_ONE): Promise<void> {
    requireOperator(by);
    const [id, at] = [parseAnyDeveloperId(developer), this.#now()];
    const earlier = await this.#change(id, () => this.developers.suspend(id, at, rule));
    await this.sessions.endAll(id);
    if (earlier.suspendedAt === undefined) await this.#audit?.recordBy(by, 'developer-suspended', id);
  }

  /**
   * Changes the name with which a developer signs in; id and public name stay, and so do their sessions. Safe to
   * repeat. Fails as `invalid`, as `not-found`, or as `conflict`: another developer has the name, or this one has not
   * signed in yet.
   */
  async rename(by: Operator, developer: string, signInName: string): Promise<void> {
    requireOperator(by);
    const id = parseAnyDeveloperId(developer);
    const violations = new Violations();
    const name = checkSignInName(signInName, violations.field('name'));
    violations.throwIfAny('the sign-in name');
    const earlier = await this.developers.rename(id, name);
    if (earlier === undefined) throw (await this.developers.find(id)) ? noSignIn() : noSuchDeveloper();
    if (earlier.signInName !== name) await this.#audit?.recordBy(by, 'sign-in-name-changed', id);
  }

  /** Lifts a suspension; the developer's keys work again. Safe to repeat. Fails as `not-found`. */
  async restore(by: Operator, developer: string): Promise<void> {
    requireOperator(by);
    const id = parseAnyDeveloperId(developer);
    // Those that their suspension left, since the store went away or a sign-in raced it, would be open again. They end
    // before, in case that the end after it fails, and after, since `find` may be some seconds old.
    if ((await this.developers.find(id))?.suspendedAt !== undefined) await this.sessions.endAll(id);
    const earlier = await this.#change(id, () => this.developers.restore(id));
    if (earlier.suspendedAt === undefined) return;
    await this.sessions.endAll(id);
    await this.#audit?.recordBy(by, 'developer-restored', id);
  }

  /** Returns the developer whose public name looks like the id of another, who is invited. */
  async #namesakeOf(invited: DeveloperId): Promise<Namesake | undefined> {
    const { id, publicName } = (await this.developers.findShownAs(invited)) ?? {};
    return id === undefined || publicName === undefined || id === invited ? undefined : { id, publicName };
  }

  /** Changes a developer, and returns them as they were before. Adds one of an issuer, whom only the issuer knows. */
  async #change(id: DeveloperId, change: () => Promise<Developer | 'last-operator' | undefined>): Promise<Developer> {
    const earlier = refuseLast(await change());
    if (earlier !== undefined) return earlier;
    if (!isOfIssuer(id)) throw noSuchDeveloper();
    await this.developers.register(id, this.#now());
    const added = refuseLast(await change());
    if (added === undefined) throw noSuchDeveloper();
    return added;
  }
}

/** @throws DomainError `conflict` when a change would leave no active operator */
function refuseLast(outcome: Developer | 'last-operator' | undefined): Developer | undefined {
  if (outcome !== 'last-operator') return outcome;
  throw new DomainError('conflict', 'last-operator', 'this is the only active operator, and one must be left');
}

export function accountOf(developer: Developer): Account {
  const { id, role, signInName, addedAt, invitation, activeSince, suspendedAt, publicName, website } = developer;
  return {
    id,
    role,
    status: statusOf(developer),
    ...(signInName !== undefined && { signInName }),
    addedAt,
    ...(invitation && { invitedUntil: invitation.until }),
    ...(activeSince && { activeSince }),
    ...(suspendedAt && { suspendedAt }),
    ...(publicName !== undefined && { publicName }),
    ...(website !== undefined && { website }),
  };
}

function noSuchDeveloper(): DomainError {
  return new DomainError('not-found', 'no-such-developer', 'there is no developer with this name');
}

function noSignIn(): DomainError {
  const message = 'this developer has not signed in yet, and chooses a name with the welcome link';
  return new DomainError('conflict', 'no-sign-in', message);
}
