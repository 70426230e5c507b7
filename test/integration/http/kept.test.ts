import { expect } from 'chai';
import { remembering } from '../../../adapters/http/remembering.js';
import { Texts } from '../../../adapters/http/texts.js';
import { automationId, type Automation } from '../../../domain/automation.js';
import { parseDeveloperId } from '../../../domain/access.js';
import type { CategoryId } from '../../../domain/category.js';
import { parseCurrency } from '../../../domain/currency.js';

const LONG = 'x'.repeat(10_000);

function automation(n: number): Automation {
  const id = automationId(`01900000-0000-7000-8000-${String(n).padStart(12, '0')}`) ?? expect.fail();
  const price = { minorUnits: 1, currency: parseCurrency('USD') };
  return { id, title: 'T', description: LONG, price, categoryId: 'email' as CategoryId, developerId: parseDeveloperId('ada'), createdAt: new Date(0) };
}

describe('What is remembered of a text', () => {
  it('is made once, and at most a thousand are kept', () => {
    let made = 0;
    const work = remembering((text) => ({ text, n: (made += 1) }));
    expect([work('a').n, work('a').n, made]).to.deep.equal([1, 1, 1]);
    for (let n = 0; n < 1_000; n += 1) work(`another ${n}`);
    expect(work('another 999').n).to.equal(1001);
    expect(work('a').n).to.equal(1002);
  });
});

describe('The texts that are kept', () => {
  it('are those of one query and one revision', () => {
    const texts = new Texts();
    const list = { items: [], total: 1, page: { number: 1, limit: 25 }, revision: '1' };
    const first = texts.ofPage(list).body;
    expect(texts.ofPage({ ...list, total: 2 }).body).to.equal(first);
    const others = [
      texts.ofPage({ ...list, total: 2, revision: '2' }),
      texts.ofPage({ ...list, total: 2, page: { number: 3, limit: 25 } }),
      texts.ofPage({ ...list, total: 2 }, 'email'),
    ];
    expect(others.map(({ body }) => JSON.parse(String(body)) as unknown)).to.deep.equal([
      { data: [], total: 2, page: 1 },
      { data: [], total: 2, page: 3 },
      { data: [], total: 2, page: 1 },
    ]);
  });

  it('are made each time for a page without a revision', () => {
    const texts = new Texts();
    const text = (total: number) => JSON.parse(String(texts.ofPage({ items: [], total, page: { number: 1, limit: 25 } }).body)) as unknown;
    expect(text(1)).to.deep.include({ total: 1 });
    expect(text(2)).to.deep.include({ total: 2 });
  });

  it('of automations are 16 MiB at most, the latest', () => {
    const texts = new Texts();
    const first = texts.ofAutomation(automation(0));
    expect(texts.ofAutomation(automation(0))).to.equal(first);
    const fitting = Math.floor((16 * 1024 * 1024) / (first.length ?? expect.fail()));
    for (let n = 1; n < fitting; n += 1) texts.ofAutomation(automation(n));
    expect(texts.ofAutomation(automation(0)), 'kept').to.equal(first);
    texts.ofAutomation(automation(fitting));
    expect(texts.ofAutomation(automation(0)), 'let go').to.not.equal(first);
  });
});
