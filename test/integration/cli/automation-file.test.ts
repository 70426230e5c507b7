import { expect } from 'chai';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/index.js';
import { OPERATOR } from '../../../domain/access.js';
import { MAX_FILE_BYTES } from '../../../domain/file.js';
import { offerWithFile } from '../../contracts/offers.js';
import { EXPORTED } from '../file-inspection/workflow.js';
import { ACME, Captured, NOBODY, Program, TemporaryFolder, type Outcome } from './harness.js';

const SECRET = `sk-ant-api03-${'Ab3dEf6hIj'.repeat(9)}AA`;

/** An automation on sale that costs nothing, unless it has a price. */
async function withOne(price = 0) {
  const program = new Program();
  const { session } = program;
  const draft = { title: 'Old', description: 'Before', price, categoryId: 'sales' };
  const { id } = await session.marketplace.createAutomation(ACME, draft);
  const read = () => session.marketplace.readAutomation(ACME, id);
  const stored = async () => Buffer.from((await session.transfer.readFile(OPERATOR, id)) ?? expect.fail());
  const run = (command: string, ...words: readonly string[]) => program.run('automations', command, id, ...words);
  return { program, id, read, stored, run };
}

function expectMistake({ code, stdout, stderr }: Outcome, message: string, exitCode = 2): void {
  expect([code, stdout, stderr[0]]).to.deep.equal([exitCode, [], message]);
}

