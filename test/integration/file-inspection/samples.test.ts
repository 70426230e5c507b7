import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { drawFile, TableFileInspector } from '../../../adapters/file-inspection/index.js';
import type { FileName } from '../../../domain/file.js';
import { notRun } from '../../support/not-run.js';

const SAMPLES = 'test/integration/file-inspection/samples';
const inspector = new TableFileInspector();
const inspect = (bytes: Uint8Array) => inspector.inspect('a.json' as FileName, bytes);

/** The files of workflows in a folder, by their paths. */
function filesIn(folder: string): readonly string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.filter((file) => file.endsWith('.json')).map((file) => join(folder, file));
}

/** Of what nodes of real files have, all that may go. */
const WITHOUT_EFFECT = ['webhookId', 'color', 'meta', 'stickyNote', 'nodeCredentialType'];

/** Returns the names of what nodes have, each once. */
function membersOfNodes(bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder().decode(bytes);
  const { nodes } = JSON.parse(text) as { readonly nodes: readonly object[] };
  return [...new Set(nodes.flatMap(Object.keys))].sort();
}

/**
 * That a file is read as one of n8n, that its cleaning is done and leaves what has an effect, and that it is drawn.
 * Returns why it is refused.
 */
async function checkFile(file: string): Promise<readonly string[]> {
  const { content, platform, violations, removed } = await inspect(readFileSync(file));
  expect(platform, file).to.equal('n8n');
  const again = await inspect(content);
  expect(again, file).to.deep.equal({ ...again, content, removed: [] });
  const members = membersOfNodes(readFileSync(file)).filter((name) => !WITHOUT_EFFECT.includes(name));
  expect(membersOfNodes(content), file).to.deep.equal(members);
  expect(removed.length === 0, file).to.equal(Buffer.compare(content, readFileSync(file)) === 0);
  expect(drawFile('n8n', content), file).to.match(/^<svg .*<\/svg>$/);
  return violations.map(({ detail }) => `${file}: ${detail}`);
}

describe('Real workflows', () => {
  for (const file of filesIn(SAMPLES))
    it(`${file.slice(SAMPLES.length + 1)} is cleaned, taken and drawn`, async () => {
      expect(await checkFile(file)).to.deep.equal([]);
    });

  it('are 20, and have each kind of what is removed', async () => {
    const found = await Promise.all(filesIn(SAMPLES).map((file) => inspect(readFileSync(file))));
    expect(found).to.have.length(20);
    expect(new Set(found.flatMap(({ removed }) => removed.map(({ kind }) => kind)))).to.have.keys(
      ...['credential', 'webhook-id', 'pinned-data', 'installation-id', 'document-name', 'document-link', 'other'],
    );
  });

  const folder = process.env['WORKFLOWS_DIR'];
  if (folder === undefined) it(notRun('in thousands', 'thousands of workflows; set WORKFLOWS_DIR to their folder'));
  else
    it(`in ${folder} are cleaned, taken and drawn, but for one in a hundred`, async () => {
      const files = filesIn(folder);
      const refused: string[] = [];
      for (const file of files) refused.push(...(await checkFile(file)).slice(0, 1));
      console.log([...refused, `${refused.length} of ${files.length} are refused`].join('\n'));
      expect(files.length).to.be.above(0);
      expect(refused.length).to.be.at.most(files.length / 100);
    });
});
