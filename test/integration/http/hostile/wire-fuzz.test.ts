import { expect } from 'chai';
import { randomInt } from 'node:crypto';
import { overMemory } from '../../../support/repositories.js';
import { wireFuzz } from './wire-fuzz.js';

describe('Damaged requests', () => {
  const seed = randomInt(2 ** 31);
  it(`are answered or closed, and break nothing (seed ${seed})`, async () => {
    const { figures, violations } = await wireFuzz(1_000, { repositories: overMemory(), seed });
    expect(violations).to.deep.equal([]);
    expect(figures['4xx']).to.be.greaterThan(200);
  });
});
