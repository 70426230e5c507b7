import Libsql from 'libsql';
import { CachingDeveloperRepository, GroupCommitAutomationRepository } from '../../../adapters/storage/index.js';
import {
  SqliteApiKeyRepository,
  SqliteAuditLog,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDeveloperRepository,
  SqliteSessionRepository,
  sqliteStorage,
  type SqliteStorage,
} from '../../../adapters/sqlite/index.js';
import {
  apiKeyRepositoryContract,
  auditLogContract,
  automationArchiveContract,
  automationRepositoryContract,
  catalogueSearchContract,
  categoryRepositoryContract,
  developerRepositoryContract,
  sessionRepositoryContract,
  storageContract,
} from '../../contracts/index.js';
import { USD } from '../../contracts/offers.js';
import { Stores } from './stores.js';

describe('SQLite in memory', () => {
  const stores = new Stores();
  const database = () => stores.database();
  afterEach(() => stores.close());

  automationRepositoryContract(() => new SqliteAutomationRepository(database()));
  automationArchiveContract(() => stores.storage());
  catalogueSearchContract(() => stores.storage());
  categoryRepositoryContract(() => new SqliteCategoryRepository(database()));
  apiKeyRepositoryContract(() => new SqliteApiKeyRepository(database()));
  developerRepositoryContract(() => new SqliteDeveloperRepository(database()));
  sessionRepositoryContract(() => new SqliteSessionRepository(database()));
  auditLogContract(() => new SqliteAuditLog(database()));
  storageContract(() => {
    const storage = stores.storage();
    return [storage, storage];
  });

  describe('behind group commit', () => {
    automationRepositoryContract(() => new GroupCommitAutomationRepository(new SqliteAutomationRepository(database())));
  });

  describe('behind a cache', () => {
    developerRepositoryContract(() => new CachingDeveloperRepository(new SqliteDeveloperRepository(database())));
  });
});

describe('SQLite in a file', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  storageContract(() => {
    const file = stores.newFile();
    return [stores.storage(file), stores.storage(file)];
  });
});

const TABLES = ['automations', 'categories', 'api_keys', 'developers', 'sessions', 'audit'];

/**
 * All tests share the file and its thread. Before each, the rows are removed, but for the currency, by a connection of
 * their own.
 */
describe('SQLite in a file that another process has emptied', () => {
  const stores = new Stores();
  let storage: SqliteStorage;
  let emptier: Libsql.Database;
  before(async () => {
    const file = stores.newFile();
    storage = sqliteStorage(file);
    await storage.prepare({ currency: USD });
    emptier = new Libsql(file, { timeout: 5_000 });
    emptier.exec('PRAGMA synchronous = OFF');
  });
  after(async () => {
    emptier.close();
    await storage.close();
    await stores.close();
  });

  function emptied(): SqliteStorage {
    emptier.exec(`BEGIN IMMEDIATE; ${TABLES.map((table) => `DELETE FROM ${table};`).join(' ')} COMMIT`);
    return storage;
  }

  automationRepositoryContract(() => emptied().automations);
  automationArchiveContract(emptied);
  catalogueSearchContract(emptied);
  categoryRepositoryContract(() => emptied().categories);
  apiKeyRepositoryContract(() => emptied().keys);
  developerRepositoryContract(() => emptied().developers);
  sessionRepositoryContract(() => emptied().sessions);
  auditLogContract(() => emptied().auditLog);
});
