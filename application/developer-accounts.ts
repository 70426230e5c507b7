import { developerId, parseDeveloperId, requireOperator, type DeveloperId, type Operator } from '../domain/access.js';
import { parseWithdrawalReason } from '../domain/automation.js';
import { checkSignInName, newInvitation, type Developer } from '../domain/developer.js';
import { DomainError, Violations } from '../domain/errors.js';
import { requireOptions } from '../domain/options.js';
import { newPage } from '../domain/page.js';
import type { OperatorRule, Storage } from '../domain/ports.js';
import { parseRole } from '../domain/role.js';
import { accountOf, type Account } from './account.js';
import type { AuditTrail } from './audit-trail.js';
import { Context, type ContextOptions } from './context.js';
import { cursorPage, type CursorPage, type CursorRequest } from './cursor-page.js';
import { newToken, sha256 } from './defaults.js';

/** The parts of one store that hold developers, and what a suspension takes off the market. */
export type AccountPorts = Pick<Storage, 'developers'> & {
  readonly automations: Pick<Storage['automations'], 'withdrawAll'>;
};

/** The clock, the source of tokens, and the audit. */
export interface DeveloperAccountsOptions extends ContextOptions {
  /** 32 characters of base64url, of 192 random bits. */
  readonly newToken?: (() => string) | undefined;
  /** Records each change. */
  readonly audit: AuditTrail;
}

/** A part of the accounts. */
export interface AccountsRequest extends CursorRequest {
  /** Only those whose id, sign-in name or public name contains this text, and those with this subject. */
  readonly text?: string | undefined;
}

/** The role that an invitation gives. */
export interface InviteOptions {
  /** Without one, a new developer gets the role `developer`, and another keeps theirs. */
  readonly role?: string | undefined;
  readonly isForEmergencies?: boolean | undefined;
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

/** What a suspension does beyond ending sessions and stopping keys. */
export interface SuspendOptions {
  /** Whether everything that the developer has on sale is withdrawn. Default: false. */
  readonly withdraw?: boolean | undefined;
  /** The reason of the withdrawals, which the developer can read; only with `withdraw`. */
  readonly reason?: string | undefined;
}

/** What a suspension did. */
export interface Suspension {
  /** The number of automations that were withdrawn; undefined without `withdraw`. */
  readonly withdrawn?: number;
}

/** The automations that are withdrawn in one write. */
const BATCH_SIZE = 500;

/** Developers, invited and suspended by the operator. `DeveloperSessions` has what developers do themselves. */
export class DeveloperAccounts {
  readonly #context: Context;
  readonly #newToken: () => string;

  /** Uses the repositories of one store. */
  constructor(
    private readonly ports: AccountPorts,
    private readonly options: DeveloperAccountsOptions,
  ) {
    this.#context = new Context(options);
    this.#newToken = options.newToken ?? newToken;
  }

