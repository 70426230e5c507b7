import { GroupCommitAutomationRepository } from '../../application/index.js';
import {
  SqliteApiKeyRepository,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDatabase,
} from '../../adapters/sqlite/index.js';
import {
  apiKeyRepositoryContract,
  automationRepositoryContract,
  categoryRepositoryContract,
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

  describe('behind group commit', () => {
    automationRepositoryContract(() => new GroupCommitAutomationRepository(new SqliteAutomationRepository(database())));
  });
});
