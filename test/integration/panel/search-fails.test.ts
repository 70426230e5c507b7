import { expect } from 'chai';
import { parseDeveloperId, SCOPES } from '../../../application/index.js';
import type { SearchQuery } from '../../../domain/ports.js';
import { searchFailure } from '../../../domain/search-failure.js';
import { startPanel, type PanelService } from '../../support/panel.js';
import { Visitor } from '../../support/panel-visitor.js';

const ADA = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
const DRAFT = { title: 'Sort my inbox', description: 'Two', price: 3.5, categoryId: 'uncategorized' };

describe('The panel while a search fails', () => {
  let service: PanelService;
  let ada: Visitor;
  beforeEach(async () => {
    service = await startPanel();
    ada = new Visitor(service.url);
    await ada.accept(await service.invite('ada'), 'ada');
    await service.marketplace.createAutomation(ADA, DRAFT);
  });
  afterEach(() => service.close());

  function failing(code: Parameters<typeof searchFailure>[0], fails: (query: SearchQuery) => boolean): void {
    const { search } = service.repositories;
    if (search === undefined) throw new Error('there is no search');
    const searching = search.search.bind(search);
    search.search = (query) => (fails(query) ? Promise.reject(searchFailure(code)) : searching(query));
  }

  for (const [code, sentence] of [
    ['search-incomplete', 'The search is being prepared, so the words were ignored.'],
    ['search-too-slow', 'The search took too long, so the words were ignored.'],
    ['too-many-searches', 'Many people are searching right now, so the words were ignored.'],
  ] as const)
    it(`keeps the list, says why, and logs no error: ${code}`, async () => {
      failing(code, ({ terms }) => terms !== undefined);
      const page = await ada.open('/panel/automations?q=nothing&category=uncategorized');
      expect([page.status, page.headers.get('retry-after')]).to.deep.equal([503, '2']);
      expect(page.body).to.include(DRAFT.title).and.include(sentence).and.include('value="nothing"');
      expect((await ada.open('/panel/automations?category=uncategorized')).status).to.equal(200);
      expect(service.errors).to.deep.equal([]);
    });

  for (const path of ['/panel/automations', '/panel/automations?q=sort', '/panel'])
    it(`says the reason where there is no list without a search, and logs no error: ${path}`, async () => {
      failing('search-too-slow', () => true);
      const page = await ada.open(path);
      expect([page.status, page.headers.get('retry-after')]).to.deep.equal([503, '2']);
      expect(page.body).to.include('The search took too long').and.not.include('storage');
      expect(service.errors).to.deep.equal([]);
      expect(service.logged.join('')).to.include('the search took too long');
    });
});
