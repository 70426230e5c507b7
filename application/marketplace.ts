import {
  isOperator,
  isPerson,
  requireOperator,
  requireScope,
  requireSeller,
  type Actor,
  type Caller,
  type DeveloperId,
  type Operator,
} from '../domain/access.js';
import { inWrites } from '../domain/add-size.js';
import {
  automationId,
  changedFields,
  parseWithdrawalReason,
  reviseAutomation,
  type Automation,
  type AutomationDraft,
  type RevisableField,
  type UncheckedDraft,
} from '../domain/automation.js';
import type { CountedCategory } from '../domain/category.js';
import { DEFAULT_CURRENCY, otherCurrency, parseCurrency, type Currency } from '../domain/currency.js';
import { DomainError, type FieldError } from '../domain/errors.js';
import type { RemovedPart } from '../domain/file-facts.js';
import type { IdempotencyKey } from '../domain/idempotency.js';
import type { UncheckedAutomation } from '../domain/imported-automation.js';
import { requireOptions, requireParts } from '../domain/options.js';
import type { AutomationRepository, CategoryRepository, FileInspector, NewAutomation } from '../domain/ports.js';
import { Context, type ContextOptions } from './context.js';
import { createdOf, untilFailure, type Created, type KeyedDraft } from './created.js';
import type { FairSearch } from './fair-search.js';
import type { RefusedFiles } from './file-intake.js';
import { requireHostRules, ruleActorOf, type AutomationRules } from './host-rules.js';
import {
  isPlain,
  parseListRequest,
  plainQuery,
  violationsOfList,
  type AutomationList,
  type ListRequest,
  type UncheckedListRequest,
} from './list-request.js';
import { about, Offers } from './offers.js';
import { countedCategories, readFileOf } from './on-sale.js';

/** The options of a marketplace. */
export interface MarketplaceOptions extends ContextOptions {
  /** ISO 4217 code of every price; USD by default. */
  readonly currency?: string | undefined;
  /** Finds by words and price, and orders by price. Without it, only plain lists can be asked for. */
  readonly search?: Pick<FairSearch, 'search'> | undefined;
  /** Rules of a host, in addition to those of the market. */
  readonly rules?: AutomationRules | undefined;
  /** Inspects the files of automations. Without it, files are refused. */
  readonly fileInspector?: FileInspector | undefined;
  /** Tells which files are refused for everyone. */
  readonly reports?: RefusedFiles | undefined;
}

const OPTIONS = {
  currency: true,
  now: true,
  newId: true,
  audit: true,
  search: true,
  rules: true,
  fileInspector: true,
  reports: true,
} as const;

/** An automation after a revision, and the fields that it changed: none when nothing was stored. */
export interface Revised {
  readonly automation: Automation;
  readonly changed: readonly RevisableField[];
  /** The parts of a new file that are not stored. */
  readonly removed: readonly RemovedPart[];
}

/** The marketplace: what its users can do. Every failure that a caller can act on is a `DomainError`. */
export class Marketplace {
  readonly currency: Currency;
  readonly #context: Context;
  readonly #search: MarketplaceOptions['search'];
  readonly #rules: AutomationRules | undefined;
  readonly #reports: RefusedFiles | undefined;
  readonly #offers: Offers;

  /**
   * Uses automations and categories, of one store or each of its own.
   * @throws DomainError `invalid` when there is no such currency; TypeError for an unknown option, and for a
   *   repository, a clock or ids that are none.
   */
  constructor(
    private readonly automations: AutomationRepository,
    private readonly categories: CategoryRepository,
    options: MarketplaceOptions = {},
  ) {
    requireOptions('Marketplace', options, OPTIONS);
    requireParts('Marketplace', 'automations', automations, ['add', 'find', 'list', 'revise', 'withdraw']);
    requireParts('Marketplace', 'categories', categories, ['find', 'list']);
    this.currency = parseCurrency(options.currency ?? DEFAULT_CURRENCY);
    this.#context = new Context(options);
    this.#search = options.search;
    this.#rules = options.rules;
    const { rules, fileInspector, reports } = options;
    const { currency } = this;
    this.#reports = reports;
    this.#offers = new Offers(categories, { currency, context: this.#context, rules, fileInspector, reports });
  }

