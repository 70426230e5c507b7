import { expect } from 'chai';
import fc from 'fast-check';
import { printable } from '../../../adapters/cli/terminal/printable.js';
import { isBlank, LineSplitter, MAX_LINE_BYTES } from '../../../adapters/cli/transfer/lines.js';

/** The lines of a text that comes in pieces of one size, each as text, or as `long`. */
function split(text: string, pieceSize = 7): readonly string[] {
  const splitter = new LineSplitter();
  const bytes = Buffer.from(text);
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += pieceSize)
    for (const line of splitter.lines(bytes.subarray(start, start + pieceSize)))
      lines.push(line.bytes?.toString() ?? 'long');
  for (const line of splitter.last()) lines.push(line.bytes?.toString() ?? 'long');
  return lines;
}

describe('What is shown on a terminal', () => {
  it('has no character that would change how the rest is shown', () => {
    expect(printable('a\u061c\u200e\u200f\u2066\ud800\u001b')).to.equal('a\\u061c\\u200e\\u200f\\u2066\\ud800\\u001b');
  });
});

describe('LineSplitter', () => {
  it('cuts at line feeds wherever the pieces end, and takes a carriage return before one away', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', ' ') }),
        fc.integer({ min: 1, max: 9 }),
        (text, size) => {
          const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
          if (text === '' || text.endsWith('\n')) lines.pop();
          expect(split(text, size)).to.deep.equal(lines);
        },
      ),
    );
  });

  it('numbers the lines and tells where each ends', () => {
    const splitter = new LineSplitter();
    const lines = [...splitter.lines(Buffer.from('ab\r\n\nc')), ...splitter.last()];
    expect(lines.map(({ number, end }) => [number, end])).to.deep.equal([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
  });

  it('keeps a line of 64 KiB and drops a longer one, whatever its ending', () => {
    for (const ending of ['\n', '\r\n']) {
      const text = ['x'.repeat(MAX_LINE_BYTES), 'y'.repeat(MAX_LINE_BYTES + 1), 'z', ''].join(ending);
      for (const size of [1000, 10_000_000])
        expect(split(text, size).map((line) => line.slice(0, 4))).to.deep.equal(['xxxx', 'long', 'z']);
    }
  });

  it('reads over a line of 1 MiB, and gives up at a longer one', () => {
    const million = 'x'.repeat(1024 * 1024);
    expect(split(`${million}\na\n`, 65_536)).to.deep.equal(['long', 'a']);
    for (const size of [65_536, 10_000_000])
      expect(() => split(`a\n${million}x\na\n`, size)).to.throw('line 2: is longer than 1 MiB');
  });

  it('knows blank lines', () => {
    for (const blank of ['', ' ', '\t', ' \t\r'])
      expect(isBlank({ number: 1, end: 1, bytes: Buffer.from(blank) })).to.be.true;
    for (const filled of ['a', ' a', '\u00a0', '\u0000'])
      expect(isBlank({ number: 1, end: 1, bytes: Buffer.from(filled) })).to.be.false;
  });
});
