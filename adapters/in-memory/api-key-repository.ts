import type { DeveloperId } from '../../domain/access.js';
import { copyOf, endOf, tooManyKeys, type ApiKey, type ApiKeyId } from '../../domain/api-key.js';
import { DomainError } from '../../domain/errors.js';
import type {
  ApiKeyQuery,
  ApiKeyRepository,
  Audited,
  EndedKeyQuery,
  KeyAddition,
  KeyReplacement,
} from '../../domain/ports.js';
import { InMemoryAuditLog } from './audit-log.js';
import { partBefore } from './part-before.js';

/** API keys in maps; a process's own, and gone with it. */
export class InMemoryApiKeyRepository implements ApiKeyRepository {
  readonly #keys = new Map<ApiKeyId, ApiKey>();
  readonly #ids = new Map<string, ApiKeyId>();

  /** Takes the log that gets the entries of the audit. */
  constructor(private readonly auditLog = new InMemoryAuditLog()) {}

  async add({ key, max, entries }: KeyAddition): Promise<void> {
    this.#requireRoom(key, max);
    this.#store(key);
    await this.auditLog.append(entries);
  }

  async find(id: ApiKeyId): Promise<ApiKey | undefined> {
    const key = this.#keys.get(id);
    return key && copyOf(key);
  }

  async findByHash(hash: string): Promise<ApiKey | undefined> {
    const id = this.#ids.get(hash);
    return id && this.find(id);
  }

  async list({ developerId, ...query }: ApiKeyQuery): Promise<readonly ApiKey[]> {
    const latest = Array.from(this.#keys.values()).reverse();
    const isMeant = (key: ApiKey) => developerId === undefined || key.developerId === developerId;
    return partBefore(latest, query, isMeant).map(copyOf);
  }

  async listActive(developerId: DeveloperId, at: Date): Promise<readonly ApiKey[]> {
    return this.#of(developerId, (end) => end > at.getTime()).map(copyOf);
  }

  async countActive(developerId: DeveloperId, at: Date): Promise<number> {
    return this.#of(developerId, (end) => end > at.getTime()).length;
  }

  async listEnded({ developerId, asOf, ...query }: EndedKeyQuery): Promise<readonly ApiKey[]> {
    const ended = this.#of(developerId, (end) => end <= asOf.getTime());
    const latest = ended.reverse().sort((one, other) => endOf(other) - endOf(one));
    return partBefore(latest, query).map(copyOf);
  }

  async countEnded(developerId: DeveloperId, asOf: Date): Promise<number> {
    return this.#of(developerId, (end) => end <= asOf.getTime()).length;
  }

  async replace(id: ApiKeyId, { successor, until, max, entries }: KeyReplacement): Promise<boolean> {
    const key = this.#keys.get(id);
    if (key === undefined || key.revokedAt !== undefined) return false;
    const ending = key.expiresAt === undefined || until < key.expiresAt ? { ...key, expiresAt: until } : key;
    this.#requireRoom(successor, max, ending);
    this.#store(successor);
    this.#keys.set(id, copyOf(ending));
    await this.auditLog.append(entries);
    return true;
  }

  async revoke(id: ApiKeyId, { at, entries }: Audited & { readonly at: Date }): Promise<boolean> {
    const key = this.#keys.get(id);
    if (key === undefined || key.revokedAt !== undefined) return key !== undefined;
    this.#keys.set(id, copyOf({ ...key, revokedAt: at }));
    await this.auditLog.append(entries);
    return true;
  }

  async rename(id: ApiKeyId, { name, entries }: Audited & { readonly name: string }): Promise<boolean> {
    const key = this.#keys.get(id);
    if (key === undefined) return false;
    this.#keys.set(id, copyOf({ ...key, name }));
    await this.auditLog.append(entries);
    return true;
  }

  async noteUse(id: ApiKeyId, at: Date): Promise<void> {
    const key = this.#keys.get(id);
    if (key === undefined || (key.lastUsedAt !== undefined && at <= key.lastUsedAt)) return;
    this.#keys.set(id, copyOf({ ...key, lastUsedAt: at }));
  }

  async removeEnded(asOf: Date): Promise<number> {
    const ended = Array.from(this.#keys.values()).filter((key) => endOf(key) <= asOf.getTime());
    for (const { id, hash } of ended) {
      this.#keys.delete(id);
      this.#ids.delete(hash);
    }
    return ended.length;
  }

  #of(developerId: DeveloperId, isMeant: (end: number) => boolean): ApiKey[] {
    return Array.from(this.#keys.values()).filter((key) => key.developerId === developerId && isMeant(endOf(key)));
  }

  /** Takes the place of a key that is replaced into account. */
  #requireRoom({ developerId, createdAt }: ApiKey, max?: number, replaced?: ApiKey): void {
    if (max === undefined) return;
    const active = this.#of(developerId, (end) => end > createdAt.getTime());
    const others = active.filter(({ id }) => id !== replaced?.id);
    const isCounted = replaced?.developerId === developerId && endOf(replaced) > createdAt.getTime();
    if (others.length + (isCounted ? 1 : 0) >= max) throw tooManyKeys(max);
  }

  #store(key: ApiKey): void {
    if (this.#keys.has(key.id) || this.#ids.has(key.hash))
      throw new DomainError('conflict', 'duplicate-key', 'an API key has this id or this hash already');
    this.#keys.set(key.id, copyOf(key));
    this.#ids.set(key.hash, key.id);
  }
}
