import { expect } from 'chai';
import { describeFile } from '../../../adapters/file-inspection/index.js';
import { cleaned, EXPORTED } from './workflow.js';

const note = (content?: unknown) => ({ type: 'n8n-nodes-base.stickyNote', name: 'Note', parameters: { content } });
const described = (part: object) => describeFile(Buffer.from(JSON.stringify({ ...EXPORTED, ...part })));

describe('What a workflow of n8n says of itself', () => {
  it('is its name, and the name of the file that n8n would make of it', () => {
    expect(described({ name: ' New orders\n to Slack: €/day ' })).to.include({
      title: 'New orders to Slack: €/day',
      fileName: 'New_orders_to_Slack_day.json',
    });
    expect(described({ name: '日本語 №1' })).to.include({ fileName: '日本語_1.json' });
  });

  it('is no title where it has no name', () => {
    for (const name of [undefined, '', '\n ', 7, null])
      expect(described({ name }), String(name)).not.to.have.any.keys('title', 'fileName');
  });

  it('is the first sticky note that is not blank, else how many nodes there are and of which kinds', () => {
    const [webhook, sheet] = EXPORTED.nodes;
    const nodes = [webhook, note(), note(' \n'), note(7), note('# Orders\n\nof **today** '), note('later')];
    expect(described({ nodes })).to.include({ description: '# Orders\n\nof **today**' });
    expect(described({})).to.include({ description: '2 nodes: webhook, googleSheets' });
    expect(described({ nodes: [sheet, note()] })).to.include({ description: '1 node: googleSheets' });
  });

  it('is cut to the bounds of a title, of the name of a file, and of a description', () => {
    const all = described({ name: '🤖é'.repeat(150), nodes: [note('🤖'.repeat(10_001))] });
    expect(all).to.include({ title: '🤖é'.repeat(100), fileName: `${'_é'.repeat(47)}_.json` });
    expect(all).to.include({ description: '🤖'.repeat(10_000) });
  });

  it('has the content as it is stored, the same after each export', async () => {
    const { content } = described({}) ?? expect.fail();
    expect(JSON.parse(content)).to.deep.equal(await cleaned(EXPORTED));
    expect(described({ id: 'other', active: true, triggerCount: 2, staticData: { last: 7 } })).to.include({ content });
  });

  it('is nothing for any other file', () => {
    const others = ['', 'text', '{', '[]', '{}', 'null', `[${JSON.stringify(EXPORTED)}]`, '['.repeat(100_000)];
    for (const text of others) expect(describeFile(Buffer.from(text)), text.slice(0, 9)).to.equal(undefined);
    expect(describeFile(Uint8Array.of(0xff))).to.equal(undefined);
  });
});
