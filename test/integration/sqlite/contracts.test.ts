import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CachingDeveloperRepository, GroupCommitAutomationRepository } from '../../../adapters/storage/index.js';
import type { AutomationId } from '../../../domain/automation.js';
import { DomainError } from '../../../domain/errors.js';
import { newPage } from '../../../domain/page.js';
import {
  SqliteApiKeyRepository,
  SqliteAuditLog,
  SqliteAutomationRepository,
  SqliteCategoryRepository,
  SqliteDatabase,
  SqliteDeveloperRepository,
  SqliteSessionRepository,
} from '../../../adapters/sqlite/index.js';
import {
  apiKeyRepositoryContract,
  auditLogContract,
  automationRepositoryContract,
  categoryRepositoryContract,
  developerRepositoryContract,
  sessionRepositoryContract,
} from '../../contracts/index.js';
import { offer } from '../../contracts/offers.js';
import { failureOf } from '../../unit/domain/failure.js';

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

  it('whose commit fails cannot tell whether it was done, and goes on', async () => {
    const database = new SqliteDatabase(':memory:');
    const childless = () => database.prepare('SELECT count(*) FROM children').raw().get();
    database.prepare('PRAGMA foreign_keys = ON').run();
    database.prepare('CREATE TABLE children (category TEXT REFERENCES categories DEFERRABLE INITIALLY DEFERRED)').run();
    const { kind, code } = await failureOf(() =>
      database.write(() => database.prepare(`INSERT INTO children VALUES ('none')`).run()),
    );
    expect([kind, code, childless()]).to.deep.equal(['outcome-unknown', 'commit-failed', [0]]);
    expect(await database.recordCurrency('EUR')).to.equal('EUR');
    database.close();
  });

  it('whose numbers were set back by other hands stores nothing under a number that is taken', async () => {
    const database = new SqliteDatabase(':memory:');
    const automations = new SqliteAutomationRepository(database);
    await automations.add([offer(1)]);
    database.prepare('UPDATE tallies SET highest = 0').run();
    const failure = await new SqliteAutomationRepository(database).add([offer(2)]).catch((error: unknown) => error);
    expect(failure).to.be.an.instanceOf(Error).with.property('message').that.includes('changed by other hands');
    expect([
      await automations.find(offer(1).automation.id),
      await automations.find(offer(2).automation.id),
    ]).to.deep.equal([offer(1).automation, undefined]);
    database.close();
  });

  it('that is closed is unavailable, whatever is asked of it', async () => {
    const database = new SqliteDatabase(':memory:');
    const [categories, automations] = [
      new SqliteCategoryRepository(database),
      new SqliteAutomationRepository(database),
    ];
    database.close();
    database.close();
    const asked = [
      () => categories.list(),
      () => categories.save([]),
      () => automations.list({ page: newPage({}) }),
      () => automations.find('01980c5e-7a3b-7c4d-9e21-000000000001' as AutomationId),
      () => database.stateSoon(),
      () => database.recordCurrency('USD'),
      () => database.ping(),
    ];
    for (const ask of asked)
      expect(await ask().catch((error: unknown) => error))
        .to.be.instanceOf(DomainError)
        .with.property('kind', 'unavailable');
  });
});

describe('A store that is closed while it waits for another process', () => {
  it('is unavailable', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marketplace-'));
    const [ours, another] = [
      new SqliteDatabase(join(folder, 'marketplace.db')),
      new SqliteDatabase(join(folder, 'marketplace.db')),
    ];
    another.prepare('BEGIN IMMEDIATE').run();
    const noted = ours.recordCurrency('USD').catch((error: unknown) => error);
    await setTimeout(50);
    ours.close();
    expect(await noted)
      .to.be.instanceOf(DomainError)
      .with.property('kind', 'unavailable');
    another.close();
    rmSync(folder, { recursive: true });
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
