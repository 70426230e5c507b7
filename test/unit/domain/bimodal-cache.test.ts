import { expect } from 'chai';
import { BimodalCache } from '../../../domain/bimodal-cache.js';

const MOST = 100;

describe('A bimodal cache', () => {
  let cache: BimodalCache<number>;
  let made: number;
  beforeEach(() => {
    cache = new BimodalCache(MOST);
    made = 0;
  });

  const make = () => (made += 1);
  const keepAll = (names: readonly string[]) => names.map((name) => cache.get(name) ?? cache.keep(name, make));
  const namesOf = (count: number, what = 'page') => Array.from({ length: count }, (_, n) => `${what} ${n}`);
  const kept = (names: readonly string[]) => names.filter((name) => cache.get(name) !== undefined).length;

  it('keeps each value while there is room', () => {
    const names = namesOf(MOST);
    expect(keepAll(names)).to.deep.equal(names.map((_, n) => n + 1));
    expect(names.map((name) => cache.get(name))).to.deep.equal(names.map((_, n) => n + 1));
  });

  it('makes nothing that it does not keep', () => {
    keepAll(namesOf(MOST));
    expect(cache.keep('one more', make)).to.equal(undefined);
    expect(cache.get('one more')).to.equal(undefined);
    expect(made).to.equal(MOST);
  });

  it('keeps most of its values when somebody asks for all that there are', () => {
    keepAll(namesOf(MOST));
    keepAll(namesOf(10 * MOST, 'other'));
    expect(kept(namesOf(MOST))).to.equal(MOST - Math.floor((10 * MOST) / 32));
  });

  it('answers most of those who ask by turns for a little more than it holds', () => {
    const names = namesOf(1.4 * MOST);
    for (let round = 0; round < 20; round += 1) keepAll(names);
    expect(kept(names)).to.equal(MOST);
    expect(made).to.be.below(MOST * 2);
  });

  it('comes to keep what is asked for again and again', () => {
    keepAll(namesOf(MOST));
    for (let time = 0; time < 32; time += 1) keepAll(['asked for again']);
    expect(cache.get('asked for again')).to.equal(MOST + 1);
    expect(kept(namesOf(MOST))).to.equal(MOST - 1);
  });

  it('holds no more than it may', () => {
    const names = namesOf(100 * MOST);
    keepAll(names);
    expect(kept(names)).to.equal(MOST);
  });

  it('has room again when it was cleared', () => {
    keepAll(namesOf(MOST));
    cache.clear();
    expect(kept(namesOf(MOST))).to.equal(0);
    expect(cache.keep('one more', make)).to.equal(MOST + 1);
  });
});
