import { expect } from 'chai';
import { starterCategories } from '../../../composition/service/starter-categories.js';
import { openMongo } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';
import { Visitor } from '../../support/panel-visitor.js';
import { overPostgres } from '../../support/postgres-storage.js';
import { describePostgres } from '../../support/postgres.js';
import { overSqlite } from '../../support/repositories.js';
import { startService } from '../../support/service.js';
import type { OpenStorage } from '../../support/storages.js';

const OFFER = { title: 'Sort my inbox', description: 'Sorts letters.', price: '3.50', categoryId: 'uncategorized' };

/** Goes through panel, API and catalogue. */
function smoke(open: OpenStorage): void {
  it('leads from a link to a sale that is revised and withdrawn, in panel, API and catalogue', async () => {
    const service = await startService({
      repositories: await open(),
      categories: starterCategories(),
      settings: { CATALOGUE: 'public' },
    });
    try {
      const ada = new Visitor(service.url);
      await ada.accept(await service.invite('ada'), 'ada@example.com');
      const key = await ada.createKey('Laptop');
      const search = async (words: string) => {
        const path = `/api/automations?q=${words}&category=uncategorized&sort=price`;
        const answer = await fetch(service.url + path, { headers: { Authorization: `Bearer ${key}` } });
        return (await answer.json()) as { readonly total: number; readonly data: readonly { readonly id: string }[] };
      };
      const catalogue = async () => (await ada.open('/catalogue')).body;

      await ada.open('/panel/automations/new');
      expect((await ada.submit('/panel/automations/new', OFFER)).status).to.equal(303);
      const { total, data } = await search('inbox');
      expect(total).to.equal(1);
      expect(await catalogue()).to.include(OFFER.title);

      const page = `/panel/automations/${data[0]?.id}`;
      const [, basedOn = ''] = /name="basedOn" value="([^"]*)"/.exec((await ada.open(`${page}/revise`)).body) ?? [];
      const revised = { ...OFFER, title: 'Sort my letters', basedOn };
      expect((await ada.submit(`${page}/revise`, revised)).status).to.equal(303);
      expect([(await search('inbox')).total, (await search('letters')).total]).to.deep.equal([0, 1]);

      await ada.open(`${page}/withdraw`);
      expect((await ada.submit(`${page}/withdraw`, { reason: 'Sold out' })).status).to.equal(303);
      expect((await search('letters')).total).to.equal(0);
      expect(await catalogue()).not.to.include('Sort my letters');
      expect((await ada.open('/panel/history')).body).to.include('Sort my letters');
      expect(await service.repositories.check({ repair: false })).to.deep.equal([]);
    } finally {
      await service.close();
    }
  });
}

describe('The whole service on SQLite', () => smoke(() => overSqlite()));

describePostgres('The whole service on PostgreSQL', () => smoke(overPostgres));

describeMongo('The whole service on MongoDB', () => smoke(openMongo));
