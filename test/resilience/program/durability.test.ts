import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { catalogue } from '../../support/catalogue.js';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { SETTINGS } from '../../support/servers.js';
import { Client } from '../../support/service/client.js';
import { killRounds } from '../../support/service/kill-rounds.js';

const ROUNDS = 5;

/** Everything that a client can see: each page and the categories with their headers, and some automations in full. */
async function everything(service: ServiceProcess, key: string): Promise<readonly string[]> {
  const client = new Client(service.url, key);
  const seen: string[] = [];
  const see = async (path: string): Promise<string> => {
    const { status, text, headers } = await client.get(path);
    seen.push(JSON.stringify([path, status, text, headers.etag, headers.link]));
    return text;
  };
  await see('/categories');
  await see('/automations?category=ai-agent-development&limit=100&page=2');
  for (let page = 1, rest = Infinity; rest > 0; page += 1) {
    const { data, total } = JSON.parse(await see(`/automations?limit=100&page=${page}`)) as {
      data: { id: string }[];
      total: number;
    };
    for (const { id } of data.filter((_, n) => n % 25 === 0)) await see(`/automations/${id}`);
    rest = total - page * 100;
  }
  client.close();
  return seen;
}

describe('What the service has acknowledged', () => {
  for (const [storage, settings] of Object.entries(SETTINGS))
    it(
      'is there after kill -9 in the midst of creates, once, and every key answers it again, ' + `on ${storage}`,
      async () => {
        const { violations, figures } = await killRounds(ROUNDS, 1, await settings());
        expect(violations).to.deep.equal([]);
        expect(figures).to.include({ rounds: ROUNDS, lost: 0, doubled: 0 });
        expect(figures['interrupted']).to.be.greaterThan(ROUNDS);
      },
    );

  it('is the same to the last byte after a stop and after kill -9, a catalogue of 2,000', async () => {
    const place = await Workplace.open();
    try {
      const items = catalogue();
      writeFileSync(place.path('catalogue.jsonl'), items.map((item) => `${JSON.stringify(item)}\n`).join(''));
      const first = await place.serve();
      const imported = await place.run(['automations', 'import', place.path('catalogue.jsonl'), '--developer', 'ada']);
      expect(imported.stderr).not.to.match(/^line \d/m);
      expect(imported.code).to.equal(0);
      const before = await everything(first, first.firstKey);
      expect(before.length).to.be.greaterThan(100);
      expect(await first.stop()).to.equal(0);
      const second = await place.serve();
      expect(second.firstKey).to.equal('');
      expect(await everything(second, first.firstKey)).to.deep.equal(before);
      await second.kill();
      const third = await place.serve();
      expect(await everything(third, first.firstKey)).to.deep.equal(before);
      expect(await titles(third, first.firstKey)).to.deep.equal(items.map(({ title }) => title).reverse());
    } finally {
      await place.clear();
    }
  });
});

async function titles(service: ServiceProcess, key: string): Promise<readonly string[]> {
  const client = new Client(service.url, key);
  const found: string[] = [];
  for (let page = 1; page <= 20; page += 1)
    found.push(...(await client.list(`?limit=100&page=${page}`)).data.map(({ title }) => title));
  client.close();
  return found;
}
