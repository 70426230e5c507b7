import type * as Contracts from '../../contracts/index.js';
import type * as Memory from '../../../adapters/in-memory/index.js';
import { partContract } from '../../support/every-contract.js';
import { newSqliteFile } from '../../support/sqlite-file.js';
import { USD } from '../../contracts/offers.js';
import type * as Sqlite from '../../../adapters/sql/sqlite/index.js';

/** The entries of one build, changed or not. */
export interface Build {
  readonly contracts: () => Promise<typeof Contracts>;
  readonly memory: () => Promise<typeof Memory>;
  readonly sqlite: () => Promise<typeof Sqlite>;
}

/** The subjects that are one part of the storage in memory, by the suite over it. */
const IN_MEMORY = {
  automations: 'automationRepositoryContract',
  categories: 'categoryRepositoryContract',
  'API keys': 'apiKeyRepositoryContract',
  developers: 'developerRepositoryContract',
  sessions: 'sessionRepositoryContract',
  'audit log': 'auditLogContract',
  'OAuth records': 'oauthRecordsContract',
  reports: 'reportRepositoryContract',
  archive: 'automationArchiveContract',
  search: 'catalogueSearchContract',
} as const;

type Declare = (build: Build, runner: Contracts.Runner) => Promise<void>;

/** Declares the contract of each adapter to a runner. */
export const SUBJECTS: Readonly<Record<string, Declare>> = {
  ...Object.fromEntries(
    Object.entries(IN_MEMORY).map(([subject, suite]): [string, Declare] => [
      subject,
      async ({ contracts, memory }, runner) => {
        const { inMemoryStorage } = await memory();
        partContract(suite, () => inMemoryStorage(), runner, await contracts());
      },
    ]),
  ),

  storage: async ({ contracts, memory }, runner) => {
    const { inMemoryStorage } = await memory();
    (await contracts()).storageContract(() => {
      const storage = inMemoryStorage();
      return [storage, storage];
    }, runner);
  },

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
