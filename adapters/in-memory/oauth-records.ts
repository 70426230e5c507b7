import type { DeveloperId } from '../../domain/access.js';
import type {
  Audited,
  OAuthRecord,
  OAuthRecordQuery,
  OAuthRecords,
  RecordAddition,
  RecordRemoval,
} from '../../domain/ports.js';
import { copyOfRecord } from '../../domain/oauth-record.js';
import { InMemoryAuditLog } from './audit-log.js';

/** Records of the authorization server in a map; a process's own, and gone with it. */
export class InMemoryOAuthRecords implements OAuthRecords {
  readonly #records = new Map<string, OAuthRecord>();

  /** Takes the log that gets the entries of the audit. */
  constructor(private readonly auditLog = new InMemoryAuditLog()) {}

  async upsert(record: OAuthRecord): Promise<void> {
    this.#store(record);
  }

  async add({ record, max = Infinity, entries }: RecordAddition): Promise<boolean> {
    if (this.#of(record.kind, record.developerId).length >= max) return false;
    this.#store(record);
    await this.auditLog.append(entries);
    return true;
  }

  async replace(record: OAuthRecord, { from, entries }: Audited & { readonly from: string }): Promise<boolean> {
    if (this.#records.get(keyOf(record.kind, record.id))?.content !== from) return false;
    this.#store(record);
    await this.auditLog.append(entries);
    return true;
  }

  async find(kind: string, id: string): Promise<OAuthRecord | undefined> {
    const record = this.#records.get(keyOf(kind, id));
    return record && copyOfRecord(record);
  }

  async findByUid(kind: string, uid: string): Promise<OAuthRecord | undefined> {
    return this.#findWhere((record) => record.kind === kind && record.uid === uid);
  }

  async findByUserCode(kind: string, userCode: string): Promise<OAuthRecord | undefined> {
    return this.#findWhere((record) => record.kind === kind && record.userCode === userCode);
  }

  async list({ kind, developerId, limit, before }: OAuthRecordQuery): Promise<readonly OAuthRecord[]> {
    return [...this.#records.values()]
      .filter((record) => record.kind === kind && (developerId ?? record.developerId) === record.developerId)
      .filter(({ id }) => before === undefined || id < before)
      .toSorted((one, other) => (one.id < other.id ? 1 : -1))
      .slice(0, limit)
      .map(copyOfRecord);
  }

  async count(kind: string, developerId: DeveloperId): Promise<number> {
    return this.#of(kind, developerId).length;
  }

  async consume(kind: string, id: string, at: Date): Promise<boolean> {
    const record = this.#records.get(keyOf(kind, id));
    if (record === undefined || record.consumedAt !== undefined) return false;
    this.#records.set(keyOf(kind, id), copyOfRecord({ ...record, consumedAt: at }));
    return true;
  }

  async destroy({ kind, id, entries }: RecordRemoval): Promise<boolean> {
    const isThere = this.#records.delete(keyOf(kind, id));
    if (isThere) await this.auditLog.append(entries);
    return isThere;
  }

  async revokeByGrantId(grantId: string): Promise<number> {
    return this.#removeWhere((record) => record.grantId === grantId);
  }

  async revokeByClientId({ clientId, entries }: Audited & { readonly clientId: string }): Promise<number> {
    const removed = this.#removeWhere((record) => record.clientId === clientId);
    if (removed > 0) await this.auditLog.append(entries);
    return removed;
  }

  async removeExpired(asOf: Date): Promise<number> {
    return this.#removeWhere(({ expiresAt }) => expiresAt !== undefined && expiresAt <= asOf);
  }

  #store(record: OAuthRecord): void {
    const { consumedAt: _ignored, ...given } = record;
    const consumedAt = this.#records.get(keyOf(record.kind, record.id))?.consumedAt;
    this.#records.set(keyOf(record.kind, record.id), copyOfRecord({ ...given, ...(consumedAt && { consumedAt }) }));
  }

  #of(kind: string, developerId: DeveloperId): readonly OAuthRecord[] {
    return [...this.#records.values()].filter((record) => record.kind === kind && record.developerId === developerId);
  }

  #findWhere(matches: (record: OAuthRecord) => boolean): OAuthRecord | undefined {
    const record = [...this.#records.values()].find(matches);
    return record && copyOfRecord(record);
  }

  #removeWhere(matches: (record: OAuthRecord) => boolean): number {
    const removed = [...this.#records].filter(([, record]) => matches(record));
    for (const [key] of removed) this.#records.delete(key);
    return removed.length;
  }
}

/** A kind has no blank. */
function keyOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}
