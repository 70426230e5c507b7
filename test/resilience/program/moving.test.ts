import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { hasMongo, HOW } from '../../support/mongod.js';
import { notRun } from '../../support/not-run.js';
import { hasPostgres, POSTGRES_MISSING } from '../../support/postgres.js';
import { MAIN, Workplace, type ServiceProcess, type Settings } from '../../support/process.js';
import { SETTINGS } from '../../support/servers.js';
import { Client } from '../../support/service/client.js';
import { moves, stock } from '../../support/service/moving.js';

describe('Moving into another store', function () {
  this.timeout(180_000);
  const places: Workplace[] = [];
  const open = async (settings: Settings = {}): Promise<Workplace> => {
    const place = await Workplace.open(settings);
    places.push(place);
    return place;
  };
  afterEach(() => Promise.all(places.splice(0).map((place) => place.clear())));

  const run = async (place: Workplace, ...words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await place.run(words);
    expect(code, `${words.join(' ')}: ${stderr}`).to.equal(0);
    return stdout.trim();
  };
  const clientOf = async (place: Workplace, service: ServiceProcess): Promise<Client> =>
    new Client(service.url, await run(place, 'keys', 'issue', '--developer', 'reader'));

  if (!hasMongo()) it(notRun('and back', HOW));
  if (!hasPostgres()) it(`and back, over PostgreSQL (${POSTGRES_MISSING})`);

  for (const [storage, settings] of Object.entries(SETTINGS))
    describe(`into ${storage}`, () => {
      it('gives the same lists, page by page, and the same automations, date and owner included', async () => {
        const [from, to] = [await open(), await open(await settings())];
        await stock(from, 600);
        for (const kind of ['categories', 'automations']) await run(from, kind, 'export', from.path(kind));
        await run(to, 'categories', 'import', from.path('categories'));
        await run(to, 'automations', 'import', from.path('automations'), '--with-ids');
        const clients = [await clientOf(from, await from.serve()), await clientOf(to, await to.serve())];
        const expectSame = async (path: string): Promise<string> => {
          const [one, other] = await Promise.all(clients.map((client) => client.get(path)));
          expect(other?.text, path).to.equal(one?.text);
          return one?.text ?? '';
        };
        await expectSame('/categories');
        const ids = (await clients[0]?.ids()) ?? [];
        expect(ids).to.have.length(593);
        for (let page = 1; page <= 13; page += 1) await expectSame(`/automations?limit=50&page=${page}`);
        for (const page of [1, 2, 3]) await expectSame(`/automations?category=e-commerce-and-retail&page=${page}`);
        for (const id of ids.filter((_, index) => index % 10 === 0))
          expect(await expectSame(`/automations/${id}`)).to.include(id);
        for (const client of clients) client.close();
      });

      it(
        'out of which it exports while creates run: all that was acknowledged before, each once, ' + 'in order',
        async () => {
          const place = await open(await settings());
          const service = await place.serve();
          writeFileSync(place.path('shelf'), '{"id":"shelf","name":"Shelf"}\n');
          await run(place, 'categories', 'import', place.path('shelf'));
          const client = new Client(service.url, await run(place, 'keys', 'issue', '--developer', 'seller'));
          const acknowledged: string[] = [];
          const over = new AbortController();
          const load = (async () => {
            for (let n = 0; !over.signal.aborted; n += 1) {
              const { status, text } = await client.post({
                title: `N ${n}`,
                description: 'x',
                price: 1,
                category_id: 'shelf',
              });
              expect(status).to.equal(201);
              acknowledged.push((JSON.parse(text) as { id: string }).id);
            }
          })();
          while (acknowledged.length < 50) await setTimeout(10);
          const before = acknowledged.length;
          const lines = (await run(place, 'automations', 'export')).split('\n');
          over.abort();
          await load;
          client.close();
          const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
          expect(ids.length).to.be.at.least(before);
          expect(ids).to.deep.equal(acknowledged.slice(0, ids.length));
        },
      );
    });

  it('has no store in memory to export, and leaves no file', async () => {
    const place = await open({ STORAGE: 'memory' });
    for (const words of [
      ['automations', 'export'],
      ['categories', 'export'],
      ['automations', 'export', place.path('x')],
    ]) {
      const { code, stdout, stderr } = await place.run(words);
      expect([code, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.match(/^With STORAGE=memory the data lives inside .*\n$/);
    }
    expect(existsSync(place.path('x'))).to.equal(false);
  });

  it('an export whose reader has gone ends without an error', async () => {
    const place = await open();
    await stock(place, 8_000);
    const reading = place.begin(['automations', 'export']);
    await once(reading.stdout, 'data');
    reading.stdout.destroy();
    const { code, stderr } = await reading.ended;
    expect([code, stderr]).to.deep.equal([0, '']);
  });

  const FULL = '/dev/full';
  (existsSync(FULL) ? it : it.skip)('says so in one line when an export finds the disk full', async () => {
    const place = await open();
    await stock(place, 100);
    const full = openSync(FULL, 'w');
    const child = spawn(process.execPath, [MAIN, 'automations', 'export'], {
      env: place.environment,
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    let stderr = '';
    child.stderr?.on('data', (text) => (stderr += String(text)));
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).to.equal(1);
    expect(stderr).to.match(/^standard output cannot be written: .*ENOSPC.*\n$/);
  });

  for (const [storage, settings] of Object.entries(SETTINGS))
    it(`into ${storage} and from there into a third, all three export the same bytes`, async () => {
      const { violations, figures } = await moves(3_000, [settings, () => ({})]);
      expect(violations).to.deep.equal([]);
      expect(figures['moved']).to.equal(2 * 2_969);
    });

  for (const [storage, settings] of Object.entries(SETTINGS))
    it(`into ${storage} goes on after a kill, while the service runs, and stores nothing twice`, async () => {
      const [from, to] = [await open(), await open(await settings())];
      const onSale = await stock(from, 12_000);
      for (const kind of ['categories', 'automations']) await run(from, kind, 'export', from.path(kind));
      await run(to, 'categories', 'import', from.path('categories'));
      const client = await clientOf(to, await to.serve());
      const words = ['automations', 'import', from.path('automations'), '--with-ids'];
      const importing = to.begin(words);
      while ((await client.total()) === 0) await setTimeout(5);
      importing.kill();
      expect((await importing.ended).code).to.equal(null);
      const stored = await client.total();
      expect(stored).to.be.within(1, onSale - 1);
      const [, read, more, there, failed] =
        /^(\d+) lines read, (\d+) stored, (\d+) already there, (\d+) failed/
          .exec(await run(to, ...words))
          ?.map(Number) ?? [];
      expect([read, failed]).to.deep.equal([onSale, 0]);
      expect(there).to.be.at.least(stored);
      expect(Number(more) + Number(there)).to.equal(onSale);
      expect(await client.total()).to.equal(onSale);
      client.close();
      await run(to, 'automations', 'export', to.path('again'));
      expect(readFileSync(to.path('again')).equals(readFileSync(from.path('automations')))).to.be.true;
    });
});
