import { isOperator, isPerson, type Actor, type Caller, type DeveloperId, type Origin } from '../domain/access.js';
import { CONTENT_FIELDS, draftOf, type Automation, type FullDraft, type RevisableField } from '../domain/automation.js';
import { DomainError, type FieldError } from '../domain/errors.js';
import { DEFAULT_ROLE, type Role } from '../domain/role.js';

/** A rule of a host that a draft breaks: the field, and a phrase that follows its name, such as `must be unique`. */
export interface BrokenRule {
  readonly field: RevisableField;
  readonly detail: string;
}

/**
 * Who acts, as the rules of a host get it: in one form for creates, revisions, imports and reviews, by the API, by
 * pages, by agents and by commands.
 */
export interface RuleActor {
  /**
   * `key`: an API key or an access token; `person`: one who is signed in; `operator`: the operator of the market, who
   * is signed in or uses a command.
   */
  readonly kind: 'key' | 'person' | 'operator';
  /** The role of the account that acts, for a key that of its owner. Where nothing tells it, it is `developer`. */
  readonly role: Role;
  /** The account that acts; undefined for a command, and for code that passes `OPERATOR`. */
  readonly developerId: DeveloperId | undefined;
  /** The developer who offers the automation; undefined when the operator reviews a draft without naming one. */
  readonly sellerId: DeveloperId | undefined;
  readonly origin?: Origin | undefined;
}

/** Returns who acts on an automation of this seller. */
export function ruleActorOf(by: Actor | Caller, sellerId: DeveloperId | undefined): RuleActor {
  const actor = isOperator(by) || isPerson(by) ? by : by.actor;
  if (actor === undefined) {
    const { developerId, role = DEFAULT_ROLE, origin } = by as Caller;
    return { kind: 'key', role, developerId, sellerId, origin };
  }
  if (isOperator(actor))
    return { kind: 'operator', role: 'operator', developerId: actor.operatorId, sellerId, origin: actor.origin };
  const { developerId, role, origin } = actor;
  return { kind: role === 'operator' ? 'operator' : 'person', role, developerId, sellerId, origin };
}

/**
 * Rules of a host, in addition to those of the market. Returns every rule that a draft breaks. It is asked for each
 * create, revision and imported automation, and by reviews, once the draft keeps the rules of the market. `by` acts:
 * for an import it is the operator, and `by.sellerId` the developer of the automation. When it fails, or returns
 * anything else, nothing is stored.
 * Like the rules of the market, it is also asked when a create is repeated with its idempotency key: the store tells
 * only with the write that it has the key. A rule that became stricter may refuse such a repetition.
 */
export type AutomationRules = (
  draft: FullDraft,
  by: RuleActor,
) => readonly BrokenRule[] | PromiseLike<readonly BrokenRule[]>;

/** The failure of a host's rules. It is no error of the core, whatever the rules threw. */
export class HostRulesError extends Error {
  /** Takes the reason, which the message repeats. */
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`the rules of the host failed: ${reason}; nothing was stored`, options);
  }
}

type Content = Pick<Automation, RevisableField>;

const FIELDS: ReadonlySet<unknown> = new Set(CONTENT_FIELDS);

/** Returns the rules of a host that are broken. @throws HostRulesError when they fail or return something else. */
export async function brokenHostRules(
  rules: AutomationRules | undefined,
  content: Content,
  by: RuleActor,
): Promise<readonly FieldError[]> {
  if (rules === undefined) return [];
  const broken = await resultOf(rules, content, by);
  if (!Array.isArray(broken) || !broken.every(isBrokenRule))
    throw new HostRulesError('they must return a list of { field, detail }');
  return broken.map(({ field, detail }) => ({ field, code: 'host-rule', detail }));
}

/** @throws DomainError `invalid` with every rule of a host that is broken; HostRulesError as `brokenHostRules`. */
export async function requireHostRules(
  rules: AutomationRules | undefined,
  content: Content,
  by: RuleActor,
): Promise<void> {
  const fields = await brokenHostRules(rules, content, by);
  if (fields.length > 0) throw new DomainError('invalid', 'invalid-fields', 'the automation is not valid', fields);
}

async function resultOf(rules: AutomationRules, content: Content, by: RuleActor): Promise<unknown> {
  try {
    return await rules(Object.freeze(draftOf(content)), by);
  } catch (cause) {
    throw new HostRulesError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function isBrokenRule(value: unknown): value is BrokenRule {
  const { field, detail } = (value ?? {}) as Partial<BrokenRule>;
  return FIELDS.has(field) && typeof detail === 'string' && detail.trim() !== '';
}
