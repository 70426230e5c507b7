import { expect } from 'chai';
import type { IncomingMessage } from 'node:http';
import { Lines } from '../../../adapters/http/lines.js';

const REQUEST = {} as IncomingMessage;
const ADDRESS = '192.0.2.1';

describe('The lines of those who wait', () => {
  let lines: Lines;
  const lineOf = (shown: string) => lines.of(REQUEST, shown);
  beforeEach(() => {
    lines = new Lines(() => ADDRESS);
  });

  it('are one for each owner, whatever they show, and one for all others of an address', () => {
    lines.note('one', () => 'ada');
    lines.note('another', () => 'ada');
    lines.note('third', () => 'bob');
    expect(['one', 'another', 'third', 'fourth', ''].map(lineOf)).to.deep.equal(['ada', 'ada', 'bob', ADDRESS, ADDRESS]);
  });

  it('are remembered of 10,000 credentials, the latest, and of none that is longer than 2,048 characters', () => {
    for (let n = 0; n <= 10_000; n += 1) lines.note(`key ${n}`, () => 'ada');
    expect(['key 0', 'key 1', 'key 10000'].map(lineOf)).to.deep.equal([ADDRESS, 'ada', 'ada']);
    for (const length of [2_048, 2_049]) lines.note('x'.repeat(length), () => 'ada');
    expect([2_048, 2_049].map((length) => lineOf('x'.repeat(length)))).to.deep.equal(['ada', ADDRESS]);
  });
});
