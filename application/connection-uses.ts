import type { ConnectionId } from '../domain/connection.js';
import type { OAuthRecord, OAuthRecords } from '../domain/ports.js';
import { connectionOf, recordOfConnection } from './oauth-store.js';
import { safeCall } from './safe-call.js';

const MINUTE_MS = 60 * 1000;
const MAX_NOTED = 10_000;

/** Notes when connections were last used, at most once a minute each, as for keys. */
export class ConnectionUses {
  readonly #noted = new Map<ConnectionId, number>();

  constructor(private readonly records: Pick<OAuthRecords, 'replace'>) {}

  /** Stores a use without waiting: a request must not fail when this fails. A connection that has ended stays so. */
  note(record: OAuthRecord, at: Date): void {
    const connection = connectionOf(record);
    const { id, lastUsedAt } = connection;
    const noted = Math.max(lastUsedAt?.getTime() ?? 0, this.#noted.get(id) ?? 0);
    if (at.getTime() - noted < MINUTE_MS) return;
    if (this.#noted.size >= MAX_NOTED) this.#noted.clear();
    this.#noted.set(id, at.getTime());
    const used = recordOfConnection({ ...connection, lastUsedAt: at });
    safeCall(() => this.records.replace(used, { from: record.content, entries: [] }));
  }
}
