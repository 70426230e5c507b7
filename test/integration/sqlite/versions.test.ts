import { expect } from 'chai';
import { SqliteConnection } from '../../../adapters/sql/sqlite/connection.js';
import { buildSchema, type Step } from '../../../adapters/sql/settings.js';
import { offer, query } from '../../contracts/offers.js';
import { byHand, readByHand, Stores } from './stores.js';

/** Steps that no version has: to 2, and to 3. */
const INVENTED: readonly Step[] = [
  ({ prefix, types }) => [`ALTER TABLE ${prefix}categories ADD COLUMN colour ${types.text}`],
  ({ prefix }) => [`UPDATE ${prefix}categories SET colour = 'blue'`],
];

describe('The schema of a store in SQLite', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  const build = (connection: SqliteConnection, steps: readonly Step[]) =>
    connection.build((run) => buildSchema(run, connection.dialect, steps));
  const version = (file: string) => readByHand(file, `SELECT value FROM settings WHERE name = 'schema'`);

  it('is brought from an earlier version to the newest, once, and what is stored stays', async () => {
    const file = stores.newFile();
    const storage = await stores.prepared(file);
    await storage.automations.add([offer(1)]);
    await storage.categories.save([{ id: 'tools' as never, name: 'Tools' }]);
    expect(version(file)).to.deep.equal(['1']);
    const connection = stores.keep(new SqliteConnection(file));
    for (const steps of [INVENTED.slice(0, 1), INVENTED, INVENTED]) await build(connection, steps);
    expect(version(file)).to.deep.equal(['3']);
    expect(readByHand(file, 'SELECT colour FROM categories')).to.deep.equal(['blue']);
    expect((await storage.automations.list(query(1, 10))).total).to.equal(1);
  });

  it('of a newer version is refused before anything is written, by an open store, too', async () => {
    const file = stores.newFile();
    await stores.prepared(file);
    const connection = stores.keep(new SqliteConnection(file));
    await build(connection, INVENTED);
    expect(() => stores.storage(file)).to.throw(/was written by a newer version of this program: its schema is 3/);
    const failure = await build(connection, []).catch(String);
    expect(failure).to.include('this program knows up to 1');
  });

  it('of another program is refused, and its file is left as it is', async () => {
    const file = stores.newFile();
    byHand(file, 'CREATE TABLE songs (title TEXT)');
    expect(() => stores.storage(file)).to.throw(`${file} is an SQLite database of another program`);
    expect(readByHand(file, 'SELECT name FROM sqlite_schema')).to.deep.equal(['songs']);
  });
});
