import type { Actor, Caller, Operator } from '../domain/access.js';
import type { AuditEntry, AuditEvent } from '../domain/audit.js';
import {
  checkDraft,
  newAutomation,
  type Automation,
  type AutomationId,
  type UncheckedDraft,
} from '../domain/automation.js';
import { categoryId, type Category } from '../domain/category.js';
import type { Currency } from '../domain/currency.js';
import { DomainError, Violations, type FieldError } from '../domain/errors.js';
import type { RemovedPart } from '../domain/file-facts.js';
import type { IdempotencyKey } from '../domain/idempotency.js';
import { parseImportedAutomation, type UncheckedAutomation } from '../domain/imported-automation.js';
import type { CategoryRepository, FileInspector, NewAutomation } from '../domain/ports.js';
import type { Context } from './context.js';
import { hashOf } from './created.js';
import { takeFile, type RefusedFiles, type TakenFile } from './file-intake.js';
import { brokenHostRules, requireHostRules, ruleActorOf, type AutomationRules, type RuleActor } from './host-rules.js';

/** The facts against which a draft is checked. */
interface Facts {
  readonly currency: Currency;
  readonly category: Category | undefined;
  readonly file?: TakenFile | undefined;
}

interface OfferOptions {
  readonly currency: Currency;
  readonly context: Context;
  readonly rules: AutomationRules | undefined;
  readonly fileInspector: FileInspector | undefined;
  readonly reports: RefusedFiles | undefined;
}

/** Makes of drafts what is to be stored, by the rules of the market and those of a host. */
export class Offers {
  constructor(
    private readonly categories: CategoryRepository,
    private readonly options: OfferOptions,
  ) {}

  async factsFor({ categoryId: name, file }: UncheckedDraft): Promise<Facts> {
    return this.#factsOf(await this.#categoryOf(name), file);
  }

  /** Returns every rule that a draft breaks. */
  async review(draft: UncheckedDraft, by: RuleActor): Promise<readonly FieldError[]> {
    const violations = new Violations();
    const content = checkDraft(draft, await this.factsFor(draft), violations);
    return violations.fields.length > 0 ? violations.fields : brokenHostRules(this.options.rules, content, by);
  }

  /** Returns what is to be stored for a draft that keeps every rule, and what was removed from its file. */
  async of(
    caller: Caller,
    draft: UncheckedDraft,
    key: IdempotencyKey | undefined,
  ): Promise<readonly [NewAutomation, readonly RemovedPart[]]> {
    if (key !== undefined && typeof (key as Partial<IdempotencyKey>).value !== 'string')
      throw new TypeError('the idempotency key must be one that requestKey or importKey made');
    const { context, rules } = this.options;
    const facts = await this.factsFor(draft);
    const id = context.newId() as AutomationId;
    const origin = { id, developerId: caller.developerId, createdAt: context.now() };
    const automation = newAutomation(draft, facts, origin);
    // Without rules nothing waits between the ids of the automation and of its entry.
    if (rules !== undefined) await requireHostRules(rules, automation, ruleActorOf(caller, caller.developerId));
    /** An import is in the audit as a whole; its keys are kept for ever. */
    const isOfImport = key !== undefined && key.lifetime === undefined;
    const offer = {
      ...storedOf(automation, facts),
      ...(key && { ...keyOf(key, automation), requestHash: hashOf(automation, facts.file?.sentSha256) }),
      ...(!isOfImport && this.entry(caller, { action: 'automation-published', ...about(automation) })),
    };
    return [offer, facts.file?.removed ?? []];
  }

  /** Returns what is to be stored of automations of another store, or why one is refused. Reads each category once. */
  async imported(by: Operator, all: readonly UncheckedAutomation[]): Promise<readonly (NewAutomation | DomainError)[]> {
    const names = Array.from(new Set(all.map((one) => one.categoryId)));
    const found = names.map(async (name) => [name, await this.#categoryOf(name)] as const);
    const categories = new Map(await Promise.all(found));
    return Promise.all(
      all.map(async (one) => {
        try {
          const facts = await this.#factsOf(categories.get(one.categoryId), one.file);
          const automation = parseImportedAutomation(one, facts);
          await requireHostRules(this.options.rules, automation, ruleActorOf(by, automation.developerId));
          return storedOf(automation, facts);
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          return error;
        }
      }),
    );
  }

  entry(by: Actor | Caller, event: Omit<AuditEvent, 'actor'>): { readonly auditEntry?: AuditEntry } {
    const { audit } = this.options.context;
    return audit === undefined ? {} : { auditEntry: audit.entryOf(by, event) };
  }

  async #categoryOf(name: unknown): Promise<Category | undefined> {
    const id = typeof name === 'string' ? categoryId(name) : undefined;
    return id && this.categories.find(id);
  }

  async #factsOf(category: Category | undefined, file: unknown): Promise<Facts> {
    const { currency, fileInspector, reports } = this.options;
    const facts = { currency, category };
    if (file === undefined || file === null) return facts;
    return { ...facts, file: await takeFile(fileInspector, reports, file) };
  }
}

/** Returns the parts of an event that name the automation. */
export function about({ id, developerId }: Automation): Pick<AuditEvent, 'developerId' | 'subject'> {
  return { developerId, subject: id };
}

function storedOf(automation: Automation, { file }: Facts): NewAutomation {
  return { automation, ...(file && { fileContent: file.content }) };
}

function keyOf({ value, lifetime }: IdempotencyKey, { createdAt }: Automation) {
  if (lifetime === undefined) return { idempotencyKey: value };
  return { idempotencyKey: value, idempotencyKeyUntil: new Date(createdAt.getTime() + lifetime) };
}
