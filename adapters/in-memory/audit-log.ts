import type { DeveloperId } from '../../domain/access.js';
import type { AuditEntry, AuditEntryId } from '../../domain/audit.js';
import { partitionPoint } from '../../domain/partition-point.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import { lastOf } from './slices.js';

interface Stored {
  readonly number: number;
  readonly entry: AuditEntry;
}

/**
 * Keeps entries in arrays in the order in which they came, one of all and one per developer; a process's own, and gone
 * with it.
 */
export class InMemoryAuditLog implements AuditLog {
  readonly #numbers = new Map<AuditEntryId, number>();
  readonly #all: Stored[] = [];
  readonly #concerning = new Map<DeveloperId, Stored[]>();

  async append(entries: readonly AuditEntry[]): Promise<void> {
    for (const entry of entries) if (!this.#numbers.has(entry.id)) this.#store(entry);
  }

  async list({ developerId, limit, before }: AuditQuery): Promise<readonly AuditEntry[]> {
    const stored = developerId === undefined ? this.#all : (this.#concerning.get(developerId) ?? []);
    const end = before === undefined ? stored.length : this.#countBefore(before, stored);
    return lastOf(stored, end, limit).map(({ entry }) => copyOf(entry));
  }

  #store(entry: AuditEntry): void {
    const stored = { number: this.#all.length + 1, entry: copyOf(entry) };
    this.#numbers.set(entry.id, stored.number);
    this.#all.push(stored);
    if (entry.developerId === undefined) return;
    const concerning = this.#concerning.get(entry.developerId) ?? [];
    concerning.push(stored);
    this.#concerning.set(entry.developerId, concerning);
  }

  #countBefore(id: AuditEntryId, stored: readonly Stored[]): number {
    const before = this.#numbers.get(id) ?? 0;
    return partitionPoint(stored, ({ number }) => number < before);
  }
}

function copyOf(entry: AuditEntry): AuditEntry {
  return Object.freeze({ ...entry, at: new Date(entry.at) });
}
