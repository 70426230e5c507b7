import { BLOCK_SIZE } from '../storage/block-counts.js';

/** Marks a file as a store (`PRAGMA application_id`): "amkt" in ASCII. */
export const APPLICATION_ID = 0x616d6b74;

/** The version of the schema (`PRAGMA user_version`). Each change needs a new one, and a step in `upgrade.ts`. */
export const SCHEMA_VERSION = 5;

/** Change numbers above this one are damage: with a larger one, JavaScript could no longer count. */
export const MAX_CHANGE = 2 ** 52;

const NEXT_CHANGE = `(SELECT min(coalesce(max(change), 0), ${MAX_CHANGE}) + 1 FROM block_counts)`;

/** Returns a trigger that counts a row of `automations` in or out. It never fails, whatever a damaged count is. */
function countingTrigger(name: string, event: string, row: 'new' | 'old', difference: '+ 1' | '- 1'): string {
  return `
  CREATE TRIGGER IF NOT EXISTS ${name} AFTER ${event} AND ${row}.withdrawn_at IS NULL BEGIN
    INSERT INTO block_counts (block, category_id, on_sale, change)
      VALUES (${row}.seq / ${BLOCK_SIZE}, ${row}.category_id, max(0, ${difference}), ${NEXT_CHANGE})
      ON CONFLICT DO UPDATE SET
        on_sale = max(0, min(on_sale ${difference}, ${BLOCK_SIZE})), change = excluded.change;
  END;`;
}

const UPDATE = `UPDATE OF seq, category_id, withdrawn_at ON automations
    WHEN (old.seq <> new.seq OR old.category_id <> new.category_id
      OR (old.withdrawn_at IS NULL) <> (new.withdrawn_at IS NULL))`;

/** When a key ended or will end; one that never ends has the last time that JavaScript knows. */
export const END_OF_KEY = 'min(coalesce(revoked_at, 8640000000000000), coalesce(expires_at, 8640000000000000))';

/** What is derived from `automations`. No request depends on it being right: `check` rebuilds it. */
const COUNTS = `
  CREATE TABLE IF NOT EXISTS block_counts (
    block INTEGER NOT NULL,
    category_id TEXT NOT NULL,
    on_sale INTEGER NOT NULL,
    change INTEGER NOT NULL,
    PRIMARY KEY (block, category_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS block_counts_by_change ON block_counts (change, on_sale);
  ${countingTrigger('count_inserted', 'INSERT ON automations WHEN true', 'new', '+ 1')}
  ${countingTrigger('count_deleted', 'DELETE ON automations WHEN true', 'old', '- 1')}
  ${countingTrigger('count_before_update', UPDATE, 'old', '- 1')}
  ${countingTrigger('count_after_update', UPDATE, 'new', '+ 1')}
`;

