import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { hasMongo, HOW } from '../../support/mongod.js';
import { newMongoSettings } from '../../support/mongo-storage.js';
import { Workplace, type ServiceProcess, type Settings } from '../../support/process.js';
import { Client } from '../../support/service/client.js';
import { moves, stock } from '../../support/service/moving.js';

const TARGETS: Readonly<Record<string, () => Settings | Promise<Settings>>> = {
  SQLite: () => ({}),
  ...(hasMongo() && { MongoDB: newMongoSettings }),
};

describe('Moving thousands of automations into another store', function () {
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

  if (!hasMongo()) it(`and back, over MongoDB (${HOW})`);

  it('and from there into a third, all three export the same bytes', async () => {
    const { violations, figures } = await moves(3_000, [TARGETS['MongoDB'] ?? (() => ({})), () => ({})]);
    expect(violations).to.deep.equal([]);
    expect(figures['moved']).to.equal(2 * 2_969);
  });

  for (const [storage, settings] of Object.entries(TARGETS))
    it(`into ${storage} goes on when it was killed, while the service runs, and stores nothing twice`, async () => {
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
