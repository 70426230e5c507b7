import { expect } from 'chai';
import Libsql from 'libsql';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mock } from 'node:test';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { SEARCH, WRITE } from '../../../adapters/sql/sqlite/storage.js';
import { StorageThread } from '../../../adapters/sql/sqlite/thread.js';
import { newCategory } from '../../../domain/category.js';
import { auditEntry, numbers, USD } from '../../contracts/offers.js';
import { failureOf } from '../../unit/domain/failure.js';

const run = promisify(execFile);
const DIST = fileURLToPath(new URL('../../../', import.meta.url));

/** A program that stores a category, and prints how that went. */
const program = (dist: string, file: string) => `
  import { sqliteStorage } from ${JSON.stringify(pathToFileURL(join(dist, 'adapters/sql/sqlite/index.js')).href)};
  const storage = sqliteStorage(${JSON.stringify(file)});
  const save = () => storage.categories.save([{ id: 'email', name: 'Email' }]);
  const outcome = await storage.prepare({ currency: 'USD' }).then(save).then(
    (added) => ({ added }),
    ({ kind, message }) => ({ kind, message }),
  );
  await storage.close();
  console.log(JSON.stringify(outcome));`;

describe('The threads of an SQLite store', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'threads-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const outcomeOf = async (...words: readonly string[]) =>
    JSON.parse((await run(process.execPath, words)).stdout) as Readonly<Record<string, unknown>>;

  it('start in a program that came by --eval with --input-type', async () => {
    const text = program(DIST, join(folder, 'a.db'));
    expect(await outcomeOf('--input-type=module', '--eval', text)).to.deep.equal({ added: 1 });
  });

  it('that cannot start make a write unavailable, with the cause', async () => {
    for (const name of ['adapters/sql', 'adapters/storage', 'domain'])
      cpSync(join(DIST, name), join(folder, 'dist', name), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(DIST, '../node_modules'), join(folder, 'node_modules'));
    rmSync(join(folder, 'dist/adapters/sql/sqlite/thread-program.js'));
    writeFileSync(join(folder, 'program.js'), program(join(folder, 'dist'), join(folder, 'a.db')));
    const { kind, message } = await outcomeOf(join(folder, 'program.js'));
    expect(kind).to.equal('unavailable');
    expect(message).to.match(/^the thread of the task "write" could not start: Cannot find module .*thread-program/);
  });

  it('leaves a caller with an unknown outcome when a write goes on for too long, and works on', async () => {
    const file = join(folder, 'a.db');
    const storage = sqliteStorage(file);
    await storage.prepare({ currency: USD });
    const thread = new StorageThread(
      { ...WRITE, limitOf: (method) => (method === 'save' ? 60_000 : undefined) },
      { file },
    );
    await thread.run({ port: 'auditLog', method: 'append', args: [[]] });
    const hand = new Libsql(file, { timeout: 5_000 });
    hand.exec('BEGIN IMMEDIATE');
    mock.timers.enable({ apis: ['setTimeout'] });
    const saving = failureOf(() => thread.run({ port: 'categories', method: 'save', args: [[]] }));
    mock.timers.tick(60_000);
    mock.timers.reset();
    const failure = await saving;
    expect(failure).to.include({ kind: 'outcome-unknown', code: 'no-answer' });
    hand.exec('COMMIT');
    hand.close();
    expect(await thread.run({ port: 'automations', method: 'freeIdempotencyKeys', args: [new Date()] })).to.equal(0);
    await Promise.all([thread.close(), storage.close()]);
  });

  it('does not begin a write that has waited too long for others', async () => {
    const file = join(folder, 'a.db');
    const storage = sqliteStorage(file);
    await storage.prepare({ currency: USD });
    const thread = new StorageThread({ ...WRITE, limitOf: (method) => (method === 'save' ? 10 : undefined) }, { file });
    await thread.run({ port: 'auditLog', method: 'append', args: [[]] });
    const long = thread.run({ port: 'auditLog', method: 'append', args: [numbers(5_000).map((n) => auditEntry(n))] });
    const category = newCategory({ id: 'email', name: 'Email' });
    const failure = await failureOf(() => thread.run({ port: 'categories', method: 'save', args: [[category]] }));
    expect(failure.kind).to.be.oneOf(['unavailable', 'outcome-unknown']);
    await long;
    await thread.run({ port: 'auditLog', method: 'append', args: [[]] });
    expect(await storage.categories.list()).to.deep.equal([]);
    await Promise.all([thread.close(), storage.close()]);
  });

  it('that search are ended when a search takes too long, and start again for the next one', async () => {
    const file = join(folder, 'a.db');
    const storage = sqliteStorage(file);
    await storage.prepare({ currency: USD });
    let limit = 1;
    const thread = new StorageThread({ ...SEARCH, limitOf: () => limit }, { file });
    const search = { port: 'search', method: 'search', args: [{ page: { number: 1, limit: 10 }, order: 'newest' }] };
    expect(await failureOf(() => thread.run(search))).to.include({ kind: 'unavailable', code: 'search-too-slow' });
    limit = 10_000;
    expect(await thread.run(search)).to.deep.equal({ items: [], total: 0 });
    await Promise.all([thread.close(), storage.close()]);
  });
});
