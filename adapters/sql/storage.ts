import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.js';
import { recordFor, requirePrepareOptions } from '../../domain/store-record.js';
import type {
  CatalogueSearch,
  OAuthRecords,
  PrepareOptions,
  ReportRepository,
  Storage,
  StoreRecord,
} from '../../domain/ports.js';
import { SqlApiKeyRepository } from './api-keys.js';
import { SqlAutomationArchive } from './archive.js';
import { SqlAuditLog } from './audit-log.js';
import { SqlAutomationRepository } from './automations.js';
import { SqlCategoryRepository } from './categories.js';
import { checkStore } from './check.js';
import type { SqlConnection } from './connection.js';
import { SqlDeveloperRepository } from './developers.js';
import { SqlOAuthRecords } from './oauth-records.js';
import { SqlReportRepository } from './reports.js';
import { SqlCatalogueSearch } from './search.js';
import { SqlSessionRepository } from './sessions.js';
import { buildSchema, isCurrent, RecordedCurrency, settingsOf, storeSetting, type Settings } from './settings.js';
import { completeWords, isPrepared, prepareWords } from './words.js';

export interface SqlSettings {
  /** Whether to keep an index for searches by words; true by default. */
  readonly search?: boolean | undefined;
}

/** Gets each failure of work in the background, which is tried again. */
export type OnError = (error: unknown) => void;

export interface SqlStorage extends Storage {
  readonly search: CatalogueSearch;
  readonly oauthRecords: OAuthRecords;
  readonly reports: ReportRepository;
}

/** Returns the storage over a connection, which it closes. */
export function sqlStorage(
  connection: SqlConnection,
  { search = true }: SqlSettings = {},
  onError?: OnError,
): SqlStorage {
  const currency = new RecordedCurrency(connection.dialect);
  return {
    supports: { search: true, deepPages: true },
    automations: new SqlAutomationRepository(connection, currency, search),
    archive: new SqlAutomationArchive(connection),
    search: new SqlCatalogueSearch(connection, search),
    categories: new SqlCategoryRepository(connection),
    keys: new SqlApiKeyRepository(connection),
    developers: new SqlDeveloperRepository(connection),
    sessions: new SqlSessionRepository(connection),
    auditLog: new SqlAuditLog(connection),
    oauthRecords: new SqlOAuthRecords(connection),
    reports: new SqlReportRepository(connection),
    recordedCurrency: () => currency.known,
    async prepare(options) {
      const record = await prepare(connection, options, search);
      currency.note(record.currency);
      void completeInBackground(connection, onError);
      return record;
    },
    ping: () => connection.ping(),
    check: ({ repair }) => checkStore(connection, repair),
    close: () => connection.close(),
  };
}

/** Reads once, and writes nothing, where a store has everything already. */
async function prepare(connection: SqlConnection, options: PrepareOptions, search: boolean): Promise<StoreRecord> {
  const { dialect } = connection;
  requirePrepareOptions(options);
  const now = await settingsOf(connection.query, dialect).catch(noneIfNotPrepared);
  const isReady = isCurrent(now.schema, 'the store') && now.currency !== undefined && isPrepared(now, search);
  const isRecorded = options.address === undefined || options.address === now.address;
  if (isReady && isRecorded) return recordFor(now, options);
  return connection.build(async (query) => {
    await buildSchema(query, dialect);
    const record = recordFor(await settingsOf(query, dialect), options);
    await storeSetting(query, dialect, 'currency', record.currency);
    if (record.address !== undefined) await storeSetting(query, dialect, 'address', record.address);
    await prepareWords(query, dialect, search);
    return record;
  });
}

function noneIfNotPrepared(error: unknown): Settings {
  if (error instanceof DomainError && error.code === 'not-prepared') return {};
  throw error;
}

/** How long to wait after a failure. */
const PAUSE_MS = 1_000;

/** Completes the index of words, also after failures, which it reports, until the storage is closed. */
async function completeInBackground(connection: SqlConnection, onError: OnError | undefined): Promise<void> {
  try {
    await completeWords(connection);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'store-closed') return;
    onError?.(error);
    await setTimeout(PAUSE_MS, undefined, { ref: false });
    await completeInBackground(connection, onError);
  }
}
