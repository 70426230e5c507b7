import { expect } from 'chai';
import fc from 'fast-check';
import { parseCurrency } from '../../../domain/currency.js';
import { highestPrice, inMajorUnits, checkPrice, minorUnits } from '../../../domain/price.js';
import { checking } from './failure.js';

const USD = parseCurrency('USD');
const JPY = parseCurrency('JPY');
const KWD = parseCurrency('KWD');
const HIGHEST_CENTS = 9_999_999_999;

const read = (value: unknown, currency = USD) => checking((report) => checkPrice(value, currency, report));
const codes = (value: unknown, currency = USD) => read(value, currency).broken.map(({ code }) => code);
const inMinorUnits = (value: unknown, currency = USD) => {
  const { value: price, broken } = read(value, currency);
  expect(broken, String(value)).to.deep.equal([]);
  return price.minorUnits;
};

describe('a price', () => {
  it('is exact from 0.00 to 1000.00', () => {
    for (let cents = 0; cents <= 100_000; cents += 1) {
      const written = Number(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`);
      const { value, broken } = read(written);
      if (broken.length > 0 || value.minorUnits !== cents || inMajorUnits(value) !== written) expect.fail(`${written}`);
    }
  });

  it('is exact up to the highest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: HIGHEST_CENTS }), (cents) => {
        const written = Number(`${cents}e-2`);
        expect(inMinorUnits(written)).to.equal(cents);
        expect(inMajorUnits({ minorUnits: minorUnits(cents), currency: USD })).to.equal(written);
      }),
      { numRuns: 10_000 },
    );
  });

  it('has at most two decimals', () => {
    const thousandths = fc.integer({ min: 0, max: 99_999_999_989 }).filter((n) => n % 10 !== 0);
    fc.assert(
      fc.property(thousandths, (n) => {
        expect(codes(Number(`${n}e-3`))).to.deep.equal(['invalid-format']);
      }),
      { numRuns: 10_000 },
    );
    for (const value of [
      0.001,
      0.005,
      1.005,
      9.999,
      0.1 + 0.2,
      1e-7,
      Number.MIN_VALUE,
      99_999_999.985,
      0.070000000000001,
    ])
      expect(codes(value), `${value}`).to.deep.equal(['invalid-format']);
  });

  it('is from 0 to 99,999,999.99', () => {
    expect(inMinorUnits(0)).to.equal(0);
    expect(inMinorUnits(99_999_999.99)).to.equal(HIGHEST_CENTS);
    for (const value of [-0.01, -1, -Number.MIN_VALUE, 99_999_999.995, 100_000_000, 1e21, Infinity, -Infinity])
      expect(codes(value), `${value}`).to.deep.equal(['out-of-range']);
    expect(read(-1).broken[0]?.detail).to.equal('must be from 0 to 99999999.99');
  });

  it('is 0 for -0', () => {
    expect(Object.is(inMinorUnits(-0), 0)).to.be.true;
    expect(Object.is(inMajorUnits(read(-0).value), 0)).to.be.true;
  });

  it('is required, and a number', () => {
    expect(codes(undefined)).to.deep.equal(['required']);
    for (const value of [NaN, '1', '9.99', '', null, true, [], [1], {}, 1n, Symbol('1')])
      expect(codes(value), typeof value).to.deep.equal(['wrong-type']);
  });

  it('in yen is whole', () => {
    expect(inMinorUnits(1500, JPY)).to.equal(1500);
    expect(inMajorUnits({ minorUnits: minorUnits(1500), currency: JPY })).to.equal(1500);
    expect(read(1.5, JPY).broken[0]?.detail).to.equal('must be a whole number; JPY has no decimals');
    expect(inMinorUnits(99_999_999, JPY)).to.equal(99_999_999);
    expect(codes(100_000_000, JPY)).to.deep.equal(['out-of-range']);
    expect(highestPrice(JPY)).to.equal(99_999_999);
  });

  it('in dinars has three decimals', () => {
    for (let fils = 0; fils <= 20_000; fils += 1) expect(inMinorUnits(Number(`${fils}e-3`), KWD)).to.equal(fils);
    expect(inMinorUnits(99_999_999.989, KWD)).to.equal(99_999_999_989);
    expect(read(0.0005, KWD).broken[0]?.detail).to.equal('must have at most 3 decimals, as many as KWD has');
  });

  it('is an integer of minor units, with its currency', () => {
    expect(read(0.07)).to.deep.equal({ value: { minorUnits: 7, currency: 'USD' }, broken: [] });
  });

  it('is a whole number of minor units, and no decimal number of major units', () => {
    for (const count of [0, 999, HIGHEST_CENTS]) expect(minorUnits(count)).to.equal(count);
    for (const count of [9.99, Number.NaN, Infinity, 2 ** 53]) expect(() => minorUnits(count)).to.throw(RangeError);
  });
});