  /**
   * Makes a welcome link that works once, for 24 hours. Replaces any earlier link. The current password keeps working
   * until the link is accepted, so this is also how a forgotten password is reset. A suspended developer stays
   * suspended. A public name of another developer is no obstacle. Fails as `invalid`, or as `conflict`
   * (`last-operator`) as `setRole`.
   */
  async invite(by: Operator, developer: string, options: InviteOptions = {}): Promise<Welcome> {
    requireOperator(by);
    requireOptions('accounts.invite', options, { role: true, isForEmergencies: true });
    const { role, isForEmergencies } = options;
    const [id, given] = [parseDeveloperId(developer), role === undefined ? undefined : parseRole(role)];
    const [token, at] = [this.#newToken(), this.#context.now()];
    const invitation = newInvitation(sha256(token), at);
    const about = given && { role: given };
    const inviting = {
      invitation,
      at,
      isForEmergencies,
      ...about,
      ...ruleOf(by),
      ...this.#context.audited(by, 'developer-invited', id, about),
    };
    const suspendedAt = refuseLast(await this.ports.developers.invite(id, inviting))?.suspendedAt;
    const namesake = await this.#namesakeOf(id);
    return {
      token,
      until: invitation.until,
      ...(suspendedAt && { suspendedAt }),
      ...(namesake && { namesake }),
    };
  }

  /** Returns developers, also those without a sign-in, the latest first. */
  async list(by: Operator, request: AccountsRequest = {}): Promise<CursorPage<Account>> {
    requireOperator(by);
    requireOptions('accounts.list', request, { limit: true, before: true, text: true });
    const { limit, before, text } = request;
    const page = newPage({ limit });
    const last = before === undefined ? undefined : developerId(before);
    if (before !== undefined && last === undefined) return { items: [] };
    const developers = await this.ports.developers.list({ limit: page.limit + 1, before: last, text });
    const { items, ...next } = cursorPage(developers, page.limit);
    return { items: await this.#withIdentities(items), ...next };
  }

  /** Returns how many developers there are; with a text, how many are found by it. */
  async count(by: Operator, text?: string): Promise<number> {
    requireOperator(by);
    return this.ports.developers.count(text);
  }

  /** Returns a developer; undefined when there is none. Fails as `invalid`. */
  async find(by: Operator, developer: string): Promise<Account | undefined> {
    requireOperator(by);
    const known = await this.ports.developers.find(parseDeveloperId(developer));
    return known && (await this.#withIdentities([known]))[0];
  }

  /**
   * Changes what a developer may do. Safe to repeat. Fails as `invalid`, as `not-found`, or as `conflict`
   * (`last-operator`) when an operator who is signed in would leave no active operator.
   */
  async setRole(by: Operator, developer: string, role: string): Promise<void> {
    requireOperator(by);
    const [id, given] = [parseDeveloperId(developer), parseRole(role)];
    const entries = this.#context.audited(by, 'developer-role-changed', id, { role: given });
    requireChanged(await this.ports.developers.setRole(id, { role: given, ...ruleOf(by), ...entries }));
  }

  /**
   * Suspends a developer: their sessions end, and their keys and access tokens no longer work. Their automations stay
   * on sale unless `withdraw` is set. Safe to repeat, also after a failure. Fails as `invalid` before anything is done,
   * as `not-found`, or as `conflict` (`last-operator`) as `setRole`.
   */
  async suspend(by: Operator, developer: string, options: SuspendOptions = {}): Promise<Suspension> {
    requireOperator(by);
    requireOptions('accounts.suspend', options, { withdraw: true, reason: true });
    const [id, at, reason] = [parseDeveloperId(developer), this.#context.now(), reasonIn(options)];
    const entries = this.#context.audited(by, 'developer-suspended', id);
    requireChanged(await this.ports.developers.suspend(id, { at, ...ruleOf(by), ...entries }));
    return options.withdraw === true ? { withdrawn: await this.#withdrawAll(by, id, reason) } : {};
  }

  /**
   * Changes the name with which a developer signs in; id and public name stay, and so do their sessions. Safe to
   * repeat. Fails as `invalid`, as `not-found`, or as `conflict`: another developer has the name, or this one has not
   * signed in yet.
   */
  async rename(by: Operator, developer: string, signInName: string): Promise<void> {
    requireOperator(by);
    const id = parseDeveloperId(developer);
    const violations = new Violations();
    const name = checkSignInName(signInName, violations.field('name'));
    violations.throwIfAny('the sign-in name');
    const renaming = { signInName: name, ...this.#context.audited(by, 'sign-in-name-changed', id) };
    if ((await this.ports.developers.rename(id, renaming)) !== undefined) return;
    throw (await this.ports.developers.find(id)) ? noSignIn() : noSuchDeveloper();
  }

  /** Lifts a suspension; the developer's keys work again. Safe to repeat. Fails as `not-found`. */
  async restore(by: Operator, developer: string): Promise<void> {
    requireOperator(by);
    const id = parseDeveloperId(developer);
    const entries = this.#context.audited(by, 'developer-restored', id);
    requireChanged(await this.ports.developers.restore({ id, ...entries }));
  }

  async #withIdentities(developers: readonly Developer[]): Promise<readonly Account[]> {
    const known = await this.ports.developers.listIdentities(developers.map(({ id }) => id));
    return developers.map((developer) => {
      const own = known.filter(({ developerId: id }) => id === developer.id);
      const identities = own.map(({ issuer, subject }) => ({ issuer, subject }));
      return { ...accountOf(developer), ...(identities.length > 0 && { identities }) };
    });
  }

  /** Withdraws everything that the developer has on sale, and returns how many automations there were. */
  async #withdrawAll(by: Operator, developerId: DeveloperId, reason: { readonly reason?: string }): Promise<number> {
    for (let total = 0; ;) {
      const entries = this.options.audit.entriesOf(by, { action: 'automation-withdrawn', developerId }, BATCH_SIZE);
      const withdrawal = { developerId, at: this.#context.now(), by: 'operator', ...reason, ...entries } as const;
      const withdrawn = await this.ports.automations.withdrawAll(withdrawal);
      total += withdrawn.length;
      if (withdrawn.length < BATCH_SIZE) return total;
    }
  }

  /** Returns the developer whose public name looks like the id of another, who is invited. */
  async #namesakeOf(invited: DeveloperId): Promise<Namesake | undefined> {
    const { id, publicName } = (await this.ports.developers.findShownAs(invited)) ?? {};
    return id === undefined || publicName === undefined || id === invited ? undefined : { id, publicName };
  }
}

/** @throws DomainError `conflict` as `refuseLast`, and `not-found` when there was no developer to change */
function requireChanged(outcome: Developer | 'last-operator' | undefined): void {
  if (refuseLast(outcome) === undefined) throw noSuchDeveloper();
}

/** An operator who is signed in keeps one operator. Code that passes `OPERATOR` may leave none: it can make another. */
function ruleOf({ operatorId }: Operator): OperatorRule {
  return { keepOneOperator: operatorId !== undefined };
}

/** @throws DomainError `invalid`, also for a reason without withdrawals */
function reasonIn({ withdraw, reason }: SuspendOptions): { readonly reason?: string } {
  if (reason === undefined) return {};
  if (withdraw === true) return { reason: parseWithdrawalReason(reason) };
  const violations = new Violations();
  violations.field('reason')('unknown-value', 'may be given only when everything is withdrawn');
  violations.throwIfAny('the suspension');
  return {};
}

/** @throws DomainError `conflict` when a change would leave no active operator */
function refuseLast(outcome: Developer | 'last-operator' | undefined): Developer | undefined {
  if (outcome !== 'last-operator') return outcome;
  throw new DomainError('conflict', 'last-operator', 'this is the only active operator, and one must be left');
}

function noSuchDeveloper(): DomainError {
  return new DomainError('not-found', 'no-such-developer', 'there is no developer with this name');
}

function noSignIn(): DomainError {
  const message = 'this developer has not signed in yet, and chooses a name with the welcome link';
  return new DomainError('conflict', 'no-sign-in', message);
}
