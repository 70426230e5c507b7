import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DIST = fileURLToPath(new URL('../../../', import.meta.url));

/** A program that stores a category, and prints how that went. */
const program = (dist: string, file: string) => `
  import { sqliteStorage } from ${JSON.stringify(pathToFileURL(join(dist, 'adapters/sqlite/index.js')).href)};
  const storage = sqliteStorage(${JSON.stringify(file)});
  const save = () => storage.categories.save([{ id: 'email', name: 'Email' }]);
  const outcome = await storage.prepare({ currency: 'USD' }).then(save).then(
    (added) => ({ added }),
    ({ kind, message }) => ({ kind, message }),
  );
  await storage.close();
  console.log(JSON.stringify(outcome));`;

describe('The threads of an SQLite store', function () {
  this.timeout(20_000);
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
    for (const name of ['adapters/sqlite', 'adapters/storage', 'domain'])
      cpSync(join(DIST, name), join(folder, 'dist', name), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(DIST, '../node_modules'), join(folder, 'node_modules'));
    rmSync(join(folder, 'dist/adapters/sqlite/executor-thread.js'));
    writeFileSync(join(folder, 'program.js'), program(join(folder, 'dist'), join(folder, 'a.db')));
    const { kind, message } = await outcomeOf(join(folder, 'program.js'));
    expect(kind).to.equal('unavailable');
    expect(message).to.match(/^the thread of the task "write" could not start: Cannot find module .*executor-thread/);
  });
});
