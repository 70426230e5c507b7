import { expect } from 'chai';
import { LIMIT_BOUNDS, newPage, PAGE_BOUNDS } from '../../../domain/page.js';
import { brokenBy, failureOf } from './failure.js';

describe('a page', () => {
  it('is the first of 25 items, usually', () => {
    expect(newPage({})).to.deep.equal({ number: 1, limit: 25 });
    expect(newPage({ page: undefined, limit: undefined })).to.deep.equal({ number: 1, limit: 25 });
  });

  it('is numbered from 1 to 999,999,999 and has 1 to 100 items', () => {
    expect([PAGE_BOUNDS.lowest, PAGE_BOUNDS.highest, LIMIT_BOUNDS.lowest, LIMIT_BOUNDS.highest]).to.deep.equal([
      1, 999_999_999, 1, 100,
    ]);
    expect(newPage({ page: 999_999_999, limit: 100 })).to.deep.equal({ number: 999_999_999, limit: 100 });
    expect(newPage({ page: 1, limit: 1 })).to.deep.equal({ number: 1, limit: 1 });
  });

  for (const value of [0, -0, -1, 1.5, NaN, Infinity, -Infinity, 1_000_000_000, 2 ** 53])
    it(`is never clamped: ${value}`, async () => {
      expect(await brokenBy(() => newPage({ page: value }))).to.deep.equal(['page: out-of-range']);
      expect(await brokenBy(() => newPage({ limit: value }))).to.deep.equal(['limit: out-of-range']);
    });

  it('has no more than 100 items', async () => {
    expect(await brokenBy(() => newPage({ limit: 101 }))).to.deep.equal(['limit: out-of-range']);
  });

  it('reports both rules at once', async () => {
    const { kind, fields } = await failureOf(() => newPage({ page: 0, limit: 101 }));
    expect(kind).to.equal('invalid');
    expect(fields).to.deep.equal([
      { field: 'page', code: 'out-of-range', detail: 'must be an integer from 1 to 999999999' },
      { field: 'limit', code: 'out-of-range', detail: 'must be an integer from 1 to 100' },
    ]);
  });

  it('cannot be changed', () => {
    expect(newPage({})).to.be.frozen;
  });
});
