import type { Database } from 'libsql';

/** Marks a file as ours (`PRAGMA application_id`): "amkt" in ASCII. */
const APPLICATION_ID = 0x616d6b74;

/**
 * The steps from an empty file to the newest schema; the version of a file (`PRAGMA user_version`) is how many of them
 * it has seen. A step that was released is never changed; what comes later is a step of its own.
 *
 * `number` and `category_number` are the dense numbers of `domain/numbering.ts`. They are negative once the automation
 * is withdrawn: out of the range of every page, and taken for ever. In `tallies` the empty category stands for all.
 * `sign_in_key` is what `domain/developer.ts` makes of the sign-in name, so that SQLite, which knows case in ASCII
 * alone, can tell names apart.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE categories (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE automations (
    number INTEGER PRIMARY KEY,
    category_number INTEGER NOT NULL,
    category_id TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    price INTEGER NOT NULL,
    currency TEXT NOT NULL,
    title TEXT NOT NULL,
    developer_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    idempotency_key TEXT,
    idempotency_key_until INTEGER,
    withdrawn_at INTEGER,
    withdrawn_reason TEXT,
    description TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX automations_by_category ON automations (category_id, category_number);
  CREATE INDEX automations_by_developer ON automations (developer_id, number);
  CREATE UNIQUE INDEX automations_by_idempotency_key ON automations (developer_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
  CREATE INDEX automations_by_idempotency_key_until ON automations (idempotency_key_until)
    WHERE idempotency_key_until IS NOT NULL;
  CREATE TABLE tallies (
    category_id TEXT PRIMARY KEY,
    highest INTEGER NOT NULL,
    withdrawn INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO tallies VALUES ('', 0, 0);
  CREATE TABLE api_keys (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL UNIQUE,
    prefix TEXT NOT NULL,
    developer_id TEXT NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    lifetime INTEGER,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
  ) STRICT;
  CREATE INDEX api_keys_by_developer ON api_keys (developer_id);
  `,
  `
  CREATE TABLE developers (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    invited_at INTEGER NOT NULL,
    invitation_hash TEXT UNIQUE,
    invitation_until INTEGER,
    sign_in_name TEXT,
    sign_in_key TEXT UNIQUE,
    password_hash TEXT,
    active_since INTEGER,
    suspended_at INTEGER
  ) STRICT;
  CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    developer_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_developer ON sessions (developer_id);
  CREATE INDEX sessions_by_until ON sessions (until);
  CREATE TABLE audit (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    developer_id TEXT,
    subject TEXT,
    address TEXT,
    request_id TEXT
  ) STRICT;
  CREATE INDEX audit_by_developer ON audit (developer_id, position) WHERE developer_id IS NOT NULL;
  `,
];

/** A file that is not ours to write to. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
}

/** @throws RefusedFile for a file that is newer or not ours, before anything is written to it. */
export function refuseForeign(database: Database, file: string): void {
  database.transaction(() => versionOf(database, file)).deferred();
}

/** Brings a file to the newest schema, in one transaction. */
export function upgrade(database: Database, file: string): void {
  database
    .transaction(() => {
      const version = versionOf(database, file);
      if (version === STEPS.length) return;
      for (const step of STEPS.slice(version)) database.exec(step);
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${STEPS.length}`);
    })
    .immediate();
}

function versionOf(database: Database, file: string): number {
  const version = pragma(database, 'user_version');
  if (version > STEPS.length) throw new RefusedFile(isNewer(file, version));
  if (version === 0 && !isEmpty(database)) throw new RefusedFile(isForeign(file));
  if (version > 0 && pragma(database, 'application_id') !== APPLICATION_ID) throw new RefusedFile(isForeign(file));
  return version;
}

function pragma(database: Database, name: string): number {
  const [value] = database.prepare(`PRAGMA ${name}`).raw().get() as [number];
  return value;
}

function isEmpty(database: Database): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

function isNewer(file: string, version: number): string {
  return (
    `${file} was written by a newer version of this program: its schema is ${version}, this program knows up ` +
    `to ${STEPS.length}. Start the newer version, or restore a backup from before the upgrade.`
  );
}

function isForeign(file: string): string {
  return `${file} is an SQLite database of another program; name another file, or move it away.`;
}
