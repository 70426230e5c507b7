import type { AutomationId } from '../../domain/automation.js';
import type {
  Audited,
  CursorQuery,
  ReportClosing,
  ReportOutcome,
  ReportQuery,
  ReportRepository,
} from '../../domain/ports.js';
import { MAX_OPEN_REPORTS, reportedAutomations, type Report, type ReportedAutomation } from '../../domain/report.js';
import { appendEntries } from './audit-log.js';
import { whereOf } from './conditions.js';
import { inLots, lockById, MAX_ROWS, type SqlConnection } from './connection.js';
import { mappingOf, type Row } from './mapping.js';

const REPORT = mappingOf<Report>({
  id: 'text',
  automationId: 'text',
  kind: 'text',
  text: 'text',
  at: 'time',
  developerId: 'text',
  address: 'text',
  closedAt: 'time',
  decision: 'text',
});

const COUNTED = mappingOf<Pick<Report, 'automationId' | 'kind'>>({ automationId: 'text', kind: 'text' });

/** Higher than every id. */
const HIGHER = 'z' as AutomationId;

/** Reports in a table. What counts the open ones of an automation, or closes them, has locked it. */
export class SqlReportRepository implements ReportRepository {
  readonly #reports: string;
  readonly #refused: string;

  constructor(private readonly connection: SqlConnection) {
    this.#reports = `${connection.dialect.prefix}reports`;
    this.#refused = `${connection.dialect.prefix}refused_files`;
  }

  add({ report, entries }: Audited & { readonly report: Report }): Promise<ReportOutcome> {
    const { automationId, developerId } = report;
    const { dialect } = this.connection;
    return this.connection.transaction(async (query) => {
      await lockById(query, dialect, automationId);
      const open = await query<Pick<Row, 'developer_id'>>(
        `SELECT developer_id FROM ${this.#reports} WHERE automation_id = $1 AND closed_at IS NULL`,
        [automationId],
      );
      if (developerId !== undefined && open.some((one) => one['developer_id'] === developerId)) return 'repeated';
      if (open.length >= MAX_OPEN_REPORTS) return 'full';
      await query(
        `INSERT INTO ${this.#reports} (${REPORT.columns})
         SELECT ${REPORT.columns} FROM ${dialect.rowsOf('$1', REPORT.types)} AS given`,
        [JSON.stringify([REPORT.rowOf(report)])],
      );
      await appendEntries(query, dialect, entries);
      return 'stored';
    });
  }

  /** Reads the entries of an index alone, and as many as so many automations can have. */
  async listReported({ limit, before = HIGHER }: CursorQuery<AutomationId>): Promise<readonly ReportedAutomation[]> {
    const sql = `SELECT automation_id, kind FROM ${this.#reports} WHERE closed_at IS NULL AND automation_id < $2
      ORDER BY automation_id DESC LIMIT $1`;
    const open = await this.connection.query<Row>(sql, [limit * MAX_OPEN_REPORTS, before]);
    return reportedAutomations(open.map(COUNTED.entityOf)).slice(0, limit);
  }

  async list({ automationId, limit, before }: ReportQuery): Promise<readonly Report[]> {
    const { where, values } = whereOf(
      [
        ['automation_id = ?', automationId],
        ['id < ?', before],
      ],
      2,
    );
    const sql = `SELECT ${REPORT.columns} FROM ${this.#reports} ${where} ORDER BY id DESC LIMIT $1`;
    return (await this.connection.query<Row>(sql, [limit, ...values])).map(REPORT.entityOf);
  }

  close(id: AutomationId, { at, decision, refusedFile, entries }: ReportClosing): Promise<number> {
    const { dialect } = this.connection;
    return this.connection.transaction(async (query) => {
      await lockById(query, dialect, id);
      const { length } = await query(
        `UPDATE ${this.#reports} SET closed_at = $2, decision = $3
         WHERE automation_id = $1 AND closed_at IS NULL RETURNING id`,
        [id, at.getTime(), decision],
      );
      if (length === 0) return 0;
      if (refusedFile !== undefined)
        await query(`INSERT INTO ${this.#refused} (sha256, at) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
          refusedFile,
          at.getTime(),
        ]);
      await appendEntries(query, dialect, entries);
      return length;
    });
  }

  async isRefused(sha256: string): Promise<boolean> {
    const found = await this.connection.query(`SELECT sha256 FROM ${this.#refused} WHERE sha256 = $1`, [sha256]);
    return found.length > 0;
  }

  removeClosed(asOf: Date): Promise<number> {
    return inLots(this.connection, `DELETE FROM ${this.#reports} ${this.#some('closed_at <= $1')}`, [asOf.getTime()]);
  }

  removeAddresses(asOf: Date): Promise<number> {
    const sql = `UPDATE ${this.#reports} SET address = NULL ${this.#some('at <= $1 AND address IS NOT NULL')}`;
    return inLots(this.connection, sql, [asOf.getTime()]);
  }

  #some(condition: string): string {
    const { forUpdate } = this.connection.dialect;
    const ids = `SELECT id FROM ${this.#reports} WHERE ${condition} LIMIT ${MAX_ROWS} ${forUpdate}`;
    return `WHERE id IN (${ids}) RETURNING id`;
  }
}
