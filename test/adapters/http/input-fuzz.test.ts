import { randomInt } from 'node:crypto';
import { STORAGES } from '../../support/service.js';
import { fuzz, OPERATIONS } from './hostile/fuzz.js';

const RUNS = 300;

for (const [storage, open] of Object.entries(STORAGES))
  describe(`Requests made of the contract at random over ${storage}`, () => {
    for (const operation of OPERATIONS) {
      const seed = randomInt(2 ** 31);
      it(`are answered as it says, ${RUNS} right and ${RUNS} wrong of ${operation} (seed ${seed})`, () =>
        fuzz(RUNS, { seed, repositories: open(), operations: [operation] }));
    }
  });
