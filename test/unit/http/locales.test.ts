import { expect } from 'chai';
import { exactPrice, localeOf, priceText } from '../../../adapters/web/views/locales.js';
import { parseCurrency } from '../../../domain/currency.js';
import { minorUnits } from '../../../domain/price.js';

const price = (count: number, currency = 'USD') => ({
  minorUnits: minorUnits(count),
  currency: parseCurrency(currency),
});

describe('The locale of a visitor', () => {
  it('is the one that the browser prefers', () => {
    expect(localeOf('de-DE,de;q=0.9,en;q=0.8')).to.equal('de-DE');
    expect(localeOf('en;q=0.2, fr-CH ; q=0.9, de;q=0.5')).to.equal('fr-CH');
    expect(localeOf('zh-Hant-TW')).to.equal('zh-Hant-TW');
    expect(localeOf('xx, sv')).to.equal('sv');
    expect(localeOf('de;q=0, it')).to.equal('it');
  });

  it('is American English where the header says nothing, or nonsense', () => {
    const nonsense = [
      '*',
      'xx',
      '-',
      'en-',
      ',,,',
      'de;q=2',
      'de;q=',
      'a'.repeat(9),
      'en-u-nu-thai',
      'de_DE',
      '\u0000',
    ];
    for (const header of [undefined, '', ...nonsense]) expect(localeOf(header), header).to.equal('en-US');
    expect(localeOf(`${'xx,'.repeat(5_000)}de`)).to.equal('en-US');
  });
});

describe('A price', () => {
  it('is written as the locale writes it', () => {
    expect(priceText(price(123_450))).to.equal('$1,234.50');
    expect(priceText(price(123_450), 'de-DE')).to.equal('1.234,50\u00A0$');
    expect(priceText(price(1_234, 'JPY'), 'ja')).to.equal('￥1,234');
    expect(priceText(price(1_234, 'KWD'))).to.equal('KWD\u00A01.234');
    expect(priceText(price(0), 'de-DE')).to.equal('Free');
  });

  it('has the digits of the rest of the page, whatever the locale', () => {
    const own = ['fa', 'ar-EG', 'ar-SA', 'mr', 'bn', 'ne', 'my', 'dz', 'ks', 'ckb', 'ur-IN', 'as', 'sat', 'mni', 'ps'];
    for (const locale of [...own, 'uz-Arab', 'ff-Adlm', 'lrc', 'mzn', 'hi', 'th', 'zh-Hant'])
      expect(
        priceText(price(1_234_567_890), localeOf(locale))
          .match(/\p{Nd}/gu)
          ?.join(''),
        locale,
      ).to.equal('1234567890');
    expect(priceText(price(999), 'mr')).to.equal('$9.99');
  });

  it('is exact for programs', () => {
    expect(
      [price(123_450), price(7), price(12, 'JPY'), price(1, 'KWD'), price(9_999_999_999)].map(exactPrice),
    ).to.deep.equal(['1234.50', '0.07', '12', '0.001', '99999999.99']);
  });
});
