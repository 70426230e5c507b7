import { expect } from 'chai';
import { execFileSync, fork, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { restoreStore, type SqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { GAMES, offer, query, TOOLS } from '../../contracts/offers.js';
import type { Content } from './reading-process.js';
import { byHand, Stores } from '../../integration/sqlite/stores.js';

describe('SQLite: restoring a backup', function () {
  this.timeout(240_000);
  const stores = new Stores();
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await stores.close();
  });

  /** Starts a process that has the store open and does nothing. Returns it, and the id of the automation it added. */
  async function rest(file: string): Promise<{ readonly child: ChildProcess; readonly id: string }> {
    const child = fork(new URL('./resting-process.js', import.meta.url), [file]);
    children.push(child);
    const [id] = (await once(child, 'message')) as [string];
    return { child, id };
  }

  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Returns a backup with two automations, and a store whose last write stands in its write-ahead log alone. */
  async function crashed() {
    const backup = join(dirname(stores.newFile()), 'copy.db');
    const source = await stores.prepared();
    await source.automations.add([offer(1, { categoryId: TOOLS }), offer(2, { categoryId: GAMES })]);
    await source.backup(backup);
    const copied = await idsIn(source);
    const file = stores.newFile();
    const { child, id } = await rest(file);
    await kill(child);
    expect(statSync(`${file}-wal`).size).to.be.above(0);
    return { backup, copied, file, earlier: [id] };
  }

  async function idsIn({ automations }: Pick<SqliteStorage, 'automations'>): Promise<readonly string[]> {
    return (await automations.list(query(1, 100))).items.map(({ id }) => id);
  }

  /** Returns what is in files, once their check has found nothing wrong; by a process that lets all of it go. */
  async function contentsOf(...files: readonly string[]): Promise<readonly (readonly string[])[]> {
    const child = fork(new URL('./reading-process.js', import.meta.url), files);
    const ended = once(child, 'exit');
    const [contents] = (await once(child, 'message')) as [readonly Content[]];
    await ended;
    expect(contents.flatMap(({ differences }) => differences)).to.deep.equal([]);
    return contents.map(({ ids }) => ids);
  }

  async function contentOf(file: string): Promise<readonly string[]> {
    return (await contentsOf(file))[0] ?? expect.fail();
  }

  it('after a crash puts the copy in place whole, and keeps what was there, its log included', async () => {
    const { backup, copied, file, earlier } = await crashed();
    chmodSync(file, 0o640);
    const kept = restoreStore(file, backup) ?? expect.fail();
    expect(kept).to.match(/marketplace\.db\.before-restore-[\dTZ-]+$/);
    expect(await contentOf(file)).to.deep.equal(copied);
    expect(await contentOf(kept)).to.deep.equal(earlier);
    expect(statSync(file).mode & 0o777).to.equal(0o640);
    expect(existsSync(backup)).to.equal(true);
    expect(readdirSync(dirname(file)).filter((name) => name.includes('.part'))).to.deep.equal([]);
    expect(await contentOf(restoreStore(file, kept) ?? '')).to.deep.equal(copied);
    expect(await contentOf(file)).to.deep.equal(earlier);
  });

  it('copies also what stands in the write-ahead log of the backup', async () => {
    const { backup: _, file: backup, earlier } = await crashed();
    const file = stores.newFile();
    expect(restoreStore(file, backup)).to.equal(undefined);
    expect(await contentOf(file)).to.deep.equal(earlier);
  });

  it('where there is no store, moves away a write-ahead log that is left of one', async () => {
    const { backup, copied, file } = await crashed();
    rmSync(file);
    const log = readFileSync(`${file}-wal`);
    expect(restoreStore(file, backup)).to.equal(undefined);
    expect(await contentOf(file)).to.deep.equal(copied);
    const moved = readdirSync(dirname(file)).find((name) => /\.before-restore-.*-wal$/.test(name)) ?? '';
    expect(readFileSync(join(dirname(file), moved)).equals(log)).to.equal(true);
  });

  /** Every way to name the store in which another process rests. */
  const ALIASES: Readonly<Record<string, (folder: string) => string | undefined>> = {
    'the same folder': (folder) => folder,
    'a link to the folder': (folder) => {
      symlinkSync(folder, `${folder}-link`);
      return `${folder}-link`;
    },
    'another mount of the folder': (folder) => {
      mkdirSync(`${folder}-mount`);
      return spawnSync('mount', ['--bind', folder, `${folder}-mount`]).status === 0 ? `${folder}-mount` : undefined;
    },
  };
  for (const [name, aliasOf] of Object.entries(ALIASES))
    it(`is refused while another process has the store open and does nothing, by ${name}`, async function () {
      const { backup, file, earlier } = await crashed();
      const { child, id } = await rest(file);
      const alias = aliasOf(dirname(file));
      if (alias === undefined) return this.skip();
      try {
        const restore = () => restoreStore(join(alias, basename(file)), backup);
        expect(restore).to.throw(/marketplace\.db is open in another process; stop the service and every command/);
        expect(readdirSync(dirname(file)).sort()).to.deep.equal(
          ['', '-shm', '-wal'].map((side) => `marketplace.db${side}`),
        );
        await kill(child);
        expect(restore()).to.be.a('string');
      } finally {
        if (alias.endsWith('-mount')) execFileSync('umount', [alias]);
        if (alias !== dirname(file)) rmSync(alias, { recursive: true });
      }
      expect(await contentOf(keptNextTo(file))).to.have.members([...earlier, id]);
    });

  it('is refused while another process has a store open whose file was damaged meanwhile', async () => {
    for (const damage of [garble, cutOff]) {
      const { backup, file } = await crashed();
      await rest(file);
      damage(file);
      expect(() => restoreStore(file, backup)).to.throw(/is open in another process/);
    }
  });

  it('replaces a store that is damaged, and keeps it as it is', async () => {
    for (const damage of [garble, cutOff, damageInside]) {
      const { backup, copied, file } = await crashed();
      byHand(file, 'PRAGMA wal_checkpoint(TRUNCATE)');
      damage(file);
      if (damage === garble) garble(`${file}-wal`);
      const bytes = readFileSync(file);
      const kept = restoreStore(file, backup) ?? expect.fail();
      expect(await contentOf(file), damage.name).to.deep.equal(copied);
      if (damage === garble) expect(readFileSync(kept).equals(bytes), 'bytes').to.equal(true);
      expect(existsSync(`${kept}-wal`)).to.equal(damage === garble);
    }
  });

  const REFUSED: Readonly<Record<string, { readonly make: (file: string) => void; readonly why: RegExp }>> = {
    'nothing that exists': { make: rmSync, why: /copy\.db cannot be restored: no such file or directory/ },
    'a folder': { make: becomeFolder, why: /cannot be restored: it is not a file/ },
    'an empty file': { make: (file) => truncateSync(file), why: /it is not a store of this version of the program/ },
    'a text': { make: garble, why: /cannot be restored: it is damaged, or no SQLite file/ },
    'a copy that was cut off': { make: cutOff, why: /cannot be restored: it is damaged, or no SQLite file/ },
    'a database of another program': {
      make: becomeForeign,
      why: /copy\.db is an SQLite database of another program/,
    },
    'a store of a newer version': {
      make: (file) => byHand(file, "UPDATE settings SET value = '999' WHERE name = 'schema'"),
      why: /copy\.db was written by a newer version of this program/,
    },
    'a store that was never prepared': {
      make: (file) => byHand(file, 'DROP TABLE settings'),
      why: /it is not a store of this version of the program/,
    },
  };
  for (const [name, { make, why }] of Object.entries(REFUSED))
    it(`of ${name} is refused with a sentence, and nothing changes`, async () => {
      const { backup, file, earlier } = await crashed();
      make(backup);
      const [names, bytes] = [readdirSync(dirname(file)).sort(), readFileSync(file)];
      expect(() => restoreStore(file, backup)).to.throw(why);
      expect(readdirSync(dirname(file)).sort()).to.deep.equal(names);
      expect(readFileSync(file).equals(bytes)).to.equal(true);
      expect(await contentOf(file)).to.deep.equal(earlier);
    });

  it('that is killed before any step leaves the whole of one store, and can be done again', async () => {
    const { backup, copied, file, earlier } = await crashed();
    const states: { readonly at: string; readonly isKilled: boolean }[] = [];
    for (let isKilled = true; isKilled;) {
      const step = states.length;
      const folder = `${dirname(file)}/${step}`;
      mkdirSync(folder);
      for (const side of ['', '-wal', '-shm']) copyFileSync(file + side, join(folder, basename(file) + side));
      const at = join(folder, basename(file));
      const child = fork(new URL('./restoring-process.js', import.meta.url), [at, backup, String(step)]);
      isKilled = ((await once(child, 'exit')) as [number | null])[0] === null;
      states.push({ at, isKilled });
    }
    const seen = new Set<string>();
    const found = await contentsOf(...states.map(({ at }) => at));
    const replaced = found.flatMap((ids, step) => (ids.join() === copied.join() ? [step] : []));
    for (const [step, ids] of found.entries()) {
      const isNew = replaced.includes(step);
      if (!isNew) expect(ids, `killed before step ${step}`).to.deep.equal(earlier);
      seen.add(`${states[step]?.isKilled ? 'killed' : 'done'}, ${isNew ? 'new' : 'old'}`);
    }
    expect([...seen]).to.have.members(['killed, old', 'killed, new', 'done, new']);
    expect(states.length).to.be.above(15);
    const formers = replaced.map((step) => keptNextTo(states[step]?.at ?? ''));
    for (const ids of await contentsOf(...formers)) expect(ids).to.deep.equal(earlier);
    for (const { at } of states) restoreStore(at, backup);
    for (const ids of await contentsOf(...states.map(({ at }) => at))) expect(ids).to.deep.equal(copied);
  });

  /** Returns the path at which an earlier store is kept. */
  function keptNextTo(file: string): string {
    const name = readdirSync(dirname(file)).find((one) => /restore-[\dTZ-]+$/.test(one));
    return join(dirname(file), name ?? expect.fail(`nothing is kept next to ${file}`));
  }

  for (const call of ['linkSync', 'renameSync'])
    it(`a process that opens the store meanwhile, before ${call}, works on the copy`, async () => {
      const { backup, copied, file, earlier } = await crashed();
      const program = fileURLToPath(new URL('./restoring-process.js', import.meta.url));
      const restoring = spawn(process.execPath, [program, file, backup, call, 'pause'], { stdio: 'pipe' });
      children.push(restoring);
      await once(restoring.stdout, 'data');
      const opening = rest(file);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      restoring.stdin.write('x');
      await once(restoring, 'exit');
      const { child, id } = await opening;
      await kill(child);
      expect(await contentOf(file)).to.have.members([...copied, id]);
      expect(await contentOf(keptNextTo(file))).to.deep.equal(earlier);
    });
});

function becomeFolder(file: string): void {
  rmSync(file);
  mkdirSync(file);
}

function becomeForeign(file: string): void {
  truncateSync(file);
  byHand(file, 'CREATE TABLE songs (title TEXT)');
}

function garble(file: string): void {
  writeFileSync(file, 'This is no database.\n'.repeat(1_000));
}

function cutOff(file: string): void {
  truncateSync(file, 8_192);
}

/** Damages pages, but not the first. */
function damageInside(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0xff, 4_096, 40_960);
  writeFileSync(file, bytes);
}
