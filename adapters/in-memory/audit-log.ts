import type { DeveloperId } from '../../domain/access.js';
import type { AuditEntry, AuditEntryId } from '../../domain/audit.js';
import { partitionPoint } from './partition-point.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';

/** Keeps entries in arrays in the order of their ids, one of all and one for each developer. */
export class InMemoryAuditLog implements AuditLog {
  readonly #ids = new Set<AuditEntryId>();
  readonly #all: AuditEntry[] = [];
  readonly #concerning = new Map<DeveloperId, AuditEntry[]>();

  async append(entries: readonly AuditEntry[]): Promise<void> {
    for (const entry of entries) if (!this.#ids.has(entry.id)) this.#store(copyOf(entry));
  }

  async list({ developerId, limit, before, after }: AuditQuery): Promise<readonly AuditEntry[]> {
    const entries = developerId === undefined ? this.#all : (this.#concerning.get(developerId) ?? []);
    const end = before === undefined ? entries.length : countBelow(before, entries);
    if (after === undefined)
      return entries
        .slice(Math.max(0, end - limit), end)
        .reverse()
        .map(copyOf);
    const start = partitionPoint(entries, ({ id }) => id <= after);
    return entries.slice(start, Math.min(start + limit, end)).map(copyOf);
  }

  #store(entry: AuditEntry): void {
    this.#ids.add(entry.id);
    insert(entry, this.#all);
    if (entry.developerId === undefined) return;
    const concerning = this.#concerning.get(entry.developerId) ?? [];
    insert(entry, concerning);
    this.#concerning.set(entry.developerId, concerning);
  }
}

function insert(entry: AuditEntry, entries: AuditEntry[]): void {
  entries.splice(countBelow(entry.id, entries), 0, entry);
}

function countBelow(id: AuditEntryId, entries: readonly AuditEntry[]): number {
  return partitionPoint(entries, (one) => one.id < id);
}

function copyOf(entry: AuditEntry): AuditEntry {
  return Object.freeze({
    ...entry,
    at: new Date(entry.at),
    ...(entry.changed && { changed: Object.freeze([...entry.changed]) }),
    ...(entry.counts && { counts: Object.freeze({ ...entry.counts }) }),
  });
}
