import type { DerivedObject, Dialect } from './dialect.js';

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

/** The indexes: what they are on, by their names. */
const INDEXES: Readonly<Record<string, string>> = {
  on_sale: 'automations (number, category_id, withdrawn_at, price, platform) WHERE withdrawn_at IS NULL',
  on_sale_by_price: 'automations (price, number DESC, withdrawn_at) WHERE withdrawn_at IS NULL',
  on_sale_by_category: 'automations (category_id, number) WHERE withdrawn_at IS NULL',
  on_sale_by_category_and_price:
    'automations (category_id, price, number DESC, withdrawn_at) WHERE withdrawn_at IS NULL',
  on_sale_by_platform:
    'automations (platform, number, category_id, withdrawn_at, price) ' +
    'WHERE withdrawn_at IS NULL AND platform IS NOT NULL',
  on_sale_by_developer: 'automations (developer_id, number) WHERE withdrawn_at IS NULL',
  withdrawn: 'automations (number) WHERE withdrawn_at IS NOT NULL',
  withdrawn_by_developer: 'automations (developer_id, number) WHERE withdrawn_at IS NOT NULL',
  idempotency_keys_by_until: 'automations (idempotency_key_until) WHERE idempotency_key_until IS NOT NULL',
  api_keys_by_developer: 'api_keys (developer_id, position)',
  api_keys_of_developer_by_end: `api_keys (developer_id, (${END_OF_KEY}), position)`,
  api_keys_by_end: `api_keys ((${END_OF_KEY}))`,
  developers_by_id_skeleton: 'developers (id_skeleton)',
  identities_by_developer: 'identities (developer_id)',
  identities_by_subject: 'identities (subject)',
  operators: `developers (role) WHERE role = 'operator'`,
  sessions_by_developer: 'sessions (developer_id, created_at)',
  sessions_by_until: 'sessions (until)',
  audit_by_developer: 'audit (developer_id, id) WHERE developer_id IS NOT NULL',
  oauth_records_by_developer: 'oauth_records (kind, developer_id, id) WHERE developer_id IS NOT NULL',
  oauth_records_by_client: 'oauth_records (client_id) WHERE client_id IS NOT NULL',
  oauth_records_by_grant: 'oauth_records (grant_id) WHERE grant_id IS NOT NULL',
  oauth_records_by_uid: 'oauth_records (kind, uid) WHERE uid IS NOT NULL',
  oauth_records_by_user_code: 'oauth_records (kind, user_code) WHERE user_code IS NOT NULL',
  reports_open: 'reports (automation_id, kind) WHERE closed_at IS NULL',
  reports_by_automation: 'reports (automation_id, id)',
  reports_by_closing: 'reports (closed_at) WHERE closed_at IS NOT NULL',
  reports_with_address: 'reports (at) WHERE address IS NOT NULL',
  oauth_records_by_expiry: 'oauth_records (expires_at) WHERE expires_at IS NOT NULL',
};
const UNIQUE_INDEXES: Readonly<Record<string, string>> = {
  idempotency_keys: 'automations (developer_id, idempotency_key) WHERE idempotency_key IS NOT NULL',
};

/** Returns everything that is derived: what a check compares with what is there, and makes where it is missing. */
export function derivedOf(dialect: Dialect): readonly DerivedObject[] {
  const { prefix: p, countTriggers, words } = dialect;
  const index =
    (kind: string) =>
    ([name, on]: readonly [string, string]): DerivedObject => ({
      kind: 'index',
      name,
      make: [`DROP INDEX IF EXISTS ${p}${name}`, `CREATE ${kind} ${name} ON ${p}${on}`],
    });
  return [
    ...Object.entries(INDEXES).map(index('INDEX')),
    ...Object.entries(UNIQUE_INDEXES).map(index('UNIQUE INDEX')),
    countsTable(dialect),
    ...countTriggers,
    ...words.objects,
  ];
}

function countsTable({ prefix: p, types: { text, integer }, tables }: Dialect): DerivedObject {
  return {
    kind: 'table',
    name: 'counts',
    make: [
      `DROP TABLE IF EXISTS ${p}counts`,
      `CREATE TABLE ${p}counts (
        size ${integer} NOT NULL,
        category_id ${text} NOT NULL,
        block ${integer} NOT NULL,
        on_sale ${integer} NOT NULL,
        PRIMARY KEY (size, category_id, block)
      )${tables.updatedOften}`,
    ],
  };
}

/** Returns the statements that create the other tables of an empty store. A change needs a step in `settings.ts`. */
export function schemaOf(dialect: Dialect): readonly string[] {
  return [
    ...categoryTables(dialect),
    ...automationTables(dialect),
    ...apiKeyTables(dialect),
    ...developerTables(dialect),
    ...sessionTables(dialect),
    ...auditTables(dialect),
    ...oauthTables(dialect),
    ...reportTables(dialect),
    ...derivedOf(dialect).flatMap(({ make }) => make),
  ];
}

function categoryTables({ prefix, types: { text }, tables }: Dialect): readonly string[] {
  return [`CREATE TABLE ${prefix}categories (id ${text} PRIMARY KEY, name ${text} NOT NULL)${tables.keyed}`];
}

/**
 * `number` is the order of the market. The condition of an index says whether it has the automations on sale or the
 * withdrawn ones. Those for searches have every column that a search compares, so that it reads no rows. `counts` has
 * the automations on sale in each block of numbers, `block` being `number / size`, for each category, and with the
 * category '' for all. `file` is JSON, and `platform` that of the file. `content` is
 * base64: a table of its own, so that lists and searches read no files.
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
      url ${text},
      license ${text},
      description ${text} NOT NULL,
      file ${text},
      platform ${text}
    )${tables.plain}`,
    `CREATE TABLE ${p}automation_files (
      number ${integer} PRIMARY KEY,
      content ${text} NOT NULL
    )${tables.plain}`,
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
      emergency_since ${integer},
      role ${text} NOT NULL,
      public_name ${text},
      public_name_folded ${text} UNIQUE,
      public_name_skeleton ${text} UNIQUE,
      id_skeleton ${text} NOT NULL,
      website ${text}
    )${tables.plain}`,
    `CREATE TABLE ${p}identities (
      issuer ${text} NOT NULL,
      subject ${text} NOT NULL,
      developer_id ${text} NOT NULL,
      PRIMARY KEY (issuer, subject)
    )${tables.keyed}`,
  ];
}

function sessionTables({ prefix: p, types: { text, integer }, tables }: Dialect): readonly string[] {
  return [
    `CREATE TABLE ${p}sessions (
      hash ${text} PRIMARY KEY,
      developer_id ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      until ${integer} NOT NULL,
      address ${text},
      sid ${text}
    )${tables.keyed}`,
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
  ];
}

function reportTables({ prefix: p, types: { text, integer }, tables }: Dialect): readonly string[] {
  return [
    `CREATE TABLE ${p}reports (
      id ${text} PRIMARY KEY,
      automation_id ${text} NOT NULL,
      kind ${text} NOT NULL,
      text ${text} NOT NULL,
      at ${integer} NOT NULL,
      developer_id ${text},
      address ${text},
      closed_at ${integer},
      decision ${text}
    )${tables.plain}`,
    `CREATE TABLE ${p}refused_files (sha256 ${text} PRIMARY KEY, at ${integer} NOT NULL)${tables.keyed}`,
  ];
}
