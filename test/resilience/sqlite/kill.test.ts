import { expect } from 'chai';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { SqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { GAMES, numbers } from '../../contracts/offers.js';
import { Stores } from '../../integration/sqlite/stores.js';
import type { Acknowledged } from './writing-process.js';

const KILLS = 4;
const WRITES_BEFORE_A_KILL = 60;

describe('An SQLite store whose processes are killed while they write', () => {
  const stores = new Stores();
  afterEach(() => stores.close());

  function begin(file: string, acknowledged: Map<string, Acknowledged>, entries: Set<string>): ChildProcess {
    const child = fork(new URL('./writing-process.js', import.meta.url), [file]);
    child.on('message', (message: Acknowledged) => {
      acknowledged.set(message.id, message);
      entries.add(message.entry);
    });
    return child;
  }

  async function assertKept(storage: SqliteStorage, acknowledged: Iterable<Acknowledged>): Promise<void> {
    for (const { id, state } of acknowledged) {
      const found = (await storage.archive.findAny(id)) ?? expect.fail(`${id} is missing`);
      if (state === 'withdrawn') expect(found.withdrawn, id).not.to.equal(undefined);
      if (state === 'revised') expect(found.automation.categoryId, id).to.equal(GAMES);
      const { file } = found.automation;
      const bytes = await storage.automations.readFile(id);
      expect(bytes?.length, id).to.equal(found.withdrawn ? undefined : file?.size);
    }
  }

  async function entriesOf({ auditLog }: SqliteStorage): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (let part = await auditLog.list({ limit: 1_000 }); part.length > 0;) {
      for (const { id } of part) ids.add(id);
      const last = part.at(-1) ?? expect.fail();
      part = await auditLog.list({ limit: 1_000, before: last.id });
    }
    return ids;
  }

  it('has all that was acknowledged, with files, audit entries and right counts; the others go on', async () => {
    const file = stores.newFile();
    const acknowledged = new Map<string, Acknowledged>();
    const entries = new Set<string>();
    const survivor = begin(file, acknowledged, entries);
    for (const kill of numbers(KILLS)) {
      const victim = begin(file, acknowledged, entries);
      for (let seen = 0; seen < WRITES_BEFORE_A_KILL + kill; seen += 1) await once(victim, 'message');
      victim.kill('SIGKILL');
      await once(victim, 'exit');
      await once(survivor, 'message');
    }
    survivor.kill('SIGKILL');
    await once(survivor, 'exit');
    const storage = stores.storage(file);
    expect(acknowledged.size).to.be.above(KILLS * 20);
    await assertKept(storage, acknowledged.values());
    const kept = await entriesOf(storage);
    expect([...entries].filter((id) => !kept.has(id))).to.deep.equal([]);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
  });
});
