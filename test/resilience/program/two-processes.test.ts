import { expect } from 'chai';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { SETTINGS } from '../../support/servers.js';
import { Client } from '../../support/service/client.js';
import { creates, countIn, duplicates, revocation } from '../../support/service/two-processes.js';

/** Of each of the processes. */
const CACHE_SECONDS = [1, 0];

for (const [storage, settings] of Object.entries(SETTINGS))
  describe(`Two processes on one store in ${storage}`, () => {
    let place: Workplace;
    let services: readonly ServiceProcess[];
    let key = '';

    before(async () => {
      place = await Workplace.open(await settings());
      services = await Promise.all(CACHE_SECONDS.map((seconds) => place.serve({ KEY_CACHE_SECONDS: String(seconds) })));
      key = services.map(({ firstKey }) => firstKey).join('');
    });
    after(() => place.clear());

    it('that start at once on an empty store print one key, which opens both', async () => {
      expect(services.filter(({ firstKey }) => firstKey !== '')).to.have.length(1);
      for (const { url } of services) {
        const client = new Client(url, key);
        expect((await client.categories()).total).to.equal(16);
        client.close();
      }
    });

    it('store each create once, and lose nothing', async () => {
      const { violations, figures } = await creates(services, key, 25, countIn(place));
      expect(violations).to.deep.equal([]);
      expect(figures['acknowledged']).to.equal(150);
    });

    it('store once what both are sent at once', async () => {
      const { violations, figures } = await duplicates(services, key, { keys: 10, sends: 30 });
      expect(violations).to.deep.equal([]);
      expect(figures).to.include({ stored: 10 });
    });

    it(
      'honour a key that another has revoked for KEY_CACHE_SECONDS at most, ' + 'and not at all when that is 0',
      async () => {
        const served = services.map((service, n) => ({ service, seconds: CACHE_SECONDS[n] ?? 0 }));
        const { violations, figures } = await revocation(place, served, 50);
        expect(violations).to.deep.equal([]);
        expect(figures['late at 0 s']).to.equal(0);
      },
    );
  });
