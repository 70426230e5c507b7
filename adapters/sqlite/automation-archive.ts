import type { AuditEntry } from '../../domain/audit.js';
import type { AutomationId } from '../../domain/automation.js';
import type { ArchivedAutomation, AutomationArchive, ScanQuery } from '../../domain/ports.js';
import { archivedOf, ARCHIVED_COLUMNS, type ArchivedRow } from './automation-row.js';
import { prepareRows } from './connection.js';
import type { SqliteDatabase } from './database.js';

const STATUSES = ['on-sale', 'withdrawn'] as const;
type Status = (typeof STATUSES)[number];

/** Automations in SQLite, on sale or withdrawn. Audit entries are written to the log with the change. */
export class SqliteAutomationArchive implements AutomationArchive {
  readonly #statements;

  /** Uses an open database and does not close it. */
  constructor(private readonly database: SqliteDatabase) {
    this.#statements = prepare(database);
  }

  async scan(query: ScanQuery): Promise<readonly ArchivedAutomation[]> {
    const rows = await this.database.read(() => this.#read(query));
    return rows.map(archivedOf);
  }

  async findAny(id: AutomationId): Promise<ArchivedAutomation | undefined> {
    const [row] = await this.database.readOne(() => this.#statements.find(id));
    return row && archivedOf(row);
  }

  pendingAudit(): Promise<readonly AuditEntry[]> {
    return Promise.resolve([]);
  }

  clearAudit(): Promise<void> {
    return Promise.resolve();
  }

  /** Merges what is on sale with what is withdrawn: each has its indexes. */
  #read({ developerId, status, order, limit, after }: ScanQuery): readonly ArchivedRow[] {
    const start = this.#startOf({ developerId, order, after });
    if (start === undefined) return [];
    const { all, ofDeveloper } = this.#statements[order];
    const parts = (status === undefined ? STATUSES : [status]).map((each) =>
      developerId === undefined ? all[each](start, limit) : ofDeveloper[each](developerId, start, limit),
    );
    const sign = order === 'newest-first' ? -1 : 1;
    return parts
      .flat()
      .sort((one, other) => sign * (one.seq - other.seq))
      .slice(0, limit);
  }

  /** Returns the number after which the part begins; undefined when `after` is not there. */
  #startOf({ developerId, order, after }: Pick<ScanQuery, 'order'> & OptionalStart): number | undefined {
    if (after === undefined) return order === 'newest-first' ? Number.MAX_SAFE_INTEGER : 0;
    const [row] = this.#statements.find(after);
    return developerId === undefined || row?.developer_id === developerId ? row?.seq : undefined;
  }
}

interface OptionalStart {
  readonly developerId: ScanQuery['developerId'] | undefined;
  readonly after: AutomationId | undefined;
}

function prepare(database: SqliteDatabase) {
  const rows = (from: string) => prepareRows<ArchivedRow>(database, ARCHIVED_COLUMNS, `FROM automations ${from}`);
  const newest = 'seq < ? ORDER BY seq DESC LIMIT ?';
  const oldest = 'seq > ? ORDER BY seq LIMIT ?';
  const onSale = 'withdrawn_at IS NULL';
  const withdrawn = 'withdrawn_at IS NOT NULL';
  const partsIn = (part: string) => ({
    all: {
      'on-sale': rows(`INDEXED BY on_sale WHERE ${onSale} AND ${part}`),
      withdrawn: rows(`INDEXED BY withdrawn WHERE ${withdrawn} AND ${part}`),
    } satisfies Record<Status, unknown>,
    ofDeveloper: {
      'on-sale': rows(`INDEXED BY on_sale_by_developer WHERE ${onSale} AND developer_id = ? AND ${part}`),
      withdrawn: rows(`INDEXED BY withdrawn_by_developer WHERE ${withdrawn} AND developer_id = ? AND ${part}`),
    } satisfies Record<Status, unknown>,
  });
  return { find: rows('WHERE id = ?'), 'newest-first': partsIn(newest), 'oldest-first': partsIn(oldest) };
}
