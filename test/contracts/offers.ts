import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { AuditEntry, AuditEntryId } from '../../domain/audit.js';
import type { Automation, AutomationId, AutomationSummary } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { Currency } from '../../domain/currency.js';
import type { AutomationFile, FileName } from '../../domain/file.js';
import type {
  AddOutcome,
  AutomationPage,
  AutomationQuery,
  AutomationRepository,
  BulkWithdrawal,
  NewAutomation,
  Revision,
  Withdrawal,
} from '../../domain/ports.js';
import { minorUnits } from '../../domain/price.js';

export const TOOLS = 'tools' as CategoryId;
export const GAMES = 'games' as CategoryId;
export const ADA = 'ada' as DeveloperId;
export const BOB = 'bob' as DeveloperId;
export const USD = 'USD' as Currency;
export const EUR = 'EUR' as Currency;

/** The longest slug. */
export const LONGEST_SLUG = 'x'.repeat(64);
export const LONGEST_DEVELOPER = LONGEST_SLUG as DeveloperId;

const MAX_BATCH_SIZE = 500;
const NOON = Date.UTC(2026, 0, 1, 12);

/** So many milliseconds after a fixed noon. */
export function at(milliseconds: number): Date {
  return new Date(NOON + milliseconds);
}

/** 1 to `count`. */
export function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** The UUID of the nth: each n has its own, and their order is not that of n, so that sorting by id shows. */
export function uuid(n: number): string {
  const scrambled = (BigInt(n) * 0x9e3779b97f4bn) & 0xffffffffffffn;
  return `01900000-0000-7000-8000-${scrambled.toString(16).padStart(12, '0')}`;
}

export function automationIdOf(n: number): AutomationId {
  return uuid(n) as AutomationId;
}

/** The nth entry of the audit; all are of the same time unless told otherwise. */
export function auditEntry(n: number, fields: Partial<AuditEntry> = {}): AuditEntry {
  return { id: entryIdOf(n), at: at(0), actor: 'developer', action: 'signed-in', developerId: ADA, ...fields };
}

/** The id of the nth entry. Their order is that of n. */
export function entryIdOf(n: number): AuditEntryId {
  return `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}` as AuditEntryId;
}

/**
 * The nth automation, each second one without an address, each third without a licence; all are of the same time unless
 * told otherwise. It was never revised unless told otherwise.
 */
export function automation(n: number, fields: Partial<Automation> = {}): Automation {
  const { createdAt = at(0), updatedAt = createdAt } = fields;
  return {
    id: automationIdOf(n),
    title: `Automation ${n}`,
    description: `What number ${n} does.`,
    price: { minorUnits: minorUnits(100 + n), currency: USD },
    categoryId: TOOLS,
    url: n % 2 === 0 ? null : `https://ada.example/${n}`,
    license: n % 3 === 0 ? null : 'MIT',
    file: null,
    developerId: ADA,
    ...fields,
    createdAt,
    updatedAt,
  };
}

export interface OfferFields extends Partial<Automation> {
  readonly key?: string;
  readonly until?: Date;
  readonly hash?: string;
  readonly auditEntry?: AuditEntry;
}

/** An offer of the nth automation. */
export function offer(n: number, { key, until, hash, auditEntry, ...fields }: OfferFields = {}): NewAutomation {
  return {
    automation: automation(n, fields),
    ...(key !== undefined && { idempotencyKey: key }),
    ...(until !== undefined && { idempotencyKeyUntil: until }),
    ...(hash !== undefined && { requestHash: hash }),
    ...(auditEntry !== undefined && { auditEntry }),
  };
}

/** What is stored of a file with this content. Its hash is made up. */
export function fileOf({ length }: Uint8Array, fields: Partial<AutomationFile> = {}): AutomationFile {
  return { name: 'sort.json' as FileName, size: length, sha256: String(length).padStart(64, '0'), ...fields };
}

/** An offer of the nth automation, with a file. */
export function offerWithFile(n: number, fileContent: Uint8Array, fields: OfferFields = {}): NewAutomation {
  return { ...offer(n, { file: fileOf(fileContent), ...fields }), fileContent };
}

/** Offers 1 to `count`, in two categories in turn. */
export function mixedOffers(count: number): readonly NewAutomation[] {
  return numbers(count).map((n) => offer(n, { categoryId: n % 2 === 0 ? GAMES : TOOLS }));
}

/** Adds offers, all of which must be stored, and answers their automations. */
export async function store(
  repository: AutomationRepository,
  ...offers: readonly NewAutomation[]
): Promise<readonly Automation[]> {
  assert.deepEqual(
    await repository.add(offers),
    offers.map(() => ({ outcome: 'stored' })),
  );
  return offers.map((one) => one.automation);
}

