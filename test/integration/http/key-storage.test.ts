import { expect } from 'chai';
import Libsql from 'libsql';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { overMemory, overSqlite } from '../../support/repositories.js';
import { startService, type TestService } from '../../support/service.js';
import { Client, draft } from '../../support/service/client.js';
import { allKeys } from '../../contracts/keys.js';
import { OPERATOR } from '../../../domain/access.js';

const KEYS = 100;

/** Makes keys, uses some, rotates some and revokes some; every text that there ever was. */
async function useKeys(service: TestService): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let n = 0; n < KEYS; n += 1) {
    const { text, key } = await service.keys.issue(OPERATOR, { developer: `developer-${n % 7}`, name: `Key ${n}` });
    texts.push(text);
    const client = new Client(service.url, text);
    await client.post(draft(n), `create-${n}`);
    client.close();
    if (n % 10 === 0) texts.push((await service.keys.rotate(OPERATOR, key.id)).text);
    if (n % 10 === 5) await service.keys.revoke(OPERATOR, key.id);
  }
  return texts;
}

function expectNoKeyIn(dump: string, texts: readonly string[]): void {
  for (const text of texts) {
    expect(dump.includes(text), 'a raw key').to.equal(false);
    expect(dump.includes(text.slice(4, 34)), 'the random part of a key').to.equal(false);
    expect(dump.includes(Buffer.from(text).toString('base64').slice(8, 40)), 'a key in base64').to.equal(false);
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('Of an API key is kept', () => {
  it('only its SHA-256, in every table and every byte of the SQLite file and its log', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'marketplace-keys-'));
    const file = join(folder, 'store.db');
    const service = await startService({ repositories: overSqlite(file) });
    try {
      const texts = await useKeys(service);
      const files = readdirSync(folder);
      expect(files).to.include('store.db-wal');
      for (const name of files) expectNoKeyIn(readFileSync(join(folder, name)).toString('latin1'), texts);
      const rows = everyRow(file);
      expectNoKeyIn(rows, texts);
      for (const text of texts) expect(rows.includes(hashOf(text)), 'the hash').to.equal(true);
    } finally {
      await service.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('only its SHA-256, in memory', async () => {
    const repositories = overMemory();
    const service = await startService({ repositories });
    const texts = await useKeys(service);
    const kept = inspect(await allKeys(repositories.keys), { depth: null, maxArrayLength: null });
    await service.close();
    expectNoKeyIn(kept, texts);
    for (const text of texts) expect(kept.includes(hashOf(text)), 'the hash').to.equal(true);
  });
});

function everyRow(file: string): string {
  const database = new Libsql(file, { readonly: true });
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).raw().all() as [string][];
  expect(tables.flat()).to.include.members(['api_keys', 'automations', 'settings']);
  const rows = tables.map(([name]) => JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).raw().all()));
  database.close();
  return rows.join('\n');
}
