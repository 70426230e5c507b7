import { expect } from 'chai';
import { notRun, summaryOf } from '../support/not-run.js';

describe('The end of a test run', () => {
  it('says what was not run, what to set for it, and how many suites it was', () => {
    const [mongo, browser] = ['MongoDB; set MONGODB_URL', 'browser; set CHROMIUM_PATH'];
    const pending = [[notRun('Writers', mongo)], [notRun('The panel', browser)], ['Storages', notRun('Counts', mongo)]];
    const others = [1, 2].map((n) => ['A storage', 'Search', `finds ${n}`]);
    expect(summaryOf([...pending, ...others, ['The disk', 'is full']])).to.deep.equal([
      'NOT RUN: MongoDB; set MONGODB_URL (2 suites)',
      'NOT RUN: browser; set CHROMIUM_PATH (1 suite)',
      'NOT RUN: A storage, Search (2 tests)',
      'NOT RUN: The disk, is full (1 test)',
    ]);
  });

  it('says nothing where everything was run', () => expect(summaryOf([])).to.deep.equal([]));
});
