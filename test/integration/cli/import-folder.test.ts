import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { OPERATOR } from '../../../domain/access.js';
import type { Automation } from '../../../domain/automation.js';
import { MAX_FILE_BYTES } from '../../../domain/file.js';
import { EXPORTED } from '../file-inspection/workflow.js';
import { notRun } from '../../support/not-run.js';
import { Program, TemporaryFolder, type Outcome } from './harness.js';

const SAMPLES = 'test/integration/file-inspection/samples';
const SUMS = /^(\d+) files? read, (\d+) stored, (\d+) already there, (\d+) failed; \d+\.\d s, \d+ files\/s$/;
const SECRET = `sk-ant-api03-${'Ab3dEf6hIj'.repeat(9)}AA`;

const load = (program: Program, path: string, ...more: readonly string[]) =>
  program.run('automations', 'import', path, '--developer', 'acme', '--category', 'sales', '--new', ...more);

function sumsOf({ stdout }: Outcome): readonly number[] {
  const [, ...sums] = SUMS.exec(stdout[0] ?? '') ?? [];
  expect(sums, stdout[0]).to.have.length(4);
  return sums.map(Number);
}

/** Everything on sale, oldest first. */
async function onSale({ session }: Program): Promise<readonly Automation[]> {
  const all: Automation[] = [];
  for await (const batch of session.transfer.everything(OPERATOR)) all.push(...batch);
  return all;
}

/** That the bytes of each file are those of which the SHA-256 is shown, and that nothing of them is left to remove. */
async function expectStored(program: Program): Promise<void> {
  const inspector = new TableFileInspector();
  for (const { id, file } of await onSale(program)) {
    if (file === null) return expect.fail(id);
    const content = (await program.session.transfer.readFile(OPERATOR, id)) ?? expect.fail(id);
    expect(createHash('sha256').update(content).digest('hex'), file.name).to.equal(file.sha256);
    expect(await inspector.inspect(file.name, content)).to.deep.include({ content, removed: [], violations: [] });
  }
}

const workflow = (part: object = {}) => JSON.stringify({ ...EXPORTED, ...part });