/** Does the same in goes of as many as `add` takes. */
export async function storeMany(
  repository: AutomationRepository,
  offers: readonly NewAutomation[],
): Promise<readonly Automation[]> {
  const stored: Automation[] = [];
  for (let start = 0; start < offers.length; start += MAX_BATCH_SIZE)
    stored.push(...(await store(repository, ...offers.slice(start, start + MAX_BATCH_SIZE))));
  return stored;
}

/** Adds one offer alone. */
export async function addOne(repository: AutomationRepository, one: NewAutomation): Promise<AddOutcome> {
  const [answer, ...more] = await repository.add([one]);
  assert.ok(answer !== undefined && more.length === 0, 'one answer for one offer');
  return answer;
}

/** How often each outcome was answered. */
export function tally(answers: readonly AddOutcome[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

export function query(number: number, limit: number, category?: CategoryId): AutomationQuery {
  return { page: { number, limit }, ...(category !== undefined && { category }) };
}

/** What a page shows, without its revision. */
export async function listed(repository: AutomationRepository, wanted: AutomationQuery): Promise<AutomationPage> {
  const { items, total } = await repository.list(wanted);
  return { items, total };
}

export function summary({ id, title, price }: Automation): AutomationSummary {
  return { id, title, price };
}

/**
 * That `find`, `list` and `countByCategory` show these automations, in the order in which they were stored, and no
 * others.
 */
export async function assertOnSale(
  repository: AutomationRepository,
  onSale: readonly Automation[],
  limits: readonly number[] = [1, 3, 7, 100],
): Promise<void> {
  const counts = await repository.countByCategory();
  for (const limit of limits) await assertPages(repository, onSale, limit);
  for (const category of [TOOLS, GAMES]) {
    const shelf = onSale.filter((one) => one.categoryId === category);
    assert.equal(counts.get(category) ?? 0, shelf.length, `count of ${category}`);
    for (const limit of limits) await assertPages(repository, shelf, limit, category);
  }
  for (const one of onSale) assert.deepEqual(await repository.find(one.id), one);
}

/** That the pages are the slices of the list, newest first, up to one past the end. */
export async function assertPages(
  repository: AutomationRepository,
  stored: readonly Automation[],
  limit: number,
  category?: CategoryId,
): Promise<void> {
  const newestFirst = stored.map(summary).reverse();
  for (let number = 1; number <= Math.ceil(stored.length / limit) + 1; number += 1) {
    const items = newestFirst.slice((number - 1) * limit, number * limit);
    assert.deepEqual(await listed(repository, query(number, limit, category)), { items, total: stored.length });
  }
}

/** False, in the next turn of the event loop. */
export function nextTurn(): Promise<false> {
  return new Promise((resolve) => setImmediate(resolve, false));
}

/** Reads again and again, several times a turn of the event loop, until a change that was asked for is done. */
export async function readWhile(read: () => Promise<void>, change: Promise<unknown>): Promise<void> {
  const done = change.then(() => true);
  do for (let times = 0; times < 5; times += 1) await read();
  while (!(await Promise.race([done, nextTurn()])));
  await read();
}

/** Stores two offers at a time, each time while somebody reads. */
export async function storeWhile(
  read: () => Promise<void>,
  repository: AutomationRepository,
  offers: readonly NewAutomation[],
): Promise<void> {
  for (let start = 0; start < offers.length; start += 2)
    await Promise.all([read(), store(repository, ...offers.slice(start, start + 2)), read()]);
  await read();
}

/** Revises an automation as it was last seen, which must succeed, and returns the revision that was sent. */
export async function revise(
  repository: AutomationRepository,
  current: Automation,
  fields: Partial<Automation>,
  auditEntry?: AuditEntry,
): Promise<Revision> {
  const sent = revision(current, fields, auditEntry);
  assert.deepEqual(await repository.revise(sent), { outcome: 'revised' });
  return sent;
}

/** A withdrawal by the developer, this number of milliseconds after the fixed noon. */
export function withdrawal(milliseconds: number, fields: Partial<Withdrawal> = {}): Withdrawal {
  return { at: at(milliseconds), by: 'developer', ...fields };
}

/** A withdrawal of Ada's automations by an operator, with the ids of `count` entries. */
export function bulkWithdrawal(count: number, { developerId = ADA, firstEntry = 1 } = {}): BulkWithdrawal {
  return {
    developerId,
    at: at(0),
    by: 'operator',
    entryIds: numbers(count).map((n) => entryIdOf(firstEntry + n - 1)),
    auditEntry: { at: at(0), actor: 'operator', operatorId: BOB, action: 'automation-withdrawn', developerId },
  };
}

/** The revision of an automation, a millisecond after its last change. */
export function revision(current: Automation, fields: Partial<Automation>, auditEntry?: AuditEntry): Revision {
  const updatedAt = new Date(current.updatedAt.getTime() + 1);
  return {
    automation: { ...current, updatedAt, ...fields },
    basedOn: current.updatedAt,
    ...(auditEntry && { auditEntry }),
  };
}
