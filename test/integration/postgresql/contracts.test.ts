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
  type StorageHandles,
} from 'automation-marketplace/contracts';
import type { Currency, Storage } from 'automation-marketplace';
import { ScanningSearch } from 'automation-marketplace/storage';
import { describePostgres, runSql } from '../../support/postgres.js';
import { postgresStorage } from './storage.js';

const EMPTY = 'DELETE FROM automations; DELETE FROM audit; DELETE FROM categories; DELETE FROM keys; ' +
  'DELETE FROM developers; DELETE FROM sessions';

describePostgres('PostgreSQL', (newUrl) => {
  const open: Storage[] = [];
  let url = '';
  let storage: Storage;

  before(async () => {
    url = await newUrl();
    storage = postgresStorage(url);
    await storage.prepare({ currency: 'USD' as Currency });
  });
  afterEach(async () => {
    for (const handle of open.splice(0)) await handle.close();
  });
  after(() => storage.close());

  /** Emptying the tables is quicker than making them. */
  const empty = async (): Promise<Storage> => {
    await runSql(url, EMPTY);
    return storage;
  };
  const twoHandles = async (): Promise<StorageHandles> => {
    const shared = await newUrl();
    const handles = [postgresStorage(shared), postgresStorage(shared)] as const;
    open.push(...handles);
    return handles;
  };

  automationRepositoryContract(async () => (await empty()).automations);
  automationArchiveContract(empty);
  catalogueSearchContract(async () => {
    const { automations, archive } = await empty();
    return { automations, search: new ScanningSearch(archive) };
  });
  categoryRepositoryContract(async () => (await empty()).categories);
  apiKeyRepositoryContract(async () => (await empty()).keys);
  developerRepositoryContract(async () => (await empty()).developers);
  sessionRepositoryContract(async () => (await empty()).sessions);
  auditLogContract(async () => (await empty()).auditLog);
  storageContract(twoHandles);
});
