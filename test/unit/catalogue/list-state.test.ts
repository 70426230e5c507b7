import { expect } from 'chai';
import { parseCurrency } from '../../../domain/currency.js';
import { isFiltered, queryOf, requestOf, stateIn, without } from '../../../adapters/catalogue/list-state.js';

const stateOf = (query: string) => stateIn(new URLSearchParams(query));
const asked = (query: string) => requestOf(stateOf(query), parseCurrency('USD'));
const PAGE = { page: 1, limit: 24 };

describe('The address of a list', () => {
  it('counts empty fields as absent', () => {
    expect(asked('')).to.deep.equal(PAGE);
    expect(asked('q=&category=&platform=&price_min=&price_max=+&free=&sort=&page=&other=1')).to.deep.equal(PAGE);
    expect(queryOf(stateOf('q=+&category=&price_min=&sort='))).to.equal('');
  });

  it('says all that is asked for, in one order', () => {
    const query = 'page=3&sort=price&price_max=9.99&price_min=1&platform=n8n&category=crm&q=two+words';
    expect(asked(query)).to.deep.equal({
      q: 'two words',
      category: 'crm',
      sort: 'price',
      platform: 'n8n',
      priceMin: 1,
      priceMax: 9.99,
      page: 3,
      limit: 24,
    });
    const address = 'q=two+words&category=crm&platform=n8n&price_min=1&price_max=9.99&sort=price&page=3';
    expect(queryOf(stateOf(query))).to.equal(address);
    expect(queryOf(stateOf(address))).to.equal(address);
    const rest = 'category=crm&platform=n8n&price_min=1&price_max=9.99';
    expect(queryOf(without(stateOf(address), 'q', 'sort'))).to.equal(rest);
  });

  it('sets both ends of the price range to 0 for what is free', () => {
    expect(asked('free=1&price_min=5&price_max=abc')).to.deep.equal({ ...PAGE, priceMin: 0, priceMax: 0 });
    expect(queryOf(stateOf('free=on&price_min=5'))).to.equal('free=1');
  });

  it('is not narrowed to what is free by a value that says no', () => {
    for (const no of ['0', 'false', 'off', 'no', 'x', '01'])
      expect(asked(`free=${no}&price_min=5`), no).to.deep.equal({ ...PAGE, priceMin: 5 });
    for (const yes of ['1', 'on', 'true', 'yes'])
      expect(asked(`free=${yes}&price_min=5`), yes).to.deep.equal({ ...PAGE, priceMin: 0, priceMax: 0 });
  });

  it('orders by the best match where there are words, unless another order is asked for', () => {
    expect(asked('q=x')).to.include({ sort: 'best' });
    expect(asked('q=x&sort=best')).to.include({ sort: 'best' });
    expect(asked('q=x&sort=newest')).to.include({ sort: 'newest' });
    expect(asked('sort=best')).to.deep.equal(PAGE);
    expect(asked('q=+&sort=best')).to.deep.equal(PAGE);
  });

  it('reads numbers with a point or a comma, and leaves what is none to be reported', () => {
    for (const [text, value] of [
      ['9.5', 9.5],
      ['9,50', 9.5],
      ['0', 0],
      ['1,000', '1,000'],
      ['-1', '-1'],
      ['1e3', '1e3'],
      ['0x1', '0x1'],
    ] as const)
      expect(asked(`price_min=${text}`)).to.deep.equal({ ...PAGE, priceMin: value });
  });

  it('begins at the first page where the number is wrong', () => {
    for (const page of ['0', '-1', '1.5', 'abc', '1e3', '9999999999'])
      expect(asked(`page=${page}`), page).to.deep.equal(PAGE);
  });

  it('takes the first of a repeated parameter', () => {
    expect(asked('category=a&category=b')).to.include({ category: 'a' });
  });

  it('is for search engines unless it narrows or orders more than by category', () => {
    for (const query of ['', 'page=2', 'category=crm', 'category=crm&page=2'])
      expect(isFiltered(stateOf(query)), query).to.be.false;
    for (const query of [
      'q=x',
      'platform=n8n',
      'price_min=1',
      'price_max=1',
      'free=1',
      'sort=price',
      'category=crm&sort=price',
    ])
      expect(isFiltered(stateOf(query)), query).to.be.true;
  });
});
