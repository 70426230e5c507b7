import { otherCurrency, type Currency, type Storage } from 'automation-marketplace';
import { postgresAuditLog } from './audit-log.js';
import { ADVANCE, FIND_BEHIND, postgresAutomations } from './automations.js';
import { postgresCategories } from './categories.js';
import { Database, type Query } from './database.js';
import { postgresDevelopers } from './developers.js';
import { postgresApiKeys } from './keys.js';
import { postgresSessions } from './sessions.js';

/** Columns have the names of the fields. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS settings (currency text PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS automations (
    number bigserial PRIMARY KEY, id text NOT NULL UNIQUE, title text NOT NULL, description text NOT NULL,
    price jsonb NOT NULL, "categoryId" text NOT NULL, "developerId" text NOT NULL, "createdAt" timestamptz NOT NULL,
    "updatedAt" timestamptz NOT NULL, "idempotencyKey" text, "idempotencyKeyUntil" timestamptz, "requestHash" text,
    "withdrawnAt" timestamptz, reason text, "onSale" boolean GENERATED ALWAYS AS ("withdrawnAt" IS NULL) STORED,
    UNIQUE ("developerId", "idempotencyKey"));
  CREATE INDEX IF NOT EXISTS automations_status ON automations ("onSale", number);
  CREATE INDEX IF NOT EXISTS automations_category ON automations ("categoryId", number) WHERE "onSale";
  CREATE INDEX IF NOT EXISTS automations_developer ON automations ("developerId", number);
  CREATE INDEX IF NOT EXISTS automations_developer_status ON automations ("developerId", "onSale", number);
  CREATE INDEX IF NOT EXISTS automations_until ON automations ("idempotencyKeyUntil");
  CREATE TABLE IF NOT EXISTS audit (id text COLLATE "C" PRIMARY KEY, "developerId" text, entry jsonb NOT NULL);
  CREATE INDEX IF NOT EXISTS audit_developer ON audit ("developerId", id);
  CREATE TABLE IF NOT EXISTS categories (id text PRIMARY KEY, name text NOT NULL);
  CREATE TABLE IF NOT EXISTS keys (
    number bigserial PRIMARY KEY, id text NOT NULL UNIQUE, hash text NOT NULL UNIQUE, prefix text NOT NULL,
    "developerId" text NOT NULL, name text NOT NULL, scopes text[] NOT NULL, "createdAt" timestamptz NOT NULL,
    lifetime double precision, "expiresAt" timestamptz, "lastUsedAt" timestamptz, "revokedAt" timestamptz,
    "endsAt" timestamptz GENERATED ALWAYS AS (coalesce(least("revokedAt", "expiresAt"), 'infinity')) STORED);
  CREATE INDEX IF NOT EXISTS keys_developer_end ON keys ("developerId", "endsAt", number);
  CREATE INDEX IF NOT EXISTS keys_end ON keys ("endsAt");
  CREATE INDEX IF NOT EXISTS keys_developer ON keys ("developerId", number);
  CREATE TABLE IF NOT EXISTS developers (
    number bigserial PRIMARY KEY, id text NOT NULL UNIQUE, "invitedAt" timestamptz NOT NULL,
    "invitationHash" text UNIQUE, "invitationUntil" timestamptz, "signInName" text, "signInKey" text UNIQUE,
    "passwordHash" text, "activeSince" timestamptz, "suspendedAt" timestamptz, role text NOT NULL,
    "publicName" text, "publicNameFolded" text UNIQUE, "publicNameSkeleton" text UNIQUE, "idSkeleton" text NOT NULL,
    website text);
  CREATE INDEX IF NOT EXISTS developers_id_skeleton ON developers ("idSkeleton");
  CREATE TABLE IF NOT EXISTS sessions (
    hash text PRIMARY KEY, "developerId" text NOT NULL, "createdAt" timestamptz NOT NULL, until timestamptz NOT NULL,
    address text);
  CREATE INDEX IF NOT EXISTS sessions_developer ON sessions ("developerId", "createdAt");
  CREATE INDEX IF NOT EXISTS sessions_until ON sessions (until)`;

/** Returns the storage in the PostgreSQL database with this connection string. */
export function postgresStorage(url: string): Storage {
  const database = new Database(url);
  const automations = postgresAutomations(database);
  return {
    automations,
    archive: automations,
    categories: postgresCategories(database),
    keys: postgresApiKeys(database),
    developers: postgresDevelopers(database),
    sessions: postgresSessions(database),
    auditLog: postgresAuditLog(database),
    prepare: ({ currency }) => database.write((query) => prepare(query, currency)),
    ping: async () => {
      await database.execute('SELECT 1', []);
      return 'ready';
    },
    async check({ repair }) {
      const behind = await database.change(repair ? ADVANCE : FIND_BEHIND, []);
      return behind.map(() => ({ description: 'the sequence is below the highest number', repaired: repair }));
    },
    close: () => database.close(),
  };
}

/** Two processes that create a table at once would fail, so one waits for the other. */
async function prepare(query: Query, currency: Currency): Promise<void> {
  await query("SELECT pg_advisory_xact_lock(hashtext('automation-marketplace'))");
  await query(TABLES);
  await query('INSERT INTO settings SELECT $1 WHERE NOT EXISTS (SELECT FROM settings)', [currency]);
  const [stored] = await query<{ readonly currency: Currency }>('SELECT currency FROM settings');
  if (stored !== undefined && stored.currency !== currency) throw otherCurrency(stored.currency);
}
