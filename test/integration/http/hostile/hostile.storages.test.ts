import { expect } from 'chai';
import { randomInt } from 'node:crypto';
import { IS_FULL_LENGTH } from '../../../support/full-length.js';
import { STORAGES } from '../../../support/storages.js';
import type { WireRow } from './row.js';
import { ROWS } from './rows.js';
import { openRun, runBefore, runRows, type Run } from './run.js';
import { shuffled } from './shuffled.js';

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype];
const ownKeys = () => PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype));

/** Returns every row, or a sample of them on MongoDB: what a storage owes is the business of the contract suites. */
function rowsOn(storage: string): readonly WireRow[] {
  return storage === 'MongoDB' ? ROWS.filter((_, n) => n % 8 === 0) : ROWS;
}

describe('Hostile requests', () => {
  const keysBefore = ownKeys();

  it('are at least 200, each with a title of its own', () => {
    expect(ROWS.length).to.be.at.least(200);
    const titles = ROWS.map(({ title }) => title);
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).to.deep.equal([]);
  });

  for (const [storage, open] of Object.entries(STORAGES))
    describe(`over ${storage}`, () => {
      const rows = rowsOn(storage);
      let run: Run;

      beforeEach(async () => {
        run = await openRun(await open());
      });
      afterEach(() => run.service.close());

      it(`get the answers of the contract, ${rows.length} in order`, () => runRows(run, rows));

      if (IS_FULL_LENGTH) {
        const seed = randomInt(2 ** 31);
        it(`get the same answers in any order (seed ${seed})`, () => runRows(run, shuffled(rows, seed)));
      }

      it('leave nothing to execute behind what cannot be read', () =>
        runBefore(
          run,
          rows.filter(({ closes }) => closes),
        ));
    });

  describe('afterwards', () => {
    it('leave the prototypes as they were', () => expect(ownKeys()).to.deep.equal(keysBefore));
  });
});
