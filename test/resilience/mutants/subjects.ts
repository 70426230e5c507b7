import type * as Contracts from '../../contracts/index.js';
import type * as Memory from '../../../adapters/in-memory/index.js';
import { newSqliteFile } from '../../support/sqlite-file.js';
import { USD } from '../../contracts/offers.js';
import type * as Sqlite from '../../../adapters/sql/sqlite/index.js';

/** The entries of one build, changed or not. */
export interface Build {
  readonly contracts: () => Promise<typeof Contracts>;
  readonly memory: () => Promise<typeof Memory>;
  readonly sqlite: () => Promise<typeof Sqlite>;
}

type Declare = (contracts: typeof Contracts, memory: typeof Memory, runner: Contracts.Runner) => void;

const inMemory =
  (declare: Declare) =>
  async ({ contracts, memory }: Build, runner: Contracts.Runner): Promise<void> =>
    declare(await contracts(), await memory(), runner);

/** Declares the contract of each adapter to a runner. */
export const SUBJECTS: Readonly<Record<string, (build: Build, runner: Contracts.Runner) => Promise<void>>> = {
  automations: inMemory((contracts, memory, runner) =>
    contracts.automationRepositoryContract(() => new memory.InMemoryAutomationRepository(), runner),
  ),
  categories: inMemory((contracts, memory, runner) =>
    contracts.categoryRepositoryContract(() => new memory.InMemoryCategoryRepository(), runner),
  ),
  'API keys': inMemory((contracts, memory, runner) =>
    contracts.apiKeyRepositoryContract(() => memory.inMemoryStorage(), runner),
  ),
  developers: inMemory((contracts, memory, runner) =>
    contracts.developerRepositoryContract(() => memory.inMemoryStorage(), runner),
  ),
  sessions: inMemory((contracts, memory, runner) =>
    contracts.sessionRepositoryContract(() => memory.inMemoryStorage(), runner),
  ),
  'audit log': inMemory((contracts, memory, runner) =>
    contracts.auditLogContract(() => new memory.InMemoryAuditLog(), runner),
  ),
  'OAuth records': inMemory((contracts, memory, runner) =>
    contracts.oauthRecordsContract(() => memory.inMemoryStorage(), runner),
  ),

  archive: inMemory((contracts, memory, runner) =>
    contracts.automationArchiveContract(() => memory.inMemoryStorage(), runner),
  ),
  search: inMemory((contracts, memory, runner) =>
    contracts.catalogueSearchContract(() => memory.inMemoryStorage(), runner),
  ),
  storage: inMemory((contracts, memory, runner) =>
    contracts.storageContract(() => {
      const storage = memory.inMemoryStorage();
      return [storage, storage];
    }, runner),
  ),

  /** SQLite finds pages by counts of blocks, and keeps them. */
  'cached pages': async ({ contracts, sqlite }, runner) => {
    const { sqliteStorage } = await sqlite();
    let last: Sqlite.SqliteStorage | undefined;
    (await contracts()).automationRepositoryContract(async () => {
      // The cases run one after the other; the threads of a store that stays open would slow the next ones down.
      await last?.close();
      const storage = sqliteStorage(newSqliteFile());
      last = storage;
      await storage.prepare({ currency: USD });
      return storage.automations;
    }, runner);
  },
};
