import {
  isOperator,
  isPerson,
  parseDeveloperId,
  requireActor,
  requireCaller,
  requirePerson,
  type Actor,
  type Caller,
  type DeveloperId,
  type Origin,
  type Person,
} from '../domain/access.js';
import {
  auditEntryId,
  newAuditEntry,
  type AuditAction,
  type AuditEntry,
  type AuditEntryId,
  type AuditEvent,
} from '../domain/audit.js';
import { DomainError } from '../domain/errors.js';
import { safeCall } from './safe-call.js';
import { newPage } from '../domain/page.js';
import type { AuditLog, BulkWithdrawal } from '../domain/ports.js';
import { clockOf, idsOf } from './host-sources.js';
import { cursorPage, type CursorPage, type CursorRequest } from './cursor-page.js';
import { requireOptions } from '../domain/options.js';

/** The clock, the source of ids, and the handler of failures. */
export interface AuditTrailOptions {
  /** The clock; the machine's by default. */
  readonly now?: (() => Date) | undefined;
  /** A new UUID in lower case, greater than the one before: entries are ordered by their ids. Version 7 by default. */
  readonly newId?: (() => string) | undefined;
  /** Gets the entries that could not be stored, and the error. It may fail; its result is not awaited. */
  readonly onError?: ((error: unknown, entries: readonly AuditEntry[]) => unknown) | undefined;
}

/** A part of the history, newest first; with `after`, oldest first. */
export interface HistoryRequest extends CursorRequest {
  /**
   * Only the entries whose ids are higher than this one, which need not be there. The `next` of the part is the `after`
   * of the one that follows.
   */
  readonly after?: string | undefined;
  /** For the operator: only the entries of this developer. */
  readonly developer?: string | undefined;
}

/**
 * Records who did what. A change of an automation or of an account is stored together with its entry (`entryOf`,
 * `entriesOf`, `audited`), so that neither can be lost alone. All other entries are stored after the action and before
 * its response. Such an action stands whether or not it could be recorded, so recording never fails: `onError` is
 * called instead.
 */
export class AuditTrail {
  readonly #now: () => Date;
  readonly #newId: () => string;
  readonly #onError: (error: unknown, entries: readonly AuditEntry[]) => unknown;
  readonly #writes = new Set<Promise<void>>();

  /** Creates the trail of a log. A process has one. */
  constructor(
    private readonly log: AuditLog,
    options: AuditTrailOptions = {},
  ) {
    this.#now = clockOf(options.now);
    this.#newId = idsOf(options.newId);
    this.#onError = options.onError ?? (() => undefined);
  }

  /** Stores what was done, and resolves when it is stored. */
  record(event: AuditEvent, origin: Origin = {}): Promise<void> {
    const write = this.#write(this.newEntry(event, origin));
    this.#writes.add(write);
    return write.finally(() => this.#writes.delete(write));
  }

  /** Stores what a developer did, or what the operator did, to a developer or to what is of no developer. */
  recordBy(
    by: Actor | Caller,
    action: AuditAction,
    developerId: DeveloperId | undefined,
    about: Pick<AuditEvent, 'subject' | 'predecessor' | 'role' | 'counts' | 'file'> = {},
  ): Promise<void> {
    return this.record(eventBy(by, { action, developerId, ...about }), originOf(by));
  }

  /** Returns the entry of an event, which a repository stores together with the change that it tells of. */
  newEntry(event: AuditEvent, origin: Origin): AuditEntry {
    return newAuditEntry(event, origin, { id: this.#newId() as AuditEntryId, at: this.#now() });
  }

  /** Returns the entry of what a developer did, or the operator. */
  entryOf(by: Actor | Caller, event: Omit<AuditEvent, 'actor'>): AuditEntry {
    return this.newEntry(eventBy(by, event), originOf(by));
  }

  /** Returns the entries of this number of like changes, in the form in which a repository stores them together. */
  entriesOf(
    by: Actor | Caller,
    event: Omit<AuditEvent, 'actor' | 'subject'>,
    count: number,
  ): Pick<BulkWithdrawal, 'entryIds' | 'auditEntry'> {
    const { id, ...auditEntry } = this.entryOf(by, event);
    const ids = Array.from({ length: count - 1 }, () => this.#newId() as AuditEntryId);
    return { entryIds: [id, ...ids], auditEntry };
  }

  /** Resolves when all that was recorded so far is stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#writes);
  }

  /**
   * Returns what was done: the operator gets all of it, a developer what happened to their own account, without the
   * account, the address and the request of an operator who did it. It has every change that was acknowledged before.
   * An id is made before its entry is stored, so an entry can appear below the highest id that was read. Fails as
   * `invalid`.
   */
  async list(by: Actor, request: HistoryRequest = {}): Promise<CursorPage<AuditEntry>> {
    requireActor(by);
    requireOptions('audit.list', request, { developer: true, limit: true, before: true, after: true });
    const { developer, limit, before, after } = request;
    const page = newPage({ limit });
    const above = after === undefined ? undefined : parseAfter(after);
    const developerId = isOperator(by) ? parsed(developer) : by.developerId;
    const below = before === undefined ? undefined : auditEntryId(before);
    if (before !== undefined && below === undefined) return { items: [] };
    const items = await this.log.list({
      limit: page.limit + 1,
      ...(developerId !== undefined && { developerId }),
      ...(below !== undefined && { before: below }),
      ...(above !== undefined && { after: above }),
    });
    return cursorPage(isOperator(by) ? items : items.map((entry) => seenBy(by, entry)), page.limit);
  }

  async #write(entry: AuditEntry): Promise<void> {
    try {
      await this.log.append([entry]);
    } catch (error) {
      safeCall(() => this.#onError(error, [entry]));
    }
  }
}

/** A developer acts on what is their own, so the entry is theirs. */
function eventBy(by: Actor | Caller, event: Omit<AuditEvent, 'actor'>): AuditEvent {
  if (isOperator(by)) return { ...event, actor: 'operator', operatorId: by.operatorId };
  if (isPerson(by)) {
    requirePerson(by);
    return { ...event, actor: 'developer', developerId: by.developerId };
  }
  requireCaller(by);
  const { developerId, credentialId } = by;
  return { ...event, actor: 'developer', developerId, credentialId };
}

/** Returns an entry of a developer's account as they see it. */
function seenBy({ developerId }: Person, entry: AuditEntry): AuditEntry {
  const { operatorId, ...others } = entry;
  if (entry.actor !== 'operator' || operatorId === developerId) return entry;
  return newAuditEntry(others, {}, entry);
}

function originOf(by: Actor | Caller): Origin {
  return by.origin ?? {};
}

function parseAfter(text: string): AuditEntryId {
  const id = auditEntryId(text);
  if (id !== undefined) return id;
  const rule = 'must be a UUID';
  throw new DomainError('invalid', 'invalid-fields', `after ${rule}`, [
    { field: 'after', code: 'invalid-format', detail: rule },
  ]);
}

function parsed(developer: string | undefined): DeveloperId | undefined {
  return developer === undefined ? undefined : parseDeveloperId(developer);
}
