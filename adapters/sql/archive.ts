import type { AutomationId } from '../../domain/automation.js';
import type { ArchivedAutomation, AutomationArchive, ScanQuery } from '../../domain/ports.js';
import { archivedOf, AUTOMATION } from './automation-rows.js';
import type { SqlConnection } from './connection.js';
import type { Value } from './dialect.js';
import type { Row } from './mapping.js';
import { SIDES } from './schema.js';

/** Every automation in a relational database, on sale or withdrawn. */
export class SqlAutomationArchive implements AutomationArchive {
  /** Uses an open connection and does not close it. */
  constructor(private readonly connection: SqlConnection) {}

  async scan(query: ScanQuery): Promise<readonly ArchivedAutomation[]> {
    const { developerId, limit, after } = query;
    const rows = await this.connection.query<Row>(this.#scanQuery(query), [
      limit,
      ...(developerId === undefined ? [] : [developerId]),
      ...(after === undefined ? [] : [after]),
    ] satisfies readonly Value[]);
    return rows.map(archivedOf);
  }

  async findAny(id: AutomationId): Promise<ArchivedAutomation | undefined> {
    const { query, dialect } = this.connection;
    const [row] = await query<Row>(`SELECT ${AUTOMATION.columns} FROM ${dialect.prefix}automations WHERE id = $1`, [
      id,
    ]);
    return row && archivedOf(row);
  }

  /** Merges what is on sale with what is withdrawn: each has its indexes. */
  #scanQuery({ developerId, status, order, after }: ScanQuery): string {
    const { prefix, indexedBy } = this.connection.dialect;
    const [compare, direction] = order === 'newest-first' ? ['<', 'DESC'] : ['>', 'ASC'];
    const isOwn = developerId === undefined ? '' : 'AND developer_id = $2';
    const start = `(SELECT number FROM ${prefix}automations WHERE id = $${isOwn === '' ? 2 : 3} ${isOwn})`;
    const rest = `ORDER BY number ${direction} LIMIT $1`;
    const sides = status === undefined ? Object.values(SIDES) : [SIDES[status]];
    const parts = sides.map(
      ({ condition, index }) => `
      SELECT * FROM (
        SELECT number, ${AUTOMATION.columns} FROM ${prefix}automations
          ${indexedBy(isOwn === '' ? index : `${index}_by_developer`)}
        WHERE ${condition} ${isOwn} ${after === undefined ? '' : `AND number ${compare} ${start}`} ${rest}
      ) AS ${index}`,
    );
    return `SELECT * FROM (${parts.join(' UNION ALL ')}) AS found ${rest}`;
  }
}
