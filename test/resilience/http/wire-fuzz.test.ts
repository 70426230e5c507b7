import { expect } from 'chai';
import { randomInt } from 'node:crypto';
import { overMemory } from '../../support/repositories.js';
import { wireFuzz } from '../../integration/http/hostile/wire-fuzz.js';

const COUNT = 1_000;

describe('Damaged requests', () => {
  const seed = randomInt(2 ** 31);
  it(`are answered or closed, and break nothing, ${COUNT} of them (seed ${seed})`, async () => {
    const { figures, violations } = await wireFuzz(COUNT, { repositories: overMemory(), seed });
    expect(violations).to.deep.equal([]);
    expect(figures['4xx']).to.be.greaterThan(COUNT / 5);
  });
});
