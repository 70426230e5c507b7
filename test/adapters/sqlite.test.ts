import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

describe('A database on SQLite', () => {
  it('syncs each commit to the disk before it is acknowledged', () => {
    const folder = mkdtempSync(join(tmpdir(), 'marketplace-'));
    const database = new SqliteDatabase(join(folder, 'marketplace.db'));
    const valueOf = (pragma: string) => database.prepare(`PRAGMA ${pragma}`).raw().get();
    const [synchronous, journal] = [valueOf('synchronous'), valueOf('journal_mode')];
    database.close();
    rmSync(folder, { recursive: true });
    expect([synchronous, journal]).to.deep.equal([[2], ['wal']]);
  });
});

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
