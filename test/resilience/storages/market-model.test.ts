import { expect } from 'chai';
import { randomNumbers } from '../../../bench/catalogue.js';
import { Findings } from '../../support/soak-report.js';
import { MarketModel } from './market-model.js';

type Lines = ConstructorParameters<typeof MarketModel>[0];

/** One to five are added in this order; two is withdrawn, and three goes from tools to games. */
const HISTORY: Lines = [
  { id: 'add', began: 1, kind: 'add', added: ['one', 'two', 'three', 'four'].map((name) => added(name)) },
  { id: 'add', ended: 2 },
  { id: 'withdraw', began: 11, kind: 'withdraw', automation: 'two', category: 'tools', entry: 'of two' },
  { id: 'withdraw', ended: 12, isDone: true },
  { id: 'revise', began: 21, kind: 'revise', automation: 'three', category: 'games', entry: 'of three' },
  { id: 'revise', ended: 22, isDone: true },
  { id: 'late', began: 31, kind: 'add', added: [added('five')] },
];
const SEQUENCE = new Map([
  ['one', 1],
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
]);

function added(automation: string) {
  return { automation, category: 'tools', entry: `of ${automation}` };
}

/** Returns what the model finds in one list of ten, from `began` to `began + 1`. */
function wrongIn(began: number, items: string, total: number, query: { category?: string; number?: number } = {}) {
  const list = { kind: 'list', number: 1, limit: 10, ...query } as const;
  const answer = { items: items.split(' ').filter(Boolean), total };
  const lines = [
    { id: 'list', began, ...list },
    { id: 'list', ended: began + 1, ...answer },
  ];
  const findings = new Findings();
  new MarketModel([...HISTORY, ...lines], SEQUENCE).check(findings);
  return findings.violations.map((violation) => violation.slice(violation.indexOf('}: ') + 3));
}

interface Market {
  readonly lines: Lines;
  readonly sequence: ReadonlyMap<string, number>;
}

type Damage = (items: readonly string[]) => readonly string[];

/** What can be wrong with a list that shows all of two or more. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  'the newest is missing': (items) => items.slice(1),
  'the oldest is missing': (items) => items.slice(0, -1),
  'one is missing, and another one twice': (items) => [...items.slice(1), items.at(-1) ?? ''],
  'two have changed places': ([one = '', other = '', ...rest]) => [other, one, ...rest],
  'one that was never stored': (items) => [...items.slice(1), 'never stored'],
  'one too many': (items) => [...items, 'never stored'],
};

/**
 * Returns 800 calls at random, of which each takes effect in the middle of its time. With `overlap` 1 they follow each
 * other; with more, about as many go on at the same time.
 */
function marketAtRandom(overlap: number): Market {
  const random = randomNumbers(overlap);
  const any = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const shelf = new Map<string, string>();
  const withdrawn = new Set<string>();
  const lines: Lines[number][] = [];
  for (let n = 0; n < 800; n += 1) {
    const [id, span] = [`call-${n}`, { began: n - random() * 0.4 * overlap, ended: n + random() * 0.4 * overlap }];
    const begin = { id, began: span.began };
    const end = { id, ended: span.ended };
    const change = { automation: any([...shelf.keys()]), category: any(['tools', 'games']), entry: `of ${n}` };
    const kind = shelf.size < 5 ? 'add' : any(['add', 'revise', 'withdraw', 'list', 'list', 'list', 'list'] as const);
    if (kind === 'list') {
      const category = any([undefined, 'tools', 'games']);
      const onSale = [...shelf.keys()].filter((one) => !withdrawn.has(one)).toReversed();
      const items = onSale.filter((one) => category === undefined || shelf.get(one) === category);
      const page = { kind, number: 1, limit: 1_000, ...(category && { category }) } as const;
      lines.push({ ...begin, ...page }, { ...end, items, total: items.length });
    } else if (kind === 'add') {
      shelf.set(`automation-${n}`, change.category);
      lines.push({ ...begin, kind, added: [{ ...change, automation: `automation-${n}` }] }, end);
    } else {
      const isDone = !withdrawn.has(change.automation);
      if (isDone && kind === 'withdraw') withdrawn.add(change.automation);
      else if (isDone) shelf.set(change.automation, change.category);
      lines.push({ ...begin, kind, ...change }, { ...end, isDone });
    }
  }
  return { lines, sequence: new Map([...shelf.keys()].map((id, n) => [id, n])) };
}

