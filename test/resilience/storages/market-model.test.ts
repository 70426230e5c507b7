import { expect } from 'chai';
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
  it('knows what was acknowledged', () => {
    const model = new MarketModel(HISTORY, SEQUENCE);
    expect(model.acknowledged).to.deep.equal(['one', 'two', 'three', 'four']);
    expect(model.entries).to.have.members(['of one', 'of two', 'of three', 'of four', 'of two', 'of three']);
  });
});
