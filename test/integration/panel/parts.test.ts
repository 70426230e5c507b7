import { expect } from 'chai';
import { cursorPages, positionIn } from '../../../adapters/web/pager.js';
import { day, fromNow, moment } from '../../../adapters/web/views/times.js';
import { priceText } from '../../../adapters/web/views/locales.js';
import { decimalsOf, parseCurrency, type Currency } from '../../../domain/currency.js';
import { minorUnits } from '../../../domain/price.js';

const cursor = (n: number) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;
const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const CURRENCIES = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => a + b + c))).filter(isCurrency);

describe('The addresses of a long list', () => {
  it('lead back the way that was come, for 20 pages, and then to the start', () => {
    let address = '/list';
    const open = (next?: string) =>
      cursorPages('/list', positionIn(new URLSearchParams(address.split('?')[1] ?? '')), {
        items: [],
        ...(next && { next }),
      });
    for (let n = 1; n <= 30; n += 1) address = open(cursor(n)).next ?? '';
    expect(address.length).to.be.lessThan(1_000);
    for (let n = 29; n >= 10; n -= 1) {
      address = open().previous ?? '';
      expect(address).to.include(`before=${cursor(n)}`);
    }
    expect(open().previous).to.equal('/list');
    expect(open().next).to.equal(undefined);
  });

  it('stay short, also on a way past long names', () => {
    const name = 'x'.repeat(700);
    const place = { before: name, trail: [cursor(1), name] };
    expect(cursorPages('/list', place, { items: [], next: cursor(2) }).next).to.equal(
      `/list?before=${cursor(2)}&trail=${name}`,
    );
  });

  it('are of ours, whatever stands in the address that was asked for', () => {
    const place = positionIn(new URLSearchParams({ before: '"><b>', trail: `"x".${cursor(1)}.<b>` }));
    expect(place).to.deep.equal({ trail: [cursor(1)] });
    expect(cursorPages('/list', place, { items: [], next: cursor(2) })).to.deep.equal({
      next: `/list?before=${cursor(2)}&trail=${cursor(1)}`,
    });
  });
});

describe('Times and prices on a page', () => {
  const at = new Date('2026-03-04T05:06:07.890Z');
  const after = (milliseconds: number) => fromNow(new Date(at.getTime() + milliseconds), at).text;

  it('are as people read them, and as programs do', () => {
    expect(moment(at)).to.deep.equal({
      iso: '2026-03-04T05:06:07.890Z',
      text: '4 Mar 2026, 05:06 UTC',
      full: '4 Mar 2026, 05:06 UTC',
    });
    expect(day(at).text).to.equal('4 Mar 2026 UTC');
  });

  it('are told by their distance', () => {
    const [minute, hour, days] = [60_000, 3_600_000, 86_400_000];
    expect(
      [-1, 0, 1, -minute, -59 * minute, -hour, -23 * hour, -days, -2 * days, 7 * days - 1].map(after),
    ).to.deep.equal([
      'just now',
      'just now',
      'in a moment',
      '1 minute ago',
      '59 minutes ago',
      '1 hour ago',
      '23 hours ago',
      'yesterday',
      '2 days ago',
      'in 7 days',
    ]);
  });

  it('have their currency, with as many decimals as it has', () => {
    const text = (count: number, currency: string) =>
      priceText({ minorUnits: minorUnits(count), currency: parseCurrency(currency) });
    expect([text(0, 'USD'), text(990, 'USD'), text(1200, 'JPY'), text(1500, 'KWD')]).to.deep.equal([
      'Free',
      '$9.90',
      '¥1,200',
      'KWD\u00A01.500',
    ]);
  });

  it('are shown to the last decimal in every currency', () => {
    const shown = CURRENCIES.map((currency) => {
      const price = { minorUnits: minorUnits(9 * 10 ** decimalsOf(currency) + 1), currency };
      return `${currency} ${/[\d.]+$/.exec(priceText(price))?.[0]}`;
    });
    expect(CURRENCIES.length).to.be.above(150);
    expect(shown).to.deep.equal(
      CURRENCIES.map((code) => `${code} ${['10', '9.1', '9.01', '9.001'][decimalsOf(code)]}`),
    );
  });
});

function isCurrency(code: string): code is Currency {
  try {
    return parseCurrency(code) === code;
  } catch {
    return false;
  }
}
