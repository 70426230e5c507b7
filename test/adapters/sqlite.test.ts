import { CachingDeveloperRepository, GroupCommitAutomationRepository } from '../../application/index.js';
import {
  SqliteApiKeyRepository,
  SqliteAuditLog,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDatabase,
  SqliteDeveloperRepository,
  SqliteSessionRepository,
} from '../../adapters/sqlite/index.js';
import {
  apiKeyRepositoryContract,
  auditLogContract,
  automationRepositoryContract,
  categoryRepositoryContract,
  developerRepositoryContract,
  sessionRepositoryContract,
} from '../contracts/index.js';

describe('SQLite', () => {
  const databases: SqliteDatabase[] = [];
  const database = (): SqliteDatabase => {
    const opened = new SqliteDatabase(':memory:');
    databases.push(opened);
    return opened;
  };
  afterEach(() => {
    for (const opened of databases.splice(0)) opened.close();
  });

  automationRepositoryContract(() => new SqliteAutomationRepository(database()));
  categoryRepositoryContract(() => new SqliteCategoryRepository(database()));
  apiKeyRepositoryContract(() => new SqliteApiKeyRepository(database()));
  developerRepositoryContract(() => new SqliteDeveloperRepository(database()));
  sessionRepositoryContract(() => new SqliteSessionRepository(database()));
  auditLogContract(() => new SqliteAuditLog(database()));

  describe('behind group commit', () => {
    automationRepositoryContract(() => new GroupCommitAutomationRepository(new SqliteAutomationRepository(database())));
  });

  describe('behind a cache', () => {
    developerRepositoryContract(() => new CachingDeveloperRepository(new SqliteDeveloperRepository(database())));
  });
});
