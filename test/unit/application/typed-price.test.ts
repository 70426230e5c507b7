import { expect } from 'chai';
import { parseCurrency } from '../../../domain/currency.js';
import { typedPrice, typedPricePattern, typedPriceRule } from '../../../application/typed-price.js';

const [USD, JPY, KWD] = ['USD', 'JPY', 'KWD'].map(parseCurrency) as [never, never, never];

describe('A price that a person types', () => {
  it('has a decimal point or a decimal comma', () => {
    for (const [text, price] of [
      ['9.99', 9.99],
      ['9,99', 9.99],
      ['9,9', 9.9],
      ['9', 9],
      ['0', 0],
      ['0,07', 0.07],
      ['007', 7],
      ['99999999,99', 99_999_999.99],
      ['999999999999', 999_999_999_999],
    ] as const)
      expect(typedPrice(text, USD), text).to.equal(price);
  });

  it('may have blanks and invisible marks around it', () => {
    for (const text of [' 9,99 ', '\u00A09.99\u202F', '\uFEFF9.99', '\u200F9,99\u200E', '\u061C9.99\t\r\n'])
      expect(typedPrice(text, USD), JSON.stringify(text)).to.equal(9.99);
  });

  it('stays a text where thousands are separated, so that 1,000 is never sold for 1', () => {
    for (const text of ['1,000', '1.000', '1,234', '1.234,56', '1,234.56', "1'234", '1 234', '1\u00A0234', '1_000'])
      for (const currency of [USD, JPY]) expect(typedPrice(text, currency), text).to.equal(text);
    for (const text of ['1.234,567', '1 234', '1,000,000']) expect(typedPrice(text, KWD), text).to.equal(text);
  });

  it('has no more decimals than its currency', () => {
    expect(typedPrice('9.990', USD)).to.equal('9.990');
    expect(typedPrice('1.500', KWD)).to.equal(1.5);
    expect(typedPrice('1,2345', KWD)).to.equal('1,2345');
    expect(typedPrice('1500', JPY)).to.equal(1500);
    for (const text of ['1500.0', '1500,00', '1.5']) expect(typedPrice(text, JPY), text).to.equal(text);
  });

  it('stays a text with signs, other digits, currencies or exponents', () => {
    const wrong = ['', ' ', '\u200F', '-1', '+1', '\u22121', '-0', '9.', '.99', '9..9', '9,,9', '9,9.9', '1e3', '0x10'];
    const others = ['\u0663', '\u06F9\u066B\u06F9\u06F9', '\uFF19', '9\u066B99', '$9', '9 USD', '9 €', '9\n9', 'NaN'];
    for (const text of [...wrong, ...others, 'Infinity', 'free', '1'.repeat(13), `${'9'.repeat(150_000)}x`])
      expect(typedPrice(text, USD), text.slice(0, 20)).to.equal(text);
  });

  it('is read without delay, however many blanks there are', () => {
    // By the square of them it would be ten seconds and more.
    const began = process.cpuUsage();
    const text = ' '.repeat(150_000);
    for (const wrong of [`${text}x`, `${text}9${text}x`]) expect(typedPrice(wrong, USD)).to.equal(wrong);
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000, 'milliseconds of CPU').to.be.below(2_000);
  });

  it('has a rule in words for each currency', () => {
    const ofTwo = 'must be an amount such as 9.99 or 9,99, with at most 2 decimals and no thousands separators';
    expect(typedPriceRule(USD)).to.equal(ofTwo);
    expect(typedPriceRule(KWD)).to.include('9.999 or 9,999, with at most 3 decimals');
    expect(typedPriceRule(JPY)).to.equal('must be a whole amount such as 10, without thousands separators');
  });

  it('has a pattern that means the same to browsers', () => {
    for (const flags of ['', 'u', 'v'])
      expect(new RegExp(typedPricePattern(USD), flags).exec('\u200F9,99 ')?.[1]).to.equal('9,99');
  });
});
