import { expect } from 'chai';
import { hostProject } from '../../support/host-project.js';
import { othersOf, PACKAGES } from '../../support/packages.js';
import { newSqliteFile } from '../../support/sqlite-file.js';
import { overMemory } from '../../support/repositories.js';
import { startService } from '../../support/service.js';
import { ask, offer } from '../../integration/http/hostile/ask.js';
import { DRAFT } from '../../integration/http/hostile/row.js';

/** What a process has before and after a host has embedded everything and served a request. */
const EMBEDDING = `
  import 'reflect-metadata';
  import { createServer } from 'node:http';
  const look = () => [
    ...process.eventNames().map((name) => 'listener ' + String(name) + ' ' + process.listenerCount(name)),
    ...Reflect.ownKeys(globalThis).map((key) => 'global ' + String(key)),
    ...[Object, Array, Function, Promise, String, Error].flatMap(({ name, prototype }) =>
      Reflect.ownKeys(prototype).map((key) => name + ' ' + String(key))),
    ...Object.keys(process.env).map((name) => 'variable ' + name),
  ];
  await fetch('data:,');
  const before = look();
  const { Marketplace } = await import('automation-marketplace');
  const memory = await import('automation-marketplace/in-memory');
  const sqlite = await import('automation-marketplace-sqlite');
  await import('automation-marketplace-mongodb');
  await import('automation-marketplace-oauth');
  await import('automation-marketplace-composition');
  const { createHttpApp } = await import('automation-marketplace-http');
  const storage = sqlite.sqliteStorage(process.argv[2]);
  await storage.prepare({ currency: 'USD' });
  const marketplace = new Marketplace(storage.automations, storage.categories);
  const ada = { developerId: 'ada', scopes: ['automations:read'] };
  const verifier = new memory.InMemoryApiKeyVerifier([['secret', ada]]);
  const server = createServer(createHttpApp(marketplace, { verifier }).callback()).listen(0, async () => {
    const url = 'http://127.0.0.1:' + server.address().port + '/api/automations';
    const answer = await fetch(url, { headers: { authorization: 'Bearer secret' } });
    await answer.text();
    const added = look().filter((one) => !before.includes(one));
    console.log(JSON.stringify({ status: answer.status, found: before.length, added }));
    server.close();
    storage.close();
  });
`;

describe('A host that loads the library', () => {
  it('finds its process as it was: no listener, no global, no prototype, no variable is touched', async () => {
    const host = hostProject({ complete: false });
    host.link(othersOf([...PACKAGES.keys()]));
    host.write('embedding.mjs', EMBEDDING);
    const { stdout } = await host.run('embedding.mjs', newSqliteFile());
    host.remove();
    const { found, ...rest } = JSON.parse(stdout) as { status: number; found: number; added: string[] };
    expect(found).to.be.greaterThan(100);
    expect(rest).to.deep.equal({ status: 200, added: [] });
  });

  it('may have two marketplaces, which do not see each other', async () => {
    const [one, other] = [
      await startService({ repositories: overMemory() }),
      await startService({ repositories: overMemory() }),
    ];
    const key = await one.key();
    expect((await offer(one.url, key, DRAFT)).status).to.equal(201);
    expect((await ask(`${other.url}/api/automations`, { key })).status).to.equal(401);
    const { body } = await ask(`${other.url}/api/automations`, { key: await other.key() });
    expect(JSON.parse(body)).to.include({ total: 0 });
    await Promise.all([one.close(), other.close()]);
  });
});
