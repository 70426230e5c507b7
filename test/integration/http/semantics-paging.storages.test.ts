import { expect } from 'chai';
import { ofLength } from '../../support/full-length.js';
import { startService, type TestService } from '../../support/service.js';
import { STORAGES } from '../../support/storages.js';
import { inParallel } from './hostile/in-parallel.js';
import { KnownList } from './pages.js';

const ITEMS = 500;
const ALL_LIMITS = Array.from({ length: 100 }, (_, i) => i + 1);
/** Around the size of a block of counts and its parts, and the ends; at full length all. */
const LIMITS = ofLength(ALL_LIMITS, [1, 2, 7, 10, 11, 25, 32, 50, 64, 99, 100]);
const WHOLE = LIMITS.filter((limit) => limit >= 10);
const PARTS = LIMITS.filter((limit) => limit < 10);

for (const [storage, open] of Object.entries(STORAGES))
  describe(`Pages of ${ITEMS} automations over ${storage}`, () => {
    let service: TestService;
    let known: KnownList;

    before(async () => {
      service = await startService({ repositories: open(), now: () => new Date('2026-01-01T00:00:00.000Z') });
      known = new KnownList(service, await service.key());
      await known.fill(ITEMS);
    });
    after(() => service.close());

    it('hold the whole list in order, for limits from 10, though all are of one time', () =>
      inParallel(
        WHOLE.filter((limit) => storage !== 'MongoDB' || limit % 10 === 0),
        (limit) => known.walk(known.ids, limit),
      ));

    it('hold a shorter list in order for limits below 10, and the ends and middle of the whole', () =>
      inParallel(PARTS, async (limit) => {
        await known.walk(known.idsOf['communication'] ?? [], limit, 'category=communication&');
        const last = Math.ceil(ITEMS / limit);
        for (const page of [1, 2, Math.floor(last / 2), last - 1, last, last + 1])
          await known.checkPage(known.ids, page, limit);
      }));

    it('hold the list of a category in order', async () => {
      for (const [category, expected] of Object.entries(known.idsOf))
        await inParallel([7, 25, 99, 100], (limit) => known.walk(expected, limit, `category=${category}&`));
    });

    it('are 25 long when nobody says otherwise', async () => {
      expect((await known.list('')).data.map(({ id }) => id)).to.deep.equal(known.ids.slice(0, 25));
    });

    it('far past the end are empty and have the total', async () => {
      for (const query of ['page=501&limit=1', 'page=999999999', 'page=999999999&limit=100'])
        expect(await known.list(query)).to.deep.include({ data: [], total: ITEMS });
    });

    it('of a filter of nearly 8 KiB have links as long as a client can read them', async () => {
      const headers = { authorization: `Bearer ${await service.key()}` };
      for (const [length, hasLinks] of [
        [3_000, true],
        [8_000, false],
      ] as const) {
        const answer = await fetch(`${service.url}/api/automations?category=${'x'.repeat(length)}`, { headers });
        expect([answer.status, answer.headers.has('link')], String(length)).to.deep.equal([200, hasLinks]);
      }
    });

    it('show each automation at least once while others are added, and never one that is not there', async () => {
      expect(await known.walkWhileItGrows([7, 25, 100], ofLength(200, 50)), 'added').to.be.above(0);
    });
  });