describe('The command automations import with a folder', () => {
  const temporary = new TemporaryFolder();
  before(() => temporary.create());
  after(() => temporary.remove());
  let folders = 0;

  async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
    const folder = temporary.path(`folder-${(folders += 1)}`);
    await mkdir(folder);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return folder;
  }

  it('stores each workflow of n8n as an automation that costs nothing, with its file cleaned', async () => {
    const program = new Program();
    const note = { type: 'n8n-nodes-base.stickyNote', parameters: { content: '## What it does\r\nIt notifies.' } };
    const folder = await folderOf({
      'x7Kp2mQ9.json': workflow(),
      'sub/no name.JSON': workflow({ name: undefined, nodes: [...EXPORTED.nodes, note] }),
    });
    const outcome = await load(program, folder, '--license', 'MIT');
    expect([outcome.code, outcome.stderr, sumsOf(outcome)]).to.deep.equal([0, [], [2, 2, 0, 0]]);
    const [first, second] = await onSale(program);
    expect(first).to.deep.include({
      title: 'no name',
      description: '## What it does\nIt notifies.',
      price: { minorUnits: 0, currency: 'USD' },
      categoryId: 'sales',
      license: 'MIT',
      url: null,
      developerId: 'acme',
    });
    expect(first?.file).to.include({ name: 'no name.JSON', platform: 'n8n' });
    expect(second).to.include({ title: 'Notify', description: '2 nodes: webhook, googleSheets' });
    expect(second?.file).to.include({ name: 'Notify.json', platform: 'n8n' });
    await expectStored(program);
  });

  it('reads files that end with .json alone, not those behind a dot, and follows no link to a folder', async () => {
    const program = new Program();
    const folder = await folderOf({
      'a.json': workflow(),
      'README.md': 'text',
      '.hidden.json': workflow({ name: 'hidden' }),
      '.git/x.json': workflow({ name: 'git' }),
    });
    await symlink('.', join(folder, 'again'));
    await symlink('.', join(folder, 'again.json'));
    await symlink('loop.json', join(folder, 'loop.json'));
    await symlink('nowhere', join(folder, 'nowhere.json'));
    await symlink('a.json', join(folder, 'same.json'));
    const outcome = await load(program, folder);
    expect(outcome.stderr).to.deep.equal([
      'again.json cannot be read: it is a directory',
      'loop.json cannot be read: its links lead in a circle',
      'nowhere.json cannot be read: there is no such file',
    ]);
    expect([outcome.code, sumsOf(outcome)]).to.deep.equal([1, [5, 1, 1, 3]]);
  });

  it('names each file that is refused, with reason and place and never the secret, and stores the others', async () => {
    const secret = { type: 'n8n-nodes-base.set', name: 'Ask', parameters: { text: SECRET } };
    const program = new Program();
    const folder = await folderOf({
      'array.json': `[${workflow()}]`,
      'broken.json': `{"key": "${SECRET}`,
      'empty.json': '',
      'large.json': workflow({ pinData: { a: 'x'.repeat(MAX_FILE_BYTES) } }),
      'number.json': workflow().replace('220', '12345678901234567890'),
      'package.json': '{"name": "x"}',
      'secret.json': workflow({ nodes: [secret] }),
      'taken.json': workflow(),
      'utf-16.json': Buffer.from(workflow(), 'utf16le'),
    });
    const outcome = await load(program, folder);
    expect([outcome.code, sumsOf(outcome)]).to.deep.equal([1, [9, 1, 0, 8]]);
    expect(outcome.stderr).to.deep.equal([
      'array.json is no workflow of n8n',
      'broken.json is not valid JSON',
      'empty.json must have 1 to 1,048,576 bytes',
      'large.json must have 1 to 1,048,576 bytes',
      'number.json: file must have numbers that programs read exactly; nodes / "Sheet" / position / 0 is none: ' +
        'write it as a string (invalid-format)',
      'package.json is no workflow of n8n',
      'secret.json: file must contain no secret; nodes / "Ask" / parameters / text has what looks like a key of ' +
        'Anthropic (contains-secret)',
      'utf-16.json is not valid JSON',
    ]);
  });

  it('names all that are refused, also when they are many', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `${n + 10}.json`);
    const { stderr } = await load(new Program(), await folderOf(Object.fromEntries(names.map((name) => [name, '{}']))));
    expect(stderr).to.deep.equal(names.map((name) => `${name} is no workflow of n8n`));
  });

  it('run again stores nothing twice, also when n8n has exported the same workflows again', async () => {
    const program = new Program();
    const names = Array.from({ length: 120 }, (_, n) => `Workflow ${n}`);
    const files = (part: object) => names.map((name, n) => [`${n}.json`, workflow({ name, ...part })] as const);
    const folder = await folderOf(Object.fromEntries(files({})));
    expect(sumsOf(await load(program, folder))).to.deep.equal([120, 120, 0, 0]);
    expect(sumsOf(await load(program, folder))).to.deep.equal([120, 0, 120, 0]);
    const later = { active: true, updatedAt: '2026-03-01T00:00:00.000Z', versionId: 'b', pinData: {} };
    const again = await folderOf({ ...Object.fromEntries(files(later)), 'new.json': workflow({ name: 'New' }) });
    expect(sumsOf(await load(program, again))).to.deep.equal([121, 1, 120, 0]);
    await expectStored(program);
  });

  it('takes a workflow that is there several times once', async () => {
    const folder = await folderOf({ 'monday/a.json': workflow(), 'tuesday/a.json': workflow({ active: true }) });
    expect(sumsOf(await load(new Program(), folder))).to.deep.equal([2, 1, 1, 0]);
  });

  it('does not put a workflow on sale a second time in another category', async () => {
    const program = new Program();
    const folder = await folderOf({ 'a.json': workflow() });
    await load(program, folder);
    const { code, stderr } = await load(program, folder, '--category', 'support');
    expect([code, stderr]).to.deep.equal([
      1,
      ['a.json: was imported before, with another category or licence; `automations revise` changes what is on sale'],
    ]);
    expect(await program.total()).to.equal(1);
  });

  it('says what is wrong with what was typed, and does not open the store', async () => {
    const program = new Program();
    const [folder, empty] = [await folderOf({ 'a.json': workflow() }), await folderOf({ 'README.md': '' })];
    const file = await temporary.file('{}');
    const developer = ['--developer', 'acme'];
    const mistakes: readonly (readonly [words: readonly string[], why: string, code?: number])[] = [
      [[folder, ...developer], '--category ID is missing, the category of all'],
      [
        [folder, '--category', 'sales'],
        '--developer NAME is missing, or --with-ids for a file from "automations export"',
      ],
      [[folder, '--with-ids'], '--with-ids takes a file from "automations export", and no folder'],
      [
        [file, ...developer, '--category', 'sales'],
        '--category and --license are for a folder; each line of a file has its own',
      ],
      [[folder, ...developer, '--category', 'sales', '--license', ''], '--license must have 1 to 100 characters'],
      [[empty, ...developer, '--category', 'sales'], 'the folder has no file that ends with .json', 1],
      [
        [temporary.path('none'), ...developer, '--category', 'sales'],
        `cannot read ${temporary.path('none')}: there is no such file`,
        1,
      ],
    ];
    for (const [words, why, exitCode = 2] of mistakes) {
      const { code, stdout, stderr } = await program.run('automations', 'import', ...words);
      expect([code, stdout, stderr[0]], words.join(' ')).to.deep.equal([exitCode, [], why]);
    }
    expect(program.opened).to.equal(0);
    const unknown = await load(program, folder, '--category', 'games');
    expect([unknown.code, unknown.stderr[0]]).to.deep.equal([
      2,
      '--category must be the id of a category; `categories export` lists them',
    ]);
  });

  it('stops when the process is asked to end, with what came before stored', async () => {
    const program = new Program();
    const stop = new AbortController();
    const folder = await folderOf({ 'a.json': workflow(), 'b.json': workflow({ name: 'b' }) });
    const { describeFile } = program.session;
    Object.assign(program.session, {
      describeFile: (content: Uint8Array) => {
        stop.abort(new Error('interrupted'));
        return describeFile(content);
      },
    });
    const { code, stderr } = await program.runWith(
      { interruption: () => stop.signal },
      ...['automations', 'import', folder, '--developer', 'acme', '--category', 'sales', '--new'],
    );
    expect([code, stderr]).to.deep.equal([1, ['interrupted']]);
  });

  const folder = process.env['WORKFLOWS_DIR'];
  for (const [path, files] of [[SAMPLES, 20] as const, ...(folder === undefined ? [] : [[folder, undefined] as const])])
    it(`takes the real workflows of ${path}, which come out as they are stored`, async () => {
      const program = new Program();
      const outcome = await load(program, path);
      const [read = 0, stored, present = 0, failed = 0] = sumsOf(outcome);
      if (failed > 0) console.log(outcome.stderr.join('\n'));
      const all = readdirSync(path, { recursive: true, encoding: 'utf8' });
      expect(read).to.equal(all.filter((name) => name.endsWith('.json')).length);
      expect([stored, await program.total()]).to.deep.equal([read - present - failed, read - present - failed]);
      expect(failed).to.be.at.most(read / 100);
      if (files !== undefined) expect(read).to.equal(files);
      await expectStored(program);
    });
  if (folder === undefined) it(notRun('in thousands', 'thousands of workflows; set WORKFLOWS_DIR to their folder'));
});
