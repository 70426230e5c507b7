import { OPERATOR, parseAnyDeveloperId, type Actor, type DeveloperId, type Origin } from '../domain/access.js';
import {
  newAuditEntry,
  type AuditAction,
  type AuditEntry,
  type AuditEntryId,
  type AuditEvent,
} from '../domain/audit.js';
import { BatchQueue } from '../domain/batch-queue.js';
import { safeCall } from '../domain/safe-call.js';
import { newPage } from '../domain/page.js';
import type { AuditLog } from '../domain/ports.js';
import { later, newUuid, now } from './defaults.js';
import { cursorPage, type CursorPage, type CursorRequest } from './cursor-page.js';

/** The clock, the source of ids, and the handler of failures. */
export interface AuditTrailOptions {
  /** The clock; the machine's by default. */
  readonly now?: () => Date;
  /** A new UUID in lower case; version 7 by default. */
  readonly newId?: () => string;
  /** Gets the entries that could not be stored, and the error. It may fail; its result is not awaited. */
  readonly onError?: (error: unknown, entries: readonly AuditEntry[]) => unknown;
}

/** A part of the history, newest first. */
export interface HistoryRequest extends CursorRequest {
  /** For the operator: only the entries of this developer, who may be one of an issuer (`oauth:...`). */
  readonly developer?: string | undefined;
}

const MAX_BATCH_SIZE = 500;

/**
 * Entries of publications wait for this time, and are then written together. They come by the thousand, and no caller
 * waits for them; one write each would take the store's time from the publications.
 */
const LINGER_MS = 100;

const MAX_WAITING = 5_000;

/**
 * Records who did what, after it was done. Entries that come at the same time are stored together. An action stands
 * whether or not it could be recorded, so recording never fails: `onError` is called instead. A process that dies
 * between an action and its entry loses the entry.
 */
export class AuditTrail {
  readonly #now: () => Date;
  readonly #newId: () => string;
  readonly #onError: (error: unknown, entries: readonly AuditEntry[]) => unknown;
  readonly #writes: BatchQueue<AuditEntry, undefined>;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  /** Creates the trail of a log. A process has one trail, which stores events in the order in which they come. */
  constructor(
    private readonly log: AuditLog,
    options: AuditTrailOptions = {},
  ) {
    this.#now = options.now ?? now;
    this.#newId = options.newId ?? newUuid;
    this.#onError = options.onError ?? (() => undefined);
    this.#writes = new BatchQueue((entries) => this.#write(entries), MAX_BATCH_SIZE);
  }

  /** Stores what was done. Resolves when it is stored; a caller need not wait for it. */
  record(event: AuditEvent, origin: Origin = {}): Promise<void> {
    const stamp = { id: this.#newId() as AuditEntryId, at: this.#now() };
    this.#waiting += 1;
    this.#last = this.#writes.ask(newAuditEntry(event, origin, stamp));
    return this.#last;
  }

  /** Stores what a developer did, or what the operator did to that developer. */
  recordBy(by: Actor, action: AuditAction, developerId: DeveloperId, subject?: AuditEvent['subject']): Promise<void> {
    const actor = by === OPERATOR ? 'operator' : 'developer';
    return this.record({ actor, action, developerId, ...(subject && { subject }) }, by === OPERATOR ? {} : by.origin);
  }

  /** Whether the queue is full: a caller who adds an entry should wait until it is stored. */
  get isBehind(): boolean {
    return this.#waiting >= MAX_WAITING;
  }

  /** Resolves when all that was recorded so far is stored. */
  settled(): Promise<void> {
    return this.#last;
  }

  /** Returns what was done, newest first: the operator gets all of it, a developer their own. Fails as `invalid`. */
  async list(by: Actor, { developer, limit, before }: HistoryRequest = {}): Promise<CursorPage<AuditEntry>> {
    const page = newPage({ limit });
    const developerId = by === OPERATOR ? parsed(developer) : by.developerId;
    const items = await this.log.list({
      limit: page.limit + 1,
      ...(developerId !== undefined && { developerId }),
      ...(before !== undefined && { before: before as AuditEntryId }),
    });
    return cursorPage(items, page.limit);
  }

  async #write(entries: readonly AuditEntry[]): Promise<readonly undefined[]> {
    if (this.#waiting <= MAX_BATCH_SIZE && entries.every(({ action }) => action === 'automation-published'))
      await later(LINGER_MS);
    this.#waiting -= entries.length;
    try {
      await this.log.append(entries);
    } catch (error) {
      safeCall(() => this.#onError(error, entries));
    }
    return entries.map(() => undefined);
  }
}

function parsed(developer: string | undefined): DeveloperId | undefined {
  return developer === undefined ? undefined : parseAnyDeveloperId(developer);
}
