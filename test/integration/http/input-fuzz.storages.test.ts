import { randomInt } from 'node:crypto';
import { fewer, STORAGES } from '../../support/storages.js';
import { fuzz, OPERATIONS } from './hostile/fuzz.js';

const RUNS = 300;

for (const [storage, open] of Object.entries(STORAGES))
  describe(`Requests made of the contract at random over ${storage}`, () => {
    const runs = fewer(RUNS, storage);
    for (const operation of OPERATIONS) {
      const seed = randomInt(2 ** 31);
      it(`are answered as it says, ${runs} right and ${runs} wrong of ${operation} (seed ${seed})`, () =>
        fuzz(runs, { seed, repositories: open(), operations: [operation] }));
    }
  });
