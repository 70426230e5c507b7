import Libsql from 'libsql';
import type { SqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { storageContract } from '../../contracts/index.js';
import { everyPartContract } from '../../support/every-contract.js';
import { Stores } from './stores.js';

describe('SQLite, a new file for each test', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  storageContract(() => {
    const file = stores.newFile();
    return [stores.storage(file), stores.storage(file)];
  });
});

const TABLES = [
  'automations',
  'categories',
  'api_keys',
  'developers',
  'identities',
  'sessions',
  'audit',
  'oauth_records',
  'words',
];

/** All tests share the file and its threads: a new one takes 100 ms. Before each, another connection empties it. */
describe('SQLite, a file that another process has emptied', () => {
  const stores = new Stores();
  let storage: SqliteStorage;
  let emptier: Libsql.Database;
  before(async () => {
    const file = stores.newFile();
    storage = await stores.prepared(file);
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
});