/**
 * The whole schema. `seq` is the order of the market. The condition of an index says whether it has the automations on
 * sale or the withdrawn ones; `on_sale` has every column that a check counts, and the price, which searches ask for.
 * `block_counts` counts those on sale per block of numbers and category; `change` rises with each change of a row, so
 * that a process reads only what is new to it. `sign_in_key`, `public_name_folded` and the skeletons are what `domain/`
 * makes of names and ids.
 */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS categories (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS automations (
    seq INTEGER PRIMARY KEY CHECK (seq > 0),
    id TEXT NOT NULL UNIQUE,
    category_id TEXT NOT NULL,
    developer_id TEXT NOT NULL,
    title TEXT NOT NULL,
    price INTEGER NOT NULL,
    currency TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    withdrawn_at INTEGER,
    withdrawn_reason TEXT,
    idempotency_key TEXT,
    idempotency_key_until INTEGER,
    request_hash TEXT,
    description TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS on_sale ON automations (seq, category_id, withdrawn_at, price)
    WHERE withdrawn_at IS NULL;
  CREATE INDEX IF NOT EXISTS on_sale_by_price ON automations (price, seq DESC) WHERE withdrawn_at IS NULL;
  CREATE INDEX IF NOT EXISTS on_sale_by_category_and_price ON automations (category_id, price, seq DESC)
    WHERE withdrawn_at IS NULL;
  CREATE INDEX IF NOT EXISTS on_sale_by_category ON automations (category_id, seq) WHERE withdrawn_at IS NULL;
  CREATE INDEX IF NOT EXISTS on_sale_by_developer ON automations (developer_id, seq) WHERE withdrawn_at IS NULL;
  CREATE INDEX IF NOT EXISTS withdrawn ON automations (seq) WHERE withdrawn_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS withdrawn_by_developer ON automations (developer_id, seq) WHERE withdrawn_at IS NOT NULL;
  CREATE UNIQUE INDEX IF NOT EXISTS idempotency_keys ON automations (developer_id, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
  CREATE INDEX IF NOT EXISTS idempotency_keys_by_until ON automations (idempotency_key_until)
    WHERE idempotency_key_until IS NOT NULL;
  ${COUNTS}
  CREATE TABLE IF NOT EXISTS api_keys (
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
  CREATE INDEX IF NOT EXISTS api_keys_by_developer ON api_keys (developer_id);
  CREATE INDEX IF NOT EXISTS api_keys_of_developer_by_end ON api_keys (developer_id, ${END_OF_KEY});
  CREATE INDEX IF NOT EXISTS api_keys_by_end ON api_keys (${END_OF_KEY});
  CREATE TABLE IF NOT EXISTS developers (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    invited_at INTEGER NOT NULL,
    invitation_hash TEXT UNIQUE,
    invitation_until INTEGER,
    sign_in_name TEXT,
    sign_in_key TEXT UNIQUE,
    password_hash TEXT,
    active_since INTEGER,
    suspended_at INTEGER,
    role TEXT NOT NULL DEFAULT 'developer',
    public_name TEXT,
    public_name_folded TEXT UNIQUE,
    public_name_skeleton TEXT UNIQUE,
    id_skeleton TEXT NOT NULL,
    website TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS developers_by_id_skeleton ON developers (id_skeleton);
  CREATE INDEX IF NOT EXISTS operators ON developers (role) WHERE role = 'operator';
  CREATE TABLE IF NOT EXISTS sessions (
    hash TEXT PRIMARY KEY,
    developer_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    address TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sessions_by_developer ON sessions (developer_id, created_at);
  CREATE INDEX IF NOT EXISTS sessions_by_until ON sessions (until);
  CREATE TABLE IF NOT EXISTS audit (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    developer_id TEXT,
    subject TEXT,
    changed TEXT,
    counts TEXT,
    address TEXT,
    request_id TEXT,
    operator_id TEXT,
    role TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS audit_by_developer ON audit (developer_id, id) WHERE developer_id IS NOT NULL;
`;

/** The number that a row of `automations` has in the index of words: negative when it is withdrawn. */
const numberOf = (row: 'new' | 'old') => `iif(${row}.withdrawn_at IS NULL, ${row}.seq, -${row}.seq)`;

/** The tables of an empty index, with what SQLite writes there. To drop an index it opens it, which needs them. */
const SHADOWS = `
  CREATE TABLE IF NOT EXISTS words_data (id INTEGER PRIMARY KEY, block BLOB);
  CREATE TABLE IF NOT EXISTS words_idx (segid, term, pgno, PRIMARY KEY (segid, term)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS words_docsize (id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
  CREATE TABLE IF NOT EXISTS words_config (k PRIMARY KEY, v) WITHOUT ROWID;
  INSERT OR REPLACE INTO words_data VALUES (1, x''), (10, x'00000000FF000001000000');
  INSERT OR REPLACE INTO words_config VALUES ('version', 4);
`;

/**
 * Removes the index of words. SQLite can only drop it with the tables that it is made of, of which damage may have
 * taken some.
 */
export const DROP_WORDS = `
  DROP TRIGGER IF EXISTS words_inserted;
  DROP TRIGGER IF EXISTS words_deleted;
  DROP TRIGGER IF EXISTS words_updated;
  DROP TABLE IF EXISTS unindexed;
  ${SHADOWS}
  DROP TABLE IF EXISTS words;
  DROP TABLE IF EXISTS words_data;
  DROP TABLE IF EXISTS words_idx;
  DROP TABLE IF EXISTS words_docsize;
  DROP TABLE IF EXISTS words_config;
`;

/**
 * The index of words (https://sqlite.org/fts5.html). It gets words, joined by blanks: the tokenizer `ascii` cuts only
 * there. `unindexed` has the numbers of the automations whose words are not in it yet. `stale` is the number under
 * which it still has the words of the past. The triggers only note what changed: no write fails because the index is
 * damaged.
 */
export const WORDS = `
  CREATE VIRTUAL TABLE words USING fts5(
    title, description, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii'
  );
  CREATE TABLE unindexed (seq INTEGER PRIMARY KEY, stale INTEGER) STRICT;
  CREATE INDEX stale_words ON unindexed (stale) WHERE stale IS NOT NULL;
  INSERT INTO unindexed (seq) SELECT seq FROM automations INDEXED BY on_sale WHERE withdrawn_at IS NULL;
  INSERT INTO unindexed (seq) SELECT seq FROM automations INDEXED BY withdrawn WHERE withdrawn_at IS NOT NULL;
  CREATE TRIGGER words_inserted AFTER INSERT ON automations BEGIN
    INSERT INTO unindexed (seq) VALUES (new.seq) ON CONFLICT DO NOTHING;
  END;
  CREATE TRIGGER words_deleted AFTER DELETE ON automations BEGIN
    INSERT INTO unindexed VALUES (old.seq, ${numberOf('old')}) ON CONFLICT DO NOTHING;
  END;
  CREATE TRIGGER words_updated AFTER UPDATE OF seq, title, description, withdrawn_at ON automations
    WHEN (old.seq <> new.seq OR old.title <> new.title OR old.description <> new.description
      OR (old.withdrawn_at IS NULL) <> (new.withdrawn_at IS NULL)) BEGIN
    INSERT INTO unindexed VALUES (old.seq, ${numberOf('old')}) ON CONFLICT DO NOTHING;
    INSERT INTO unindexed (seq) VALUES (new.seq) ON CONFLICT DO NOTHING;
  END;
`;
