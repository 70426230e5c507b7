import type { Actor, Caller } from '../domain/access.js';
import { draftOf, type Automation, type AutomationDraft, type RevisableField } from '../domain/automation.js';
import { DomainError, type FieldError } from '../domain/errors.js';

/** A rule of a host that a draft breaks: the field, and a phrase that follows its name, such as `must be unique`. */
export interface BrokenRule {
  readonly field: RevisableField;
  readonly detail: string;
}

/**
 * Rules of a host, in addition to those of the market. Returns every rule that a draft breaks. It is asked for each
 * create, revision and imported automation, and by reviews, once the draft keeps the rules of the market. `by` acts;
 * for an import it is the developer of the automation. When it fails, or returns anything else, nothing is stored.
 */
export type AutomationRules = (
  draft: AutomationDraft,
  by: Actor | Caller,
) => readonly BrokenRule[] | PromiseLike<readonly BrokenRule[]>;

type Content = Pick<Automation, RevisableField>;

const FIELDS: ReadonlySet<unknown> = new Set([
  'title',
  'description',
  'price',
  'categoryId',
] satisfies RevisableField[]);

/** Returns every rule of a host that a content breaks. @throws Error when the rules fail or return something else. */
export async function brokenHostRules(
  rules: AutomationRules | undefined,
  content: Content,
  by: Actor | Caller,
): Promise<readonly FieldError[]> {
  if (rules === undefined) return [];
  const broken = await resultOf(rules, content, by);
  if (!Array.isArray(broken) || !broken.every(isBrokenRule))
    throw new TypeError('the rules of the host must return a list of { field, detail }; nothing was stored');
  return broken.map(({ field, detail }) => ({ field, code: 'host-rule', detail }));
}

/** @throws DomainError `invalid` with every rule of a host that is broken; Error as `brokenHostRules`. */
export async function requireHostRules(
  rules: AutomationRules | undefined,
  content: Content,
  by: Actor | Caller,
): Promise<void> {
  const fields = await brokenHostRules(rules, content, by);
  if (fields.length > 0) throw new DomainError('invalid', 'invalid-fields', 'the automation is not valid', fields);
}

/** Errors of a host are wrapped, so that none of them is taken for an error of the core. */
async function resultOf(rules: AutomationRules, content: Content, by: Actor | Caller): Promise<unknown> {
  try {
    return await rules(Object.freeze(draftOf(content)), by);
  } catch (cause) {
    throw new Error('the rules of the host failed; nothing was stored', { cause });
  }
}

function isBrokenRule(value: unknown): value is BrokenRule {
  const { field, detail } = (value ?? {}) as Partial<BrokenRule>;
  return FIELDS.has(field) && typeof detail === 'string' && detail.trim() !== '';
}
