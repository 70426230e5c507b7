import { expect } from 'chai';
import { randomInt } from 'node:crypto';
import { overMemory } from '../../support/repositories.js';
import { fewer } from '../../support/storages.js';
import { wireFuzz } from '../../integration/http/hostile/wire-fuzz.js';

describe('Damaged requests', () => {
  const seed = randomInt(2 ** 31);
  const count = fewer(1_000, 'memory');
  it(`are answered or closed, and break nothing, ${count} of them (seed ${seed})`, async () => {
    const { figures, violations } = await wireFuzz(count, { repositories: overMemory(), seed });
    expect(violations).to.deep.equal([]);
    expect(figures['4xx']).to.be.greaterThan(count / 5);
  });
});
