import { expect } from 'chai';
import { importLines, type LineStore } from '../../../adapters/cli/transfer/import.js';
import type { Line } from '../../../adapters/cli/transfer/lines.js';
import { nextTurn } from '../../contracts/offers.js';

const [FIRST, SECOND, THIRD] = [1, 2, 3].map((number): Line => ({
  noun: 'line',
  number,
  end: number,
  bytes: Buffer.from('{}'),
})) as [Line, Line, Line];

async function* parts(...lines: readonly Line[]) {
  yield lines;
}

/** Notes when the store begins and ends each line, and when it is reported. The lines in `broken` fail. */
async function importOf(lines: AsyncIterable<readonly Line[]>, broken: readonly Line[] = []) {
  const events: string[] = [];
  const store: LineStore['store'] = async ([line = FIRST]) => {
    events.push(`begin ${line.number}`);
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    events.push(`end ${line.number}`);
    return broken.includes(line)
      ? [{ line, error: new Error('The store has failed.') }]
      : [{ line, outcome: 'stored' }];
  };
  const report = ({ line }: { readonly line: Line }) => void events.push(`report ${line.number}`);
  const error = await importLines(lines, { batchSize: 1, store }, report).catch(String);
  return { events, error };
}

describe('An import of lines', () => {
  it('reads the next batch while one is stored, never more, and reports in the order of the file', async () => {
    expect(await importOf(parts(FIRST, SECOND, THIRD))).to.deep.equal({
      events: 'begin 1,begin 2,end 1,report 1,begin 3,end 2,report 2,end 3,report 3'.split(','),
      error: undefined,
    });
  });
  it('names the first line that fails, after it has waited for the batch behind it, and begins no other', async () => {
    for (const broken of [[FIRST], [FIRST, SECOND]]) {
      const { events, error } = await importOf(parts(FIRST, SECOND, THIRD), broken);
      expect(events).to.include('end 2').and.not.include('begin 3');
      expect(error).to.match(/after 0 lines/);
    }
  });
  it('stores and reports what was read before the file fails', async () => {
    async function* failing() {
      yield [FIRST];
      throw new Error('The file has failed.');
    }
    const { events, error } = await importOf(failing());
    expect(events).to.deep.equal(['begin 1', 'end 1', 'report 1']);
    expect(error).to.equal('Error: The file has failed.');
  });
});
