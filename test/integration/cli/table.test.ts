import { expect } from 'chai';
import { tableLines, type Column } from '../../../adapters/cli/terminal/table.js';
import { OPERATOR } from '../../../domain/access.js';
import { ACME, Captured, Program } from './harness.js';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'id', cell: ({ id }) => id },
  { heading: 'name', cell: ({ name }) => name, leaveOut: 1 },
  { heading: 'text', cell: ({ text }) => text, cutTo: 6 },
];

async function table(parts: readonly (readonly Row[])[], maxWidth: number): Promise<readonly string[]> {
  const lines: string[] = [];
  const asynchronous = (async function* () {
    yield* parts;
  })();
  for await (const line of tableLines(COLUMNS, asynchronous, maxWidth)) lines.push(line);
  return lines;
}

const ROWS: readonly Row[] = [
  { id: '1', name: 'ada', text: 'A long text' },
  { id: '22', name: 'bob', text: '日本語のテキスト' },
];

describe('A table of a command', () => {
  it('is full where it fits', async () => {
    expect(await table([ROWS], Infinity)).to.deep.equal([
      'id  name  text',
      '1   ada   A long text',
      '22  bob   日本語のテキスト',
    ]);
  });

  it('cuts texts first, with an ellipsis, also wide characters', async () => {
    expect(await table([ROWS], 18)).to.deep.equal(['id  name  text', '1   ada   A long …', '22  bob   日本語…']);
  });

  it('leaves columns out where cutting is not enough, and then has room for texts', async () => {
    expect(await table([ROWS], 15)).to.deep.equal(['id  text', '1   A long text', '22  日本語のテ…']);
  });

  it('keeps its columns when a later part is wider', async () => {
    expect(await table([[{ id: '1', name: 'ada', text: 'x' }], ROWS], 15)).to.deep.equal([
      'id  name  text',
      '1   ada   x',
      '1   ada   A lon…',
      '22  bob   日本…',
    ]);
  });
});

describe('The tables of the commands', () => {
  async function filled(): Promise<Program> {
    const program = new Program();
    const { marketplace, keys, accounts } = program.session;
    const developer = 'a-developer-with-a-name-of-the-greatest-length-that-can-be-64chars';
    await keys.issue(OPERATOR, { developer: developer.slice(0, 64), name: 'x'.repeat(100) });
    await accounts.invite(OPERATOR, 'ada');
    await marketplace.createAutomation(ACME, {
      title: 'Sörted 🎉 '.repeat(20),
      description: 'D',
      price: 99_999_999.99,
      categoryId: 'support',
    });
    return program;
  }

  for (const words of ['automations list', 'keys list', 'developers list', 'audit'])
    it(`"${words}" fits a terminal of 80 columns and more, and is full in a pipe`, async () => {
      const program = await filled();
      const full = (await program.run(...words.split(' '))).stdout;
      for (const columns of [80, 100, 400]) {
        const stdout = new Captured(true, columns);
        await program.runWith({ stdout }, ...words.split(' '));
        expect(stdout.lines()).to.have.length(full.length);
        for (const line of stdout.lines()) expect(widthOf(line), line).to.be.at.most(columns);
        if (columns === 400) expect(stdout.lines()).to.deep.equal(full);
      }
      expect(Math.max(...full.map(widthOf))).to.be.above(100);
    });
});

/** The only wide character in these tables is the emoji. */
function widthOf(line: string): number {
  return Array.from(line.replaceAll('🎉', 'xx')).length;
}
