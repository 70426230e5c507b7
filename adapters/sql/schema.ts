import type { Dialect } from './dialect.js';

/** What is on sale and what is withdrawn: how to tell them, and the index of them. Each has one by developer, too. */
export const SIDES = {
  'on-sale': { condition: 'withdrawn_at IS NULL', index: 'on_sale' },
  withdrawn: { condition: 'withdrawn_at IS NOT NULL', index: 'withdrawn' },
} as const;

const NEVER = 8_640_000_000_000_000;

/** When a key ended or will end; one that never ends has the last time that JavaScript knows. */
export const END_OF_KEY =
  `CASE WHEN coalesce(revoked_at, ${NEVER}) < coalesce(expires_at, ${NEVER})` +
  ` THEN coalesce(revoked_at, ${NEVER}) ELSE coalesce(expires_at, ${NEVER}) END`;

/** Returns the statement that creates the table of what a store says of itself: its version, currency and words. */
export function settingsTable({ prefix, types: { text }, tables }: Dialect): string {
  return `CREATE TABLE IF NOT EXISTS ${prefix}settings (
    name ${text} PRIMARY KEY,
    value ${text} NOT NULL
  )${tables.keyed}`;
}

/** Returns the statements that create the other tables of an empty store. A change needs a step in `settings.ts`. */
export function schemaOf(dialect: Dialect): readonly string[] {
  return [
    ...categoryTables(dialect),
    ...automationTables(dialect),
    ...dialect.countTriggers,
    ...dialect.words.create,
    ...apiKeyTables(dialect),
    ...developerTables(dialect),
    ...sessionTables(dialect),
    ...auditTables(dialect),
    ...oauthTables(dialect),
  ];
}

function categoryTables({ prefix, types: { text }, tables }: Dialect): readonly string[] {
  return [`CREATE TABLE ${prefix}categories (id ${text} PRIMARY KEY, name ${text} NOT NULL)${tables.keyed}`];
}

/**
 * `number` is the order of the market. The condition of an index says whether it has the automations on sale or the
 * withdrawn ones. Those for searches have every column that a search compares, so that it reads no rows. `counts` has
 * the automations on sale in each block of numbers, `block` being `number / size`, for each category, and with the
 * category '' for all.
 */
function automationTables({ prefix: p, identity, types: { text, integer }, tables }: Dialect): readonly string[] {
  return [
    `CREATE TABLE ${p}automations (
      number ${identity},
      id ${text} NOT NULL UNIQUE,
      category_id ${text} NOT NULL,
      developer_id ${text} NOT NULL,
      title ${text} NOT NULL,
      price ${integer} NOT NULL,
      currency ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      withdrawn_at ${integer},
      withdrawn_by ${text},
      withdrawn_reason ${text},
      idempotency_key ${text},
      idempotency_key_until ${integer},
      request_hash ${text},
      description ${text} NOT NULL
    )${tables.plain}`,
    `CREATE INDEX on_sale ON ${p}automations (number, category_id, withdrawn_at, price) WHERE withdrawn_at IS NULL`,
    `CREATE INDEX on_sale_by_price ON ${p}automations (price, number DESC, withdrawn_at) WHERE withdrawn_at IS NULL`,
    `CREATE INDEX on_sale_by_category ON ${p}automations (category_id, number) WHERE withdrawn_at IS NULL`,
    `CREATE INDEX on_sale_by_category_and_price ON ${p}automations (category_id, price, number DESC, withdrawn_at)
      WHERE withdrawn_at IS NULL`,
    `CREATE INDEX on_sale_by_developer ON ${p}automations (developer_id, number) WHERE withdrawn_at IS NULL`,
    `CREATE INDEX withdrawn ON ${p}automations (number) WHERE withdrawn_at IS NOT NULL`,
    `CREATE INDEX withdrawn_by_developer ON ${p}automations (developer_id, number) WHERE withdrawn_at IS NOT NULL`,
    `CREATE UNIQUE INDEX idempotency_keys ON ${p}automations (developer_id, idempotency_key)
      WHERE idempotency_key IS NOT NULL`,
    `CREATE INDEX idempotency_keys_by_until ON ${p}automations (idempotency_key_until)
      WHERE idempotency_key_until IS NOT NULL`,
    `CREATE TABLE ${p}counts (
      size ${integer} NOT NULL,
      category_id ${text} NOT NULL,
      block ${integer} NOT NULL,
      on_sale ${integer} NOT NULL,
      PRIMARY KEY (size, category_id, block)
    )${tables.updatedOften}`,
  ];
}

