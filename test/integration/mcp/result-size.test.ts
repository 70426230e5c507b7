import { expect } from 'chai';
import type { Client } from '@modelcontextprotocol/client';
import { OPERATOR } from '../../../application/index.js';
import { DESCRIPTION, LICENSE, TITLE } from '../../../domain/automation.js';
import { CATEGORY_NAME } from '../../../domain/category.js';
import { WEBSITE } from '../../../domain/public-developer.js';
import { SLUG_MAX_LENGTH } from '../../../domain/slug.js';
import { call, connect, MAX_TOKENS, openMarket, type Market } from './agent.js';

/** What takes most bytes in JSON: four bytes each, and an escape. */
const LONGEST = ['🤖', '"', '\\', '漢', 'e'] as const;

describe('The longest legal texts in answers to agents', () => {
  let market: Market;
  let agent: Client;
  before(async () => {
    market = await openMarket();
    agent = await connect(market.url, await market.key('a'.repeat(SLUG_MAX_LENGTH)));
  });
  after(async () => {
    await agent.close();
    await market.close();
  });

  for (const character of LONGEST)
    it(`leave a page of titles and an automation below ${MAX_TOKENS} tokens: ${character}`, async () => {
      const id = `${character.codePointAt(0)}`.padEnd(SLUG_MAX_LENGTH, 'x');
      await market.core.categories.add(OPERATOR, { id, name: character.repeat(CATEGORY_NAME.maxLength) });
      const title = character.repeat(TITLE.maxLength);
      const description = Array.from({ length: DESCRIPTION.maxLength }, (_, n) =>
        n % 50 === 49 ? ' ' : character,
      ).join('');
      const license = character.repeat(LICENSE.maxLength);
      // An address has no backslash.
      const url = `https://a.example/${(character === '\\' ? '"' : character).repeat(WEBSITE.maxLength - 18)}`;
      const draft = { title, description: description.trim(), price: 99_999_999.99, category_id: id, url, license };
      for (let n = 0; n < 21; n += 1) {
        const created = await call(agent, 'create_automation', { ...draft, idempotency_key: `${id}${n}` });
        expect(created.isError, JSON.stringify(created.json).slice(0, 500)).to.equal(false);
      }
      const page = await call(agent, 'search_automations', { category: id });
      expect(page.json).to.include({ total: 21, page: 1 }).and.to.have.property('data').with.length(20);
      expect(page.bytes).to.be.below(MAX_TOKENS);
      expect((await call(agent, 'list_categories')).bytes).to.be.below(MAX_TOKENS);
      const [first] = page.json['data'] as readonly { readonly id: string }[];
      expect(await wholeDescription(agent, first?.id ?? '')).to.equal(draft.description);
    });

  it('are not cut where they fit', async () => {
    const draft = { title: 't'.repeat(118), description: 'd'.repeat(4_000), price: 1, category_id: 'sales' };
    const { json } = await call(agent, 'create_automation', { ...draft, idempotency_key: 'fits' });
    expect(json).to.include(draft).and.not.to.have.property('description_continues_at');
    const { json: page } = await call(agent, 'search_automations', { category: 'sales' });
    expect(page).to.have.nested.property('data[0].title', draft.title);
  });

  it('have no part behind their end', async () => {
    const draft = { title: 'End', description: '12345', price: 1, category_id: 'sales', idempotency_key: 'end' };
    const { json } = await call(agent, 'create_automation', draft);
    const part = await call(agent, 'get_automation', { id: json['id'], description_from: 4 });
    expect(part.json).to.include({ description: '5' });
    const behind = await call(agent, 'get_automation', { id: json['id'], description_from: 5 });
    expect(behind).to.deep.include({ isError: true }).and.to.have.nested.property('json.code', 'invalid-query');
  });
});

/** Reads a description in as many parts as it has. */
async function wholeDescription(agent: Client, id: string): Promise<string> {
  const parts: string[] = [];
  for (let from: unknown = 0; from !== undefined;) {
    const { json, bytes } = await call(agent, 'get_automation', { id, description_from: from });
    expect(bytes).to.be.below(MAX_TOKENS);
    parts.push(String(json['description']));
    from = json['description_continues_at'];
  }
  expect(parts.length).to.be.above(2);
  return parts.join('');
}
