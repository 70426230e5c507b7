import { expect } from 'chai';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ON_TERMINAL, Workplace, type ServiceProcess } from '../../support/process.js';
import { Client, draft } from '../../support/service/client.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** A storage in memory whose derived data can be wrong, made of parts of the package. */
const MY_STORE = `
import { DomainError } from 'automation-marketplace';
import { inMemoryStorage } from 'automation-marketplace/in-memory';
import { appendFileSync, writeFileSync } from 'node:fs';

export default async function open({ currency, search, dataDir, env }) {
  writeFileSync(dataDir + '/settings.json', JSON.stringify({ currency, search, mine: env.MY_VARIABLE }));
  const storage = inMemoryStorage();
  let wrong = Number(env.WRONG ?? 0);
  await storage.prepare({ currency, address: env.RECORDED });
  return {
    ...storage,
    prepare: async (settings) => {
      if (env.AWAY) throw new DomainError('unavailable', 'store-unavailable', 'my database is away');
      appendFileSync(dataDir + '/prepared', JSON.stringify(settings) + ' ');
      return storage.prepare(settings);
    },
    check: async ({ repair }) => {
      const differences = Array.from({ length: wrong }, () => ({ description: 'one too many', repaired: repair }));
      if (repair) wrong = 0;
      return differences;
    },
  };
}`;

const LACKING = `
import { inMemoryStorage } from 'automation-marketplace/in-memory';
export default async () => ({ ...inMemoryStorage(), archive: undefined, search: true, auditLog: null, check: true });`;

describe('The service on a storage of its own', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.open({ ...ON_TERMINAL, STORAGE: './my-store.js', MY_VARIABLE: 'mine', CURRENCY: 'EUR' });
    mkdirSync(place.path('node_modules'));
    symlinkSync(join(ROOT, 'dist/packages/automation-marketplace'), place.path('node_modules/automation-marketplace'));
    write('package.json', '{ "type": "module" }');
    write('my-store.js', MY_STORE);
  });
  afterEach(() => place.clear());

  function write(name: string, text: string): void {
    writeFileSync(place.path(name), text);
  }

  it('sells, with panel, metrics and readiness, and hands it its settings', async () => {
    const service = await place.serve();
    const client = new Client(service.url, service.firstKey);
    expect((await client.post(draft(1, { category_id: 'uncategorized' }))).status).to.equal(201);
    expect(await client.total()).to.equal(1);
    client.close();
    const statusOf = async (path: string) => (await fetch(service.url + path)).status;
    expect(await Promise.all(['/readyz', '/panel', '/docs'].map(statusOf))).to.deep.equal([200, 200, 200]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).to.include('marketplace_automations_on_sale{category="uncategorized"} 1');
    expect(service.firstLink).to.match(/\/panel\/welcome\//);
    const settings: unknown = JSON.parse(readFileSync(place.path('settings.json'), 'utf8'));
    expect(settings).to.deep.equal({ currency: 'EUR', search: true, mine: 'mine' });
    expect(await service.stop()).to.equal(0);
  });

  it('repairs it soon after the start, logs what differed and counts it', async () => {
    const service = await place.serve({ WRONG: '3' });
    const line = await logged(service, 'derived data differed from the automations');
    expect(line).to.include({ level: 40, count: 3 });
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).to.include('\nmarketplace_store_differences_total 3\n');
    expect(await service.stop()).to.equal(0);
  });

  it('prepares it once with the currency, and again only to record another address', async () => {
    const prepared = async (settings: Readonly<Record<string, string>>) => {
      writeFileSync(place.path('prepared'), '');
      const service = await place.serve({ PUBLIC_URL: 'https://market.example', ...settings });
      expect(await service.stop()).to.equal(0);
      return readFileSync(place.path('prepared'), 'utf8');
    };
    expect(await prepared({ RECORDED: 'https://market.example' })).to.equal('{"currency":"EUR"} ');
    expect(await prepared({ RECORDED: 'https://old.example' })).to.equal(
      '{"currency":"EUR"} {"address":"https://market.example"} ',
    );
  });

  it('listens and is not ready while the storage is out of reach', async () => {
    const service = await place.serve({ AWAY: 'yes' });
    expect((await fetch(`${service.url}/readyz`)).status).to.equal(503);
    await logged(service, 'the service starts without its store, and tries again every second');
    expect(await service.stop()).to.equal(0);
  });

  it('finds in it by words, unless SEARCH is off, which it is told', async () => {
    expect(await findings(await place.serve())).to.deep.equal([200, 1]);
    expect(await findings(await place.serve({ SEARCH: 'off' }))).to.deep.equal([400, undefined]);
    const settings: unknown = JSON.parse(readFileSync(place.path('settings.json'), 'utf8'));
    expect(settings).to.deep.include({ search: false });
    const { code, stderr } = await place.run(['automations', 'list', '--search', 'mail'], { SEARCH: 'off' });
    expect([code, stderr.includes('--search needs SEARCH=on')]).to.deep.equal([2, true]);
    expect((await place.run(['automations', 'list', '--search', 'mail'])).code).to.equal(0);
  });

  it('has the commands', async () => {
    const { code, stdout } = await place.run(['keys', 'issue', '--developer', 'ada']);
    expect([code, stdout.slice(0, 4)]).to.deep.equal([0, 'amk_']);
    expect((await place.run(['check'], { WRONG: '1' })).code).to.equal(1);
    expect((await place.run(['check', '--repair'], { WRONG: '1' })).code).to.equal(0);
    const { code: failed, stderr } = await place.run(['backup', place.path('copy')]);
    expect([failed, stderr]).to.deep.equal([
      1,
      'backup copies an SQLite store; other databases have their own tools, such as pg_dump and mongodump\n',
    ]);
  });

  for (const [what, text, message] of [
    ['a file that is missing', undefined, /^ {2}STORAGE must name a file that can be read$/m],
    ['no default export', 'export const open = 1;', /^STORAGE names a module without a default export that is a func/],
    ['a mistake in it', 'export default (', /^STORAGE names a module that cannot be loaded: SyntaxError: .+\n$/],
    ['a storage that lacks ports', LACKING, /whose storage lacks archive, auditLog, check, search\n$/],
    ['no storage', 'export default async () => undefined;', /lacks supports, automations, archive, .*, close\n$/],
    ['a reason of its own', `export default () => Promise.reject(Error('MY_URL?'));`, /^MY_URL\?\n$/],
  ] as const)
    it(`does not start with ${what}, and says so`, async () => {
      write('my-store.js', text ?? '');
      const settings = text === undefined ? { STORAGE: './missing.js' } : {};
      const { code, stdout, stderr } = await place.run(['serve'], settings);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.match(message);
    });
});

/** Publishes an automation and looks for it: the status, and how many were found. */
async function findings(service: ServiceProcess): Promise<readonly [number, number | undefined]> {
  const client = new Client(service.url, service.firstKey);
  await client.post(draft(1, { category_id: 'uncategorized', title: 'Sorts mail' }));
  client.close();
  const headers = { Authorization: `Bearer ${service.firstKey}` };
  const response = await fetch(`${service.url}/api/automations?q=SORTS+mai`, { headers });
  const { total } = (await response.json()) as { readonly total?: number };
  await service.stop();
  return [response.status, total];
}

/** Waits for a line of the log. */
async function logged(service: ServiceProcess, msg: string): Promise<Readonly<Record<string, unknown>>> {
  for (;;) {
    const lines = service.logged().map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const line = lines.find((candidate) => candidate['msg'] === msg);
    if (line !== undefined) return line;
    await setTimeout(50);
  }
}