describe('The file of an automation by commands', () => {
  const folder = new TemporaryFolder();
  before(() => folder.create());
  after(() => folder.remove());
  let folders = 0;

  function fileOf(name: string, content: string | Uint8Array): string {
    const parent = folder.path(`at-${(folders += 1)}`);
    mkdirSync(parent);
    writeFileSync(`${parent}/${name}`, content);
    return `${parent}/${name}`;
  }

  it('is attached, replaced and removed, with what was removed from it and what may be private', async () => {
    const { read, stored, run, id, program } = await withOne();
    const nodes = [...EXPORTED.nodes, { type: 'n8n-nodes-base.set', parameters: { to: 'ada@acme.example' } }];
    const attached = await run('attach', fileOf('orders.json', JSON.stringify({ ...EXPORTED, nodes })));
    expect([attached.code, attached.stdout, attached.stderr]).to.deep.equal([
      0,
      [
        `automation ${id} is revised; changed file`,
        'removed from the file: other (3), webhook-id (1), document-name (1), document-link (1), credential (1), ' +
          'pinned-data (1), installation-id (1)',
        'the file still has documents, which may be private: 1AbCdEfGhIjKlMnOpQrStUvWxYz',
        'the file still has emails, which may be private: ada@acme.example',
      ],
      [],
    ]);
    expect((await read()).file).to.include({ name: 'orders.json', platform: 'n8n', size: (await stored()).length });
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
    const path = fileOf('orders.zip', bytes);
    for (const outcome of ['is revised; changed file', 'already has these values; nothing changed'])
      expect((await run('revise', '--file', path)).stdout).to.deep.equal([`automation ${id} ${outcome}`]);
    expect((await program.run('automations', 'show', id)).stdout).to.include('file       orders.zip, 256 bytes');
    expect(await stored()).to.deep.equal(Buffer.from(bytes));
    expect((await run('revise', '--file=', '--price', '2')).stdout).to.deep.equal([
      `automation ${id} is revised; changed price, file`,
    ]);
    expect((await read()).file).to.equal(null);
  });

  it('is refused with the reason that the API has, by the name that was typed, and nothing is stored', async () => {
    const { read, run, program } = await withOne();
    const before = await read();
    const secret = fileOf('a.json', JSON.stringify({ Ask: SECRET }));
    const sentence = 'must contain no secret; Ask has what looks like a key of Anthropic';
    expectMistake(await run('attach', secret), `FILE ${sentence}`);
    expectMistake(await run('revise', '--file', secret), `--file ${sentence}`);
    expectMistake(await run('attach', fileOf('a.json', '{"a":')), 'FILE must be valid JSON, as its name says');
    expectMistake(await run('attach', fileOf('a.json', '')), 'FILE must have 1 to 1,048,576 bytes');
    expectMistake(
      await run('attach', fileOf('a.exe', 'x')),
      'FILE has a name that must end with one of .json .yaml .yml .zip .tar.gz .tgz .xml .txt .md .js .ts .py .sh ' +
        '.bpmn .nupkg',
    );
    expectMistake(await run('attach', '-'), 'standard input has no name; give the path of a file');
    expectMistake(await run('attach'), "missing required argument 'FILE'");
    const large = fileOf('large.zip', new Uint8Array(MAX_FILE_BYTES + 1));
    expectMistake(await run('attach', large), 'the file has more than 1048576 bytes', 1);
    expectMistake(await run('revise', '--file', large), 'the file has more than 1048576 bytes', 1);
    expect(await read()).to.deep.equal(before);
    expect((await run('attach', fileOf('largest.zip', new Uint8Array(MAX_FILE_BYTES)))).code).to.equal(0);
    expect(JSON.stringify(await program.audit.list(OPERATOR))).not.to.include(SECRET);
  });

  it('cannot be read from what is missing, a folder, or links in a circle', async () => {
    const { run } = await withOne();
    const loop = folder.path('loop.json');
    symlinkSync('loop.json', loop);
    for (const [path, why] of [
      [folder.path('none.json'), 'there is no such file'],
      [folder.path(''), 'it is a directory'],
      [loop, 'its links lead in a circle'],
    ] as const)
      expectMistake(await run('attach', path), `cannot read ${path}: ${why}`, 1);
  });

  it('is for an automation that costs nothing', async () => {
    const sentence =
      'must be missing, since an automation with a price has no file here; give the address where it is sold';
    const { run, read } = await withOne(3);
    const path = fileOf('a.zip', 'x');
    expectMistake(await run('attach', path), `FILE ${sentence}`);
    expectMistake(await run('revise', '--file', path), `--file ${sentence}`);
    expect((await run('revise', '--file', path, '--price', '0')).code).to.equal(0);
    expectMistake(await run('revise', '--price', '3'), `--file ${sentence}`);
    expect((await read()).price.minorUnits).to.equal(0);
  });

  it('is written as it is stored, under its own name, that which was given, or to standard output', async () => {
    const { run, stored, id, program } = await withOne();
    await run('attach', fileOf('orders.json', JSON.stringify(EXPORTED)));
    const content = await stored();
    const path = folder.path('copy.json');
    const written = `is written; ${content.length.toLocaleString('en-US')} bytes`;
    expect((await run('download', path)).stdout).to.deep.equal([`${path} ${written}`]);
    expect([readFileSync(path), statSync(path).mode & 0o777]).to.deep.equal([content, 0o600]);
    const back = process.cwd();
    process.chdir(folder.path(''));
    try {
      expect((await run('download')).stdout).to.deep.equal([`orders.json ${written}`]);
      expect(readFileSync('orders.json')).to.deep.equal(content);
      expectMistake(await run('download'), 'orders.json already exists; choose another name', 1);
    } finally {
      process.chdir(back);
    }
    const parts: (string | Uint8Array)[] = [];
    const stdout = new Captured();
    stdout.write = (part: string | Uint8Array, done?: () => void) => {
      parts.push(part);
      done?.();
      return true;
    };
    expect((await program.runWith({ stdout }, 'automations', 'download', id, '-')).code).to.equal(0);
    expect(parts.map((part) => Buffer.from(part))).to.deep.equal([content]);
    expect((await program.runWith({ stdout: NOBODY }, 'automations', 'download', id, '-')).code).to.equal(1);
  });

  it('is never written over another, and leaves nothing where it cannot be written', async () => {
    const { run, stored } = await withOne();
    await run('attach', fileOf('orders.json', JSON.stringify(EXPORTED)));
    const there = fileOf('mine.json', 'mine');
    expectMistake(await run('download', there), `${there} already exists; choose another name`, 1);
    expect(readFileSync(there, 'utf8')).to.equal('mine');
    expectMistake(
      await run('download', folder.path('no/file')),
      `cannot write ${folder.path('no/file')}: there is no such folder`,
      1,
    );
    expect([existsSync(folder.path('no')), (await stored()).length > 0]).to.deep.equal([false, true]);
  });

  it('is written whole or not at all', async () => {
    const automations = new InMemoryAutomationRepository();
    const program = new Program({ automations, archive: automations });
    const one = offerWithFile(1, Buffer.from('x'));
    await automations.add([one]);
    automations.readFile = () => Promise.reject(new Error('the store is out of reach'));
    const parent = folder.path('whole');
    mkdirSync(parent);
    const words = ['automations', 'download', one.automation.id, `${parent}/a.json`];
    expectMistake(await program.run(...words), 'the store is out of reach', 1);
    expect(readdirSync(parent)).to.deep.equal([]);
  });

  it('is missing where there is none, and after a withdrawal', async () => {
    const { run, id, program } = await withOne();
    const path = folder.path('never');
    expectMistake(await run('download', path), `automation ${id} has no file`, 1);
    await run('attach', fileOf('a.zip', 'x'));
    await run('withdraw');
    const gone = await run('download', path);
    expect(gone.code).to.equal(1);
    expect(gone.stderr[0]).to.match(/^automation \S+ has no file any more: it is withdrawn, since 20\S+Z$/);
    expect((await run('attach', fileOf('a.zip', 'x'))).stderr[0]).to.match(/cannot be revised: it is withdrawn/);
    for (const unknown of ['01a1fea3-1db6-70c8-b8e7-3ae51ca48916', 'nonsense'])
      for (const words of [['download', unknown] as const, ['attach', unknown, fileOf('a.zip', 'x')] as const])
        expectMistake(await program.run('automations', ...words), 'there is no automation with this id', 1);
    expect(existsSync(path)).to.equal(false);
  });
});