function violationsOf({ lines, sequence }: Market): number {
  const findings = new Findings();
  new MarketModel(lines, sequence).check(findings);
  return findings.figures['violations'] ?? 0;
}

describe('The model of a market', () => {
  it('takes lists of one state', () => {
    expect(wrongIn(5, 'four three two one', 4)).to.deep.equal([]);
    expect(wrongIn(15, 'four three one', 3)).to.deep.equal([]);
    expect(wrongIn(25, 'four one', 2, { category: 'tools' })).to.deep.equal([]);
    expect(wrongIn(25, 'three', 1, { category: 'games' })).to.deep.equal([]);
    expect(wrongIn(25, '', 3, { number: 2 })).to.deep.equal([]);
  });
  it('takes either state while a call goes on', () => {
    for (const items of ['four three two one', 'four three one'])
      expect(wrongIn(11, items, items.split(' ').length)).to.deep.equal([]);
    for (const items of ['five four three one', 'four three one'])
      expect(wrongIn(35, items, items.split(' ').length)).to.deep.equal([]);
  });
  it('finds every wrong list', () => {
    const wrong: readonly (readonly [ReturnType<typeof wrongIn>, string])[] = [
      [wrongIn(15, 'four three two one', 4), 'total 4, not 3 to 3'],
      [wrongIn(5, 'four three two', 4), '3 items of 4'],
      [wrongIn(15, 'four two one', 3), 'an item that cannot be there'],
      [wrongIn(15, 'four three six', 3), 'an item that cannot be there'],
      [wrongIn(15, 'three four one', 3), 'items out of order'],
      [wrongIn(35, 'five four one', 3), 'an item is missing'],
      [wrongIn(11, 'three two one', 3), '0 newer ones, not 1 to 1'],
      [wrongIn(25, 'three', 1, { category: 'tools' }), 'total 1, not 2 to 2'],
    ];
    for (const [found, expected] of wrong) expect(found).to.deep.equal([expected]);
  });
  it('takes every list of a market at random, also while calls go on', () => {
    for (const overlap of [1, 5, 40]) expect(violationsOf(marketAtRandom(overlap)), `overlap ${overlap}`).to.equal(0);
  });
  for (const [damage, change] of Object.entries(DAMAGES))
    it(`finds every list of a market at random in which ${damage}`, () => {
      const market = marketAtRandom(1);
      const isLong = ({ items = [] }: Lines[number]) => items.length > 1;
      const lines = market.lines.map((line) => (isLong(line) ? { ...line, items: change(line.items ?? []) } : line));
      expect(violationsOf({ ...market, lines }))
        .to.equal(market.lines.filter(isLong).length)
        .and.above(300);
    });
  it('finds every list of a market at random whose total is wrong by one', () => {
    const market = marketAtRandom(1);
    const lines = market.lines.map((line) => (line.total === undefined ? line : { ...line, total: line.total + 1 }));
    expect(violationsOf({ ...market, lines }))
      .to.equal(lines.filter(({ total }) => total !== undefined).length)
      .and.above(300);
  });
  it('knows what was acknowledged', () => {
    const model = new MarketModel(HISTORY, SEQUENCE);
    expect(model.acknowledged).to.deep.equal(['one', 'two', 'three', 'four']);
    expect(model.entries).to.have.members(['of one', 'of two', 'of three', 'of four', 'of two', 'of three']);
  });
});
