import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  DomainError,
  type ApiKey,
  type ArchivedAutomation,
  type AuditEntry,
  type AutomationId,
  type Category,
  type Currency,
  type CursorQuery,
  type Developer,
  type DeveloperIdentity,
  type NewAutomation,
  type Session,
  type StoreRecord,
} from '../../../application/index.js';
import { notPrepared } from '../../../adapters/storage/index.js';

/** An automation as it is stored: with its idempotency key and its withdrawal. */
export type Row = Omit<NewAutomation, 'fileContent' | 'auditEntry'> & Pick<ArchivedAutomation, 'withdrawn'>;

/** Everything in the file. What was added last stands last: this is the order of the market. */
export interface Data {
  record?: StoreRecord;
  readonly automations: Row[];
  /** The bytes of files in base64, by the ids of their automations. */
  readonly files: { readonly id: AutomationId; readonly content: string }[];
  readonly categories: Category[];
  readonly keys: ApiKey[];
  readonly developers: Developer[];
  readonly identities: DeveloperIdentity[];
  readonly sessions: Session[];
  readonly audit: AuditEntry[];
}

const LISTS = ['automations', 'files', 'categories', 'keys', 'developers', 'identities', 'sessions', 'audit'];
const EMPTY = JSON.stringify(Object.fromEntries(LISTS.map((name) => [name, []])));
const DATES = /^(at|until|\w+At|activeSince|idempotencyKeyUntil)$/;

/** A JSON file, which one process uses at a time. Each change writes all of it: fine up to some 1,000 automations. */
export class JsonFile {
  #data: Data;

  constructor(private readonly path: string) {
    this.#data = this.#load();
  }

  /** The currency of all prices, once the file is prepared. */
  get recordedCurrency(): Currency | undefined {
    return this.#data.record?.currency;
  }

  /** Returns a copy of what `look` finds. */
  async read<Result>(look: (data: Data) => Result): Promise<Result> {
    return structuredClone(look(this.#data));
  }

  /** Makes a change, and resolves when it is on the disk. Nothing waits within it, so changes never overlap. */
  async change<Result>(make: (data: Data) => Result): Promise<Result> {
    try {
      const result = structuredClone(make(this.#data));
      if (this.#data.record === undefined) throw notPrepared();
      this.#store(JSON.stringify(this.#data));
      return result;
    } catch (error) {
      this.#data = this.#load();
      throw error;
    }
  }

  #load(): Data {
    return parsed(existsSync(this.path) ? readFileSync(this.path, 'utf8') : EMPTY);
  }

  #store(text: string): void {
    try {
      mkdirSync(dirname(this.path), { recursive: true });
      writeFileSync(`${this.path}.new`, text, { mode: 0o600, flush: true });
      renameSync(`${this.path}.new`, this.path);
    } catch (error) {
      throw new DomainError('unavailable', 'store-unavailable', `nothing was stored: ${String(error)}`);
    }
  }
}

function parsed(text: string): Data {
  const revive = (name: string, value: unknown) =>
    DATES.test(name) && typeof value === 'string' ? new Date(value) : value;
  return JSON.parse(text, revive) as Data;
}

/** Changes the first item that matches, and returns it as it was; undefined when none does. */
export function replace<Item>(
  items: Item[],
  matches: (item: Item) => boolean,
  change: (item: Item) => Item,
): Item | undefined {
  const index = items.findIndex(matches);
  const item = items[index];
  if (item !== undefined) items[index] = change(item);
  return item;
}

/** Removes the items that match, and returns how many these were. */
export function remove<Item>(items: Item[], matches: (item: Item) => boolean): number {
  const kept = items.filter((item) => !matches(item));
  return items.splice(0, items.length, ...kept).length - kept.length;
}

/** Returns a part of the items that match, the last one first. */
export function part<Id, Item extends { readonly id: Id }>(
  items: readonly Item[],
  { limit, before }: CursorQuery<Id>,
  matches: (item: Item) => boolean = () => true,
): readonly Item[] {
  const latest = items.toReversed();
  const known = latest.findIndex(({ id }) => id === before);
  if (before !== undefined && known < 0) return [];
  return latest
    .slice(known + 1)
    .filter(matches)
    .slice(0, limit);
}