/** `position` is the order in which keys were added. `scopes` is a JSON list. */
function apiKeyTables({ prefix: p, identity, types: { text, integer }, tables }: Dialect): readonly string[] {
  return [
    `CREATE TABLE ${p}api_keys (
      position ${identity},
      id ${text} NOT NULL UNIQUE,
      hash ${text} NOT NULL UNIQUE,
      prefix ${text} NOT NULL,
      developer_id ${text} NOT NULL,
      name ${text} NOT NULL,
      scopes ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      lifetime ${integer},
      expires_at ${integer},
      last_used_at ${integer},
      revoked_at ${integer}
    )${tables.plain}`,
    `CREATE INDEX api_keys_by_developer ON ${p}api_keys (developer_id, position)`,
    `CREATE INDEX api_keys_of_developer_by_end ON ${p}api_keys (developer_id, (${END_OF_KEY}), position)`,
    `CREATE INDEX api_keys_by_end ON ${p}api_keys ((${END_OF_KEY}))`,
  ];
}

/**
 * `position` is the order in which developers were added. `sign_in_key`, `public_name_folded` and the skeletons are
 * what `domain/` makes of names and ids.
 */
function developerTables({ prefix: p, identity, types: { text, integer }, tables }: Dialect): readonly string[] {
  return [
    `CREATE TABLE ${p}developers (
      position ${identity},
      id ${text} NOT NULL UNIQUE,
      added_at ${integer} NOT NULL,
      invitation_hash ${text} UNIQUE,
      invitation_until ${integer},
      sign_in_name ${text},
      sign_in_key ${text} UNIQUE,
      password_hash ${text},
      active_since ${integer},
      suspended_at ${integer},
      role ${text} NOT NULL,
      public_name ${text},
      public_name_folded ${text} UNIQUE,
      public_name_skeleton ${text} UNIQUE,
      id_skeleton ${text} NOT NULL,
      website ${text}
    )${tables.plain}`,
    `CREATE INDEX developers_by_id_skeleton ON ${p}developers (id_skeleton)`,
    `CREATE INDEX operators ON ${p}developers (role) WHERE role = 'operator'`,
  ];
}

function sessionTables({ prefix: p, types: { text, integer }, tables }: Dialect): readonly string[] {
  return [
    `CREATE TABLE ${p}sessions (
      hash ${text} PRIMARY KEY,
      developer_id ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      until ${integer} NOT NULL,
      address ${text}
    )${tables.keyed}`,
    `CREATE INDEX sessions_by_developer ON ${p}sessions (developer_id, created_at)`,
    `CREATE INDEX sessions_by_until ON ${p}sessions (until)`,
  ];
}

/** The order of the ids is that of time. `changed` and `counts` are JSON. */
function auditTables({ prefix: p, types: { text, integer }, tables }: Dialect): readonly string[] {
  return [
    `CREATE TABLE ${p}audit (
      id ${text} PRIMARY KEY,
      at ${integer} NOT NULL,
      actor ${text} NOT NULL,
      action ${text} NOT NULL,
      developer_id ${text},
      subject ${text},
      predecessor ${text},
      changed ${text},
      counts ${text},
      file ${text},
      address ${text},
      request_id ${text},
      operator_id ${text},
      credential_id ${text},
      role ${text}
    )${tables.keyed}`,
    `CREATE INDEX audit_by_developer ON ${p}audit (developer_id, id) WHERE developer_id IS NOT NULL`,
  ];
}

/** `content` is JSON, as it was given. A row is too large to stand in the index of its key. */
function oauthTables({ prefix: p, types: { text, integer }, tables }: Dialect): readonly string[] {
  return [
    `CREATE TABLE ${p}oauth_records (
      kind ${text} NOT NULL,
      id ${text} NOT NULL,
      content ${text} NOT NULL,
      developer_id ${text},
      client_id ${text},
      grant_id ${text},
      uid ${text},
      user_code ${text},
      expires_at ${integer},
      consumed_at ${integer},
      PRIMARY KEY (kind, id)
    )${tables.plain}`,
    `CREATE INDEX oauth_records_by_developer ON ${p}oauth_records (kind, developer_id, id)
      WHERE developer_id IS NOT NULL`,
    `CREATE INDEX oauth_records_by_client ON ${p}oauth_records (client_id) WHERE client_id IS NOT NULL`,
    `CREATE INDEX oauth_records_by_grant ON ${p}oauth_records (grant_id) WHERE grant_id IS NOT NULL`,
    `CREATE INDEX oauth_records_by_uid ON ${p}oauth_records (kind, uid) WHERE uid IS NOT NULL`,
    `CREATE INDEX oauth_records_by_user_code ON ${p}oauth_records (kind, user_code) WHERE user_code IS NOT NULL`,
    `CREATE INDEX oauth_records_by_expiry ON ${p}oauth_records (expires_at) WHERE expires_at IS NOT NULL`,
  ];
}
