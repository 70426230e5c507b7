import { expect } from 'chai';
import fc from 'fast-check';
import { printable } from '../../../adapters/cli/terminal/printable.js';
import { MAX_LINE_BYTES, MAX_SKIPPED_BYTES, readLines, type Line } from '../../../adapters/cli/transfer/lines.js';

/** Reads a file that comes in pieces of one size. */
async function read(content: string | Uint8Array, pieceSize = 7): Promise<readonly Line[]> {
  const bytes = Buffer.from(content);
  const pieces = (async function* () {
    for (let start = 0; start < bytes.length; start += pieceSize) yield bytes.subarray(start, start + pieceSize);
  })();
  const lines: Line[] = [];
  for await (const part of await readLines(pieces)) lines.push(...part);
  return lines;
}

/** The lines of a file, each as text, or as `long`. */
async function split(content: string | Uint8Array, pieceSize = 7): Promise<readonly string[]> {
  return (await read(content, pieceSize)).map(({ bytes }) => (bytes instanceof Error ? 'long' : bytes.toString()));
}

const refusalOf = (content: string | Uint8Array, pieceSize?: number) =>
  read(content, pieceSize).then(
    () => '',
    (error: unknown) => (error as Error).message,
  );

describe('What is shown on a terminal', () => {
  it('has no character that would change how the rest is shown', () => {
    expect(printable('a\u061c\u200e\u200f\u2066\ud800\u001b')).to.equal('a\\u061c\\u200e\\u200f\\u2066\\ud800\\u001b');
  });
});

describe('The lines of a file that is imported', () => {
  it('are cut at line feeds wherever the pieces end, without a carriage return before one', async () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', ' ') });
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (text, size) => {
        const content = `{}\r${text}`;
        const lines = content.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
        expect(await split(content, size)).to.deep.equal(lines.filter((line) => /[^ \t\r]/.test(line)));
      }),
    );
  });

  it('have their number in the file and the position of their end; blank lines count', async () => {
    const lines = await read(' \n{b\r\n\n \t\r\n{c');
    expect(lines.map(({ noun, number, end }) => [noun, number, end])).to.deep.equal([
      ['line', 2, 6],
      ['line', 5, 13],
    ]);
    for (const filled of ['\u00a0', '\u0000']) expect(await split(`{\n${filled}`.replace('{', '{}'))).to.have.length(2);
  });

  it('are kept up to 2 MiB; a longer one is dropped, whatever its ending', async () => {
    for (const ending of ['\n', '\r\n']) {
      const text = ['{}', 'x'.repeat(MAX_LINE_BYTES), 'y'.repeat(MAX_LINE_BYTES + 1), 'z', ''].join(ending);
      for (const size of [1000, 10_000_000])
        expect((await split(text, size)).map((line) => line.slice(0, 4))).to.deep.equal(['{}', 'xxxx', 'long', 'z']);
    }
  });

  it('may have 4 MiB, which is read over; a longer one ends the import', async () => {
    const longest = 'x'.repeat(MAX_SKIPPED_BYTES);
    expect(await split(`{}\n${longest}\na\n`, 65_536)).to.deep.equal(['{}', 'long', 'a']);
    expect(await refusalOf(`{}\n${longest}${longest}\na\n`, 65_536)).to.equal(
      'line 2 is longer than 4 MiB; this cannot be a file of JSON lines',
    );
  });

  it('are the items of a JSON array, however it is printed', async () => {
    const items = [{ a: 1 }, [], { b: '[{\n' }];
    for (const space of [0, 2, '\t'])
      for (const size of [1, 1000]) {
        const lines = await read(` \n${JSON.stringify(items, null, space)}\n`, size);
        expect(lines.map(({ bytes }) => String(bytes))).to.deep.equal(items.map((item) => JSON.stringify(item)));
        expect(lines.map(({ noun, number }) => `${noun} ${number}`)).to.deep.equal(['item 1', 'item 2', 'item 3']);
      }
    expect(await split('[]')).to.deep.equal([]);
    const long = JSON.stringify(['x'.repeat(MAX_LINE_BYTES), 1]);
    expect(await split(long, 1000)).to.deep.equal(['long', '1']);
  });

  it('begin behind a byte order mark', async () => {
    for (const size of [1, 2, 1000]) {
      expect(await split('\uFEFF{"a":1}\n{}', size)).to.deep.equal(['{"a":1}', '{}']);
      expect(await split('\uFEFF[1,\n2]', size)).to.deep.equal(['1', '2']);
    }
  });

  it('are refused in one sentence where the file is of another kind', async () => {
    const expected = 'expected is a JSON object on each line, or a JSON array of them';
    const gzip = Buffer.from('1f8b0800000000000003ab020083dcefb701000000', 'hex');
    const refused: readonly (readonly [content: string | Uint8Array, why: string])[] = [
      [gzip, 'the file is compressed (gzip); expected is text in UTF-8'],
      [
        Buffer.from('504b0304140000000800', 'hex'),
        'the file is a ZIP archive, as spreadsheets are; expected is text in UTF-8',
      ],
      [Buffer.from('\uFEFF{}', 'utf16le'), 'the file is text in UTF-16; expected is text in UTF-8'],
      ['SQLite format 3\0', 'the file is an SQLite database; expected is text in UTF-8'],
      ['title,price\na,1\n', `the file is not a list of JSON objects; ${expected}`],
      ['<html>', `the file is not a list of JSON objects; ${expected}`],
      [JSON.stringify({ a: 1 }, null, 2), `the file has JSON objects over several lines; ${expected}`],
      [Buffer.concat([Buffer.from('['), Buffer.from([0xff])]), 'the file is not valid UTF-8'],
    ];
    for (const [content, why] of refused)
      for (const size of [1, 1000]) expect(await refusalOf(content, size)).to.equal(why);
    expect(await refusalOf('[1,]')).to.match(/^the file is not valid JSON: /);
  });
});
