import Libsql from 'libsql';
import type { SqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { USD } from '../../contracts/offers.js';
import { globalRunner, suiteOver } from '../../contracts/runner.js';
import { openingPromises, openPromises } from '../../contracts/storage.js';
import type { StorageHandles } from '../../contracts/storage-handles.js';
import { everyPartContract } from '../../support/every-contract.js';
import { Stores } from './stores.js';

const runner = globalRunner();

describe('SQLite, a new file for each test', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  function unprepared(): StorageHandles {
    const file = stores.newFile();
    return [stores.storage(file), stores.storage(file)];
  }

  async function prepared(): Promise<StorageHandles> {
    const handles = unprepared();
    await handles[0].prepare({ currency: USD });
    return handles;
  }

  describe('Storage', () =>
    openingPromises(suiteOver<StorageHandles>(unprepared, runner), suiteOver<StorageHandles>(prepared, runner)));
});

const TABLES = [
  'automations',
  'automation_files',
  'categories',
  'api_keys',
  'developers',
  'identities',
  'sessions',
  'audit',
  'oauth_records',
  'reports',
  'refused_files',
  'words',
];

/** All tests share the file and its threads: a new one takes 100 ms. Before each, another connection empties it. */
describe('SQLite, a file that another process has emptied', () => {
  const stores = new Stores();
  let storage: SqliteStorage;
  let other: SqliteStorage;
  let emptier: Libsql.Database;
  before(async () => {
    const file = stores.newFile();
    storage = await stores.prepared(file);
    other = stores.storage(file);
    emptier = new Libsql(file, { timeout: 5_000 });
    emptier.exec('PRAGMA synchronous = OFF');
  });
  after(async () => {
    emptier.close();
    await stores.close();
  });

  function emptied(): SqliteStorage {
    emptier.exec(`BEGIN IMMEDIATE; ${TABLES.map((table) => `DELETE FROM ${table};`).join(' ')} COMMIT`);
    return storage;
  }

  everyPartContract(emptied);
  describe('Storage', () => openPromises(suiteOver<StorageHandles>(() => [emptied(), other], runner)));
});
