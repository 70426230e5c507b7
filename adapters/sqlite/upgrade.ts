import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { contentText } from '../../domain/automation.js';
import { AUTOMATION_COLUMNS, automationOf, type AutomationRow } from './automation-row.js';
import { copyTo } from './backup.js';
import { prepareRows, transact, type Connection } from './connection.js';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.js';

/** A file that is not ours to write to. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
}

/** @throws RefusedFile for a file that is newer or not ours, before anything is written to it. */
export function refuseForeign(connection: Connection, file: string): void {
  transact(connection, 'DEFERRED', () => versionOf(connection, file));
}

/**
 * Brings a file to the newest schema, in one transaction. Of a store that an earlier version made it puts a copy next
 * to the file first, and returns the path of the copy.
 */
export function upgrade(connection: Connection, file: string): string | undefined {
  const version = versionOf(connection, file);
  if (version === SCHEMA_VERSION) return undefined;
  const copy = version === 0 ? undefined : `${file}.schema-${version}.${Date.now()}-${process.pid}.backup`;
  if (copy !== undefined) copyTo(connection, copy);
  const isUpgraded = transact(connection, 'IMMEDIATE', () => upgradeFrom(versionOf(connection, file), connection));
  if (isUpgraded || copy === undefined) return copy;
  rmSync(copy);
  return undefined;
}

/** Returns false when another process was faster. */
function upgradeFrom(version: number, connection: Connection): boolean {
  if (version === SCHEMA_VERSION) return false;
  const isDense = version === 1 || version === 2;
  if (version === 3) connection.exec('DROP INDEX on_sale');
  if (isDense) connection.exec(`DROP TABLE tallies; ALTER TABLE automations RENAME TO earlier_automations`);
  if (version === 2) connection.exec('DROP INDEX audit_by_developer; ALTER TABLE audit RENAME TO earlier_audit');
  if (version >= 2) connection.exec(ACCOUNT_COLUMNS);
  if (version >= 3) connection.exec(AUDIT_COLUMNS);
  connection.exec(SCHEMA);
  if (isDense) copyAutomations(connection);
  if (version === 2) copyAudit(connection);
  connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  return true;
}

/** What was added to accounts and sessions with version 5. */
const ACCOUNT_COLUMNS = `
  ALTER TABLE developers ADD COLUMN role TEXT NOT NULL DEFAULT 'developer';
  ALTER TABLE developers ADD COLUMN public_name TEXT;
  ALTER TABLE developers ADD COLUMN public_name_folded TEXT;
  ALTER TABLE developers ADD COLUMN public_name_skeleton TEXT;
  ALTER TABLE developers ADD COLUMN id_skeleton TEXT NOT NULL DEFAULT '';
  ALTER TABLE developers ADD COLUMN website TEXT;
  ALTER TABLE sessions ADD COLUMN address TEXT;
`;

const AUDIT_COLUMNS = `
  ALTER TABLE audit ADD COLUMN operator_id TEXT;
  ALTER TABLE audit ADD COLUMN role TEXT;
`;

/** Earlier versions numbered without gaps, and made the number of a withdrawn automation negative. */
function copyAutomations(connection: Connection): void {
  const same =
    'id, category_id, developer_id, title, price, currency, created_at, withdrawn_reason, idempotency_key, ' +
    'idempotency_key_until, description';
  connection.exec(`
    INSERT INTO automations (seq, updated_at, withdrawn_at, ${same})
      SELECT abs(number), created_at, iif(number < 0, coalesce(withdrawn_at, created_at), NULL), ${same}
      FROM earlier_automations;
    DROP TABLE earlier_automations;
  `);
  addRequestHashes(connection);
}

const ROWS_AT_ONCE = 500;

/** Stores the hash of what was requested: the content, since earlier versions could not revise it. */
function addRequestHashes(connection: Connection): void {
  const some = prepareRows<AutomationRow>(
    connection,
    AUTOMATION_COLUMNS,
    'FROM automations WHERE seq > ? AND idempotency_key IS NOT NULL ORDER BY seq LIMIT ?',
  );
  const store = connection.prepare('UPDATE automations SET request_hash = ? WHERE seq = ?');
  for (let rows = some(0, ROWS_AT_ONCE); rows.length > 0; rows = some(rows.at(-1)?.seq ?? 0, ROWS_AT_ONCE))
    for (const row of rows)
      store.run(createHash('sha256').update(contentText(automationOf(row))).digest('hex'), row.seq);
}

interface EarlierEntry {
  readonly position: number;
  readonly id: string;
}

/** Earlier versions ordered the audit by position. An id that contradicts this order becomes the next higher one. */
function copyAudit(connection: Connection): void {
  const some = prepareRows<EarlierEntry>(
    connection,
    ['position', 'id'],
    'FROM earlier_audit WHERE position > ? ORDER BY position LIMIT ?',
  );
  const same = 'at, actor, action, developer_id, subject, address, request_id';
  const copy = connection.prepare(
    `INSERT INTO audit (id, ${same}) SELECT ?, ${same} FROM earlier_audit WHERE position = ?`,
  );
  let last = '';
  for (let rows = some(0, ROWS_AT_ONCE); rows.length > 0; rows = some(rows.at(-1)?.position ?? 0, ROWS_AT_ONCE))
    for (const { id, position } of rows) {
      last = id > last ? id : idAfter(last);
      copy.run(last, position);
    }
  connection.exec('DROP TABLE earlier_audit');
}

function idAfter(id: string): string {
  const digits = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** @throws RefusedFile */
function versionOf(connection: Connection, file: string): number {
  const version = pragma(connection, 'user_version');
  if (version > SCHEMA_VERSION) throw new RefusedFile(isNewer(file, version));
  if (version === 0 && !isEmpty(connection)) throw new RefusedFile(isForeign(file));
  if (version > 0 && pragma(connection, 'application_id') !== APPLICATION_ID) throw new RefusedFile(isForeign(file));
  return version;
}

function pragma(connection: Connection, name: string): number {
  const [value] = connection.prepare(`PRAGMA ${name}`).raw().get() as [number];
  return value;
}

function isEmpty(connection: Connection): boolean {
  return connection.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

function isNewer(file: string, version: number): string {
  return (
    `${file} was written by a newer version of this program: its schema is ${version}, this program knows up ` +
    `to ${SCHEMA_VERSION}. Start the newer version, or restore a backup from before the upgrade.`
  );
}

function isForeign(file: string): string {
  return `${file} is an SQLite database of another program; name another file, or move it away.`;
}
