import { OPERATOR, readDeveloperId, type Actor, type DeveloperId, type Origin } from '../domain/access.js';
import { newAuditEntry, type AuditAction, type AuditEntry, type AuditEntryId, type Deed } from '../domain/audit.js';
import { BatchQueue } from '../domain/batch-queue.js';
import { safeCall } from '../domain/safe-call.js';
import { newPage } from '../domain/page.js';
import type { AuditLog } from '../domain/ports.js';
import { later, newUuid, now } from './defaults.js';
import { cursorPage, type CursorPage, type CursorRequest } from './cursor-page.js';

/** Where time and ids come from, and who is told of failures. */
export interface AuditTrailOptions {
  /** What time it is; by the clock of the machine, unless told otherwise. */
  readonly now?: () => Date;
  /** A new UUID in lower case; version 7 by default. */
  readonly newId?: () => string;
  /** Is told what could not be written down, and why. It may fail, and what it answers is not waited for. */
  readonly onError?: (error: unknown, entries: readonly AuditEntry[]) => unknown;
}

/** A part of the history, newest first. */
export interface HistoryRequest extends CursorRequest {
  /** For the operator: only what concerns this developer, perhaps one of an issuer (`oauth:...`). */
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
 * Writes down who did what, after it was done. What is noted at the same time is written together. The deed stands
 * whether or not it could be written down, so noting never fails: `onError` is told instead. A process that dies
 * between a deed and its note loses the note.
 */
export class AuditTrail {
  readonly #now: () => Date;
  readonly #newId: () => string;
  readonly #onError: (error: unknown, entries: readonly AuditEntry[]) => unknown;
  readonly #writes: BatchQueue<AuditEntry, undefined>;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  /** Over one log. A process has one trail, which writes in the order of what it is told. */
  constructor(
    private readonly log: AuditLog,
    options: AuditTrailOptions = {},
  ) {
    this.#now = options.now ?? now;
    this.#newId = options.newId ?? newUuid;
    this.#onError = options.onError ?? (() => undefined);
    this.#writes = new BatchQueue((entries) => this.#write(entries), MAX_BATCH_SIZE);
  }

  /** Resolves when it is written down; who does not want to wait need not. */
  note(deed: Deed, origin: Origin = {}): Promise<void> {
    const made = { id: this.#newId() as AuditEntryId, at: this.#now() };
    this.#waiting += 1;
    this.#last = this.#writes.ask(newAuditEntry(deed, origin, made));
    return this.#last;
  }

  /** Notes what a developer did, or the operator to that developer. */
  noteBy(by: Actor, action: AuditAction, developerId: DeveloperId, subject?: Deed['subject']): Promise<void> {
    const actor = by === OPERATOR ? 'operator' : 'developer';
    return this.note({ actor, action, developerId, ...(subject && { subject }) }, by === OPERATOR ? {} : by.origin);
  }

  /** Whether so much waits to be written down that who adds to it should wait as well. */
  get isBehind(): boolean {
    return this.#waiting >= MAX_WAITING;
  }

  /** Resolves when all that was noted so far is written down. */
  settled(): Promise<void> {
    return this.#last;
  }

  /** What was done, newest first: the operator sees all of it, a developer what concerns them. Fails as `invalid`. */
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
  return developer === undefined ? undefined : readDeveloperId(developer);
}
