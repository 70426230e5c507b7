import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Currency, Storage } from '../../../application/index.js';
import * as contracts from '../../contracts/index.js';
import { ScanningSearch } from '../../../application/index.js';
import { jsonStorage } from './json-storage.js';

/** A disk in memory, where there is one: every write waits for the disk. */
const DISK = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

describe('A storage over a JSON file', () => {
  let folder = '';
  let files = 0;
  before(() => (folder = mkdtempSync(join(DISK, 'json-storage-'))));
  after(() => rmSync(folder, { recursive: true }));

  const unprepared = () => jsonStorage(join(folder, `${(files += 1)}.json`));
  const empty = async (): Promise<Storage> => {
    const storage = unprepared();
    await storage.prepare({ currency: 'USD' as Currency });
    return storage;
  };

  contracts.automationRepositoryContract(async () => (await empty()).automations);
  contracts.automationArchiveContract(empty);
  contracts.catalogueSearchContract(empty);
  contracts.categoryRepositoryContract(async () => (await empty()).categories);
  contracts.apiKeyRepositoryContract(async () => (await empty()).keys);
  contracts.developerRepositoryContract(async () => (await empty()).developers);
  contracts.sessionRepositoryContract(async () => (await empty()).sessions);
  contracts.auditLogContract(async () => (await empty()).auditLog);
  contracts.oauthRecordsContract(empty);
  contracts.storageContract(() => {
    const storage = unprepared();
    return [storage, storage];
  });

  describe('with the search that reads everything', () => {
    contracts.catalogueSearchContract(async () => {
      const { automations, archive } = await empty();
      return { automations, search: new ScanningSearch(archive) };
    });
  });
});