  /**
   * Returns one page, newest first unless another order is asked for. A category that does not exist, or cannot, has an
   * empty list. Fails as `invalid` with every broken rule.
   */
  async listAutomations(caller: Caller, request: ListRequest = {}): Promise<AutomationList> {
    requireScope(caller, 'automations:read');
    const query = parseListRequest(request, this.#listContext);
    const { page, category } = query;
    if (category === undefined && request.category !== undefined) return { items: [], total: 0, page };
    if (this.#search === undefined || isPlain(query))
      return { ...(await this.automations.list(plainQuery(query))), page };
    const { items, total } = await this.#search.search(query, caller.developerId);
    return { items: items.map(({ automation: { id, title, price } }) => ({ id, title, price })), total, page };
  }

  /** Returns every rule that a request breaks, as `listAutomations` would report them. */
  reviewListRequest(request: UncheckedListRequest): readonly FieldError[] {
    return violationsOfList(request, this.#listContext);
  }

  /** Fails as `not-found` for an id that is unknown, withdrawn or malformed. */
  async readAutomation(caller: Caller, id: string): Promise<Automation> {
    requireScope(caller, 'automations:read');
    return this.#find(id);
  }

  /** As `Catalogue.readFile`, for a caller who reads. */
  async readFile(caller: Caller, automation: Automation): Promise<Uint8Array | undefined> {
    requireScope(caller, 'automations:read');
    return readFileOf(automation, { automations: this.automations, reports: this.#reports });
  }

  /** Puts an automation on sale. Fails as `invalid` with every broken rule. */
  async createAutomation(caller: Caller, draft: AutomationDraft): Promise<Automation> {
    return (await this.createAutomationOnce(caller, draft)).automation;
  }

  /**
   * As `createAutomation`, but asked again with the same key, as long as it is kept, it returns the first automation
   * again and stores nothing. Fails as `idempotency-key-reused` when the content is another.
   */
  async createAutomationOnce(caller: Caller, draft: UncheckedDraft, key?: IdempotencyKey): Promise<Created> {
    requireScope(caller, 'automations:write');
    const [offer, removed] = await this.#offers.of(caller, draft, key);
    const [answer] = await this.automations.add([offer]);
    return createdOf(offer, removed, answer);
  }

  /**
   * Does the same for several drafts. Their order is that of the market. Returns how each of them settled. The first
   * that fails by anything but its draft (`isOfDraft`) is the last of the list: nothing behind it is stored.
   */
  async createAutomationsOnce(
    caller: Caller,
    drafts: readonly KeyedDraft[],
  ): Promise<readonly PromiseSettledResult<Created>[]> {
    requireScope(caller, 'automations:write');
    const offering = drafts.map(({ draft, key }) => this.#offers.of(caller, draft, key));
    const checked = untilFailure(await Promise.allSettled(offering));
    const offers = new Map(checked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    const added = new Map<NewAutomation, PromiseSettledResult<Created>>();
    for (const write of inWrites(Array.from(offers.keys()))) {
      const adding = this.automations.add(write);
      const creating = write.map(async (offer, index) =>
        createdOf(offer, offers.get(offer) ?? [], (await adding)[index]),
      );
      const settled = await Promise.allSettled(creating);
      settled.forEach((one, index) => added.set(write[index] as NewAutomation, one));
      if (untilFailure(settled).length < settled.length) break;
    }
    return untilFailure(checked.flatMap((one) => (one.status === 'fulfilled' ? (added.get(one.value[0]) ?? []) : one)));
  }

  /**
   * Returns every rule that a draft breaks, as `createAutomation` would report them to `by`. The operator may name the
   * developer who offers it. Fails as `forbidden` for a caller who may not create, and for a buyer.
   */
  async reviewAutomation(
    by: Actor | Caller,
    draft: UncheckedDraft,
    seller?: DeveloperId,
  ): Promise<readonly FieldError[]> {
    if (isOperator(by) || isPerson(by)) requireSeller(by);
    else requireScope(by, 'automations:write');
    return this.#offers.review(draft, ruleActorOf(by, isOperator(by) ? seller : by.developerId));
  }

  /**
   * Returns what is to be stored of automations of another store, with their ids, developers and dates. Returns the
   * error in the place of one that breaks a rule: `invalid` with every broken rule.
   */
  async prepareImports(
    by: Operator,
    from: readonly UncheckedAutomation[],
  ): Promise<readonly (NewAutomation | DomainError)[]> {
    requireOperator(by);
    return this.#offers.imported(by, from);
  }

  /**
   * Changes some fields of an automation on sale: a person who sells one of their own, the operator any. Equal values
   * store nothing. Fails as `conflict` when the automation is no longer as it was shown (`basedOn` is its `updatedAt`
   * then), or is revised during the call. Fails as `not-found`, as `forbidden` for a buyer, or as `invalid` with every
   * broken rule.
   */
  async reviseAutomation(by: Actor, id: string, changes: UncheckedDraft, basedOn?: Date): Promise<Revised> {
    const current = await this.#ownOrAny(by, id);
    const { categoryId = current.categoryId, file } = changes;
    const facts = await this.#offers.factsFor({ categoryId, file });
    const revised = reviseAutomation(current, changes, facts, this.#context.now());
    if (basedOn !== undefined && basedOn.getTime() !== current.updatedAt.getTime()) throw revisedMeanwhile();
    const changed = changedFields(current, revised);
    const removed = facts.file?.removed ?? [];
    if (changed.length === 0) return { automation: current, changed, removed };
    await requireHostRules(this.#rules, revised, ruleActorOf(by, revised.developerId));
    const entry = this.#offers.entry(by, { action: 'automation-revised', ...about(current), changed });
    const bytes = facts.file && changed.includes('file') && { fileContent: facts.file.content };
    const revision = { automation: revised, basedOn: current.updatedAt, ...bytes, ...entry };
    const answer = await this.automations.revise(revision);
    if (answer.outcome === 'other-currency') throw otherCurrency(answer.currency, this.currency);
    if (answer.outcome === 'conflict') throw revisedMeanwhile();
    if (answer.outcome === 'unknown') throw noSuchAutomation();
    return { automation: revised, changed, removed };
  }

  /**
   * Takes an automation off the market: a person who sells one of their own, the operator any. A second time changes
   * nothing; it fails as `not-found` for a person, and not for the operator. Fails as `not-found`, as `forbidden` for a
   * buyer, or as `invalid` for the reason.
   */
  async withdrawAutomation(by: Actor, id: string, reason?: string): Promise<void> {
    requireSeller(by);
    const because = reason === undefined ? undefined : parseWithdrawalReason(reason);
    const known = automationId(id);
    if (known === undefined) throw noSuchAutomation();
    const automation = await this.automations.find(known);
    const outcome = await this.automations.withdraw(known, {
      at: this.#context.now(),
      ...(isOperator(by) ? { by: 'operator' } : { by: 'developer', developerId: by.developerId }),
      ...(because !== undefined && { reason: because }),
      ...(automation && this.#offers.entry(by, { action: 'automation-withdrawn', ...about(automation) })),
    });
    const isAgain = outcome === 'already-withdrawn' && isOperator(by);
    if (outcome !== 'withdrawn' && !isAgain) throw noSuchAutomation();
  }

  /** Every category, ordered by name, with the number of automations on sale in it. */
  async listCategories(caller: Caller): Promise<readonly CountedCategory[]> {
    requireScope(caller, 'automations:read');
    return countedCategories({ automations: this.automations, categories: this.categories });
  }

  get #listContext() {
    return { currency: this.currency, canSearch: this.#search !== undefined };
  }

  /** @throws DomainError `not-found`. */
  async #find(id: string): Promise<Automation> {
    const known = automationId(id);
    const automation = known && (await this.automations.find(known));
    if (automation === undefined) throw noSuchAutomation();
    return automation;
  }

  /** @throws DomainError `not-found`, also for an automation of another developer. */
  async #ownOrAny(by: Actor, id: string): Promise<Automation> {
    requireSeller(by);
    const automation = await this.#find(id);
    if (!isOperator(by) && by.developerId !== automation.developerId) throw noSuchAutomation();
    return automation;
  }
}

function revisedMeanwhile(): DomainError {
  return new DomainError('conflict', 'revised-meanwhile', 'this automation was changed meanwhile; look at it again');
}

function noSuchAutomation(): DomainError {
  return new DomainError('not-found', 'no-such-automation', 'there is no automation with this id');
}
