import type { AuditEntry, AuditLog } from 'automation-marketplace';
import type { Database, Query } from './database.js';

const APPEND = `
  INSERT INTO audit (id, "developerId", entry) SELECT entry->>'id', entry->>'developerId', entry
  FROM jsonb_array_elements($1::jsonb) AS entries (entry) ON CONFLICT DO NOTHING`;
const LIST = `
  SELECT entry FROM audit WHERE ($1::text IS NULL OR "developerId" = $1) AND ($2::text IS NULL OR id < $2)
  ORDER BY id DESC LIMIT $3`;

/** The audit, in the order of ids. */
export function postgresAuditLog(database: Database): AuditLog {
  return {
    append: (entries) => database.write((query) => appendEntries(query, entries)),
    async list({ developerId, before, limit }) {
      const rows = await database.read<{ readonly entry: AuditEntry }>(LIST, [developerId, before, limit]);
      return rows.map(({ entry }) => ({ ...entry, at: new Date(entry.at) }));
    },
  };
}

/** Stores entries, also in the transaction of a change of an automation. */
export async function appendEntries(query: Query, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0) await query(APPEND, [JSON.stringify(entries)]);
}
