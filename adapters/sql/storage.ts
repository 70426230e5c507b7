import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../../domain/errors.js';
import { recordFor } from '../../domain/store-record.js';
import type { PrepareOptions, Storage, StoreRecord } from '../../domain/ports.js';
import { SqlApiKeyRepository } from './api-keys.js';
import { SqlAutomationArchive } from './archive.js';
import { SqlAuditLog } from './audit-log.js';
import { SqlAutomationRepository } from './automations.js';
import { SqlCategoryRepository } from './categories.js';
import { checkStore } from './check.js';
import type { Query, SqlConnection } from './connection.js';
import { SqlDeveloperRepository } from './developers.js';
import { SqlCatalogueSearch } from './search.js';
import { SqlSessionRepository } from './sessions.js';
import { settingsOf, storeSetting, type Settings } from './settings.js';
import { buildSchema, isCurrent } from './versions.js';
import { indexLot, isPrepared, prepareWords } from './words.js';

export interface SqlSettings {
  /** Whether to keep an index for searches by words; true by default. */
  readonly search?: boolean | undefined;
}

export interface SqlStorage extends Storage {
  readonly search: SqlCatalogueSearch;

  /** Stores the words of the next automations, if the index is not complete. Returns whether there may be more. */
  readonly indexLot: () => Promise<boolean>;
}

/** Returns the storage over a connection, which it closes. */
export function sqlStorage(connection: SqlConnection, { search = true }: SqlSettings = {}): SqlStorage {
  return {
    supports: { search: true, deepPages: true },
    automations: new SqlAutomationRepository(connection),
    archive: new SqlAutomationArchive(connection),
    search: new SqlCatalogueSearch(connection, search),
    categories: new SqlCategoryRepository(connection),
    keys: new SqlApiKeyRepository(connection),
    developers: new SqlDeveloperRepository(connection),
    sessions: new SqlSessionRepository(connection),
    auditLog: new SqlAuditLog(connection),
    prepare: (options) => prepare(connection, options, search),
    async ping() {
      await connection.query('SELECT 1 AS one');
      return connection.isFull ? 'read-only' : 'ready';
    },
    check: ({ repair }) => checkStore(connection, repair),
    close: () => connection.close(),
    indexLot: () => indexLot(connection),
  };
}

/** Writes nothing to a store that has everything already. */
async function prepare(connection: SqlConnection, options: PrepareOptions, search: boolean): Promise<StoreRecord> {
  const { dialect } = connection;
  const now = await settingsOf(connection.query, dialect).catch(noneIfNotPrepared);
  const isReady = isCurrent(now.schema, 'the store') && now.currency !== undefined && isPrepared(now, search);
  const isRecorded = options.address === undefined || options.address === now.address;
  return isReady && isRecorded ? recordFor(now, options) : connection.build((query) => build(query));

  async function build(query: Query): Promise<StoreRecord> {
    await buildSchema(query, dialect);
    const record = recordFor(await settingsOf(query, dialect), options);
    await storeSetting(query, dialect, 'currency', record.currency);
    if (record.address !== undefined) await storeSetting(query, dialect, 'address', record.address);
    await prepareWords(query, dialect, search);
    return record;
  }
}

function noneIfNotPrepared(error: unknown): Settings {
  if (error instanceof DomainError && error.code === 'not-prepared') return {};
  throw error;
}

/** How long to wait after a failure. */
const PAUSE_MS = 1_000;

/** Completes the index of words, lot by lot, until `signal` says that the storage was closed. Reports failures. */
export async function completeWords(
  { indexLot }: Pick<SqlStorage, 'indexLot'>,
  signal: AbortSignal,
  onError: (error: unknown) => void = () => undefined,
): Promise<void> {
  const isClosed = () => signal.aborted;
  for (let isMore = true; isMore && !isClosed();)
    try {
      isMore = await indexLot();
    } catch (error) {
      if (isClosed()) return;
      onError(error);
      await setTimeout(PAUSE_MS, undefined, { ref: false });
    }
}
