import { expect } from 'chai';
import { decimalsOf, parseCurrency } from '../../../domain/currency.js';
import { brokenBy, failureOf } from './failure.js';

describe('a currency', () => {
  for (const [code, decimals] of [
    ['USD', 2],
    ['EUR', 2],
    ['CHF', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['CLP', 0],
    ['KWD', 3],
    ['TND', 3],
  ] as const)
    it(`${code} has ${decimals} decimals`, () => {
      expect(decimalsOf(parseCurrency(code))).to.equal(decimals);
    });

  it('is one that Intl knows, with three capital letters', () => {
    const known = new Set(Intl.supportedValuesOf('currency'));
    const ours = Array.from(known).filter((code) => {
      try {
        return parseCurrency(code) === code;
      } catch {
        return false;
      }
    });
    expect(ours.length).to.be.within(140, 170);
  });

  for (const text of [
    '',
    'usd',
    'Usd',
    'US',
    'USDX',
    ' USD',
    'USD\n',
    'XXX',
    'XAU',
    'XTS',
    'DEM',
    'HRK',
    'constructor',
  ])
    it(`is not ${JSON.stringify(text)}`, async () => {
      expect(await brokenBy(() => parseCurrency(text))).to.deep.equal(['currency: unknown-value']);
    });

  it('is named when it is refused', async () => {
    expect((await failureOf(() => parseCurrency('usd'))).code).to.equal('unknown-currency');
  });
});
