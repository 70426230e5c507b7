import { expect } from 'chai';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import { SCOPES } from '../../../domain/scope.js';
import { Program, TemporaryFolder, type Outcome } from './harness.js';

const EMPTY = 'the file has no category; expected is a JSON array of {"id", "name"}, or one such object on each line';

describe('The command categories import', () => {
  const folder = new TemporaryFolder();
  before(() => folder.create());
  after(() => folder.remove());

  async function load(program: Program, content: unknown): Promise<Outcome> {
    const bytes = typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
    return program.run('categories', 'import', await folder.file(bytes));
  }

  async function expectRefusal(content: unknown, ...messages: readonly (string | RegExp)[]): Promise<void> {
    const program = new Program();
    const before = await program.categories.list();
    const { code, stdout, stderr } = await load(program, content);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: [] });
    expect(stderr).to.have.length(messages.length);
    for (const [index, message] of messages.entries()) {
      if (typeof message === 'string') expect(stderr[index]).to.equal(message);
      else expect(stderr[index]).to.match(message);
    }
    expect(await program.categories.list()).to.deep.equal(before);
    expect(await deeds(program)).to.deep.equal([]);
  }

  async function deeds({ audit }: Program): Promise<readonly string[]> {
    return (await audit.list(OPERATOR)).items.map(({ actor, action }) => `${actor} ${action}`);
  }

  it('adds and renames, and says how many', async () => {
    const program = new Program();
    const { code, stdout, stderr } = await load(program, [
      { id: 'sales', name: 'Selling' },
      { id: 'support', name: 'Support' },
      { id: 'ai', name: '  AI 🤖 \r' },
      { id: 'hr', name: 'HR' },
    ]);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: [] });
    expect(stdout).to.deep.equal(['categories: 2 added, 1 renamed, 1 unchanged']);
    expect(await program.categories.list()).to.deep.equal([
      { id: 'sales', name: 'Selling' },
      { id: 'support', name: 'Support' },
      { id: 'ai', name: 'AI 🤖' },
      { id: 'hr', name: 'HR' },
    ]);
  });

  it('again changes nothing', async () => {
    const program = new Program();
    await load(program, [{ id: 'ai', name: 'AI' }]);
    expect((await load(program, [{ id: 'ai', name: 'AI' }])).stdout).to.deep.equal([
      'categories: 0 added, 0 renamed, 1 unchanged',
    ]);
  });

  it('is in the audit, once for each that changed something', async () => {
    const program = new Program();
    await load(program, [{ id: 'ai', name: 'AI' }]);
    await load(program, [{ id: 'ai', name: 'AI' }]);
    expect(await deeds(program)).to.deep.equal(['operator categories-imported']);
    await load(program, [{ id: 'ai', name: 'Artificial' }]);
    expect(await deeds(program)).to.have.length(2);
  });

  it('reads standard input', async () => {
    const { stdout } = await new Program().pipe('[{"id":"ai","name":"AI"}]', 'categories', 'import', '-');
    expect(stdout).to.deep.equal(['categories: 1 added, 0 renamed, 0 unchanged']);
  });

  it('refuses a file with mistakes, whole, and lists every one', () =>
    expectRefusal(
      [
        { id: 'fine', name: 'Fine' },
        { id: 'Not A Slug', name: '' },
        'text',
        { id: 'fine', name: 'x'.repeat(101), 'col\u001bour': 'red' },
        { name: 'No id' },
        null,
        { id: 7, name: 8 },
        { id: 'lines', name: 'two\r\nlines' },
      ],
      'item 2: id must be 1 to 64 lower-case letters or digits, with single hyphens between them',
      'item 2: name must have 1 to 100 characters',
      'item 3 must be an object with id, name',
      'item 4 has unknown members "col\\u001bour"; allowed are id, name',
      'item 4: name must have 1 to 100 characters',
      'item 4: id is the same as in item 1',
      /^item 5: id must be 1 to 64/,
      'item 6 must be an object with id, name',
      /^item 7: id must be 1 to 64/,
      'item 7: name must be a string',
      'item 8: name must not contain line breaks or tabs (U+000A after "two")',
    ));

  it('takes JSON lines as well, as an export writes them', async () => {
    const program = new Program();
    const { code, stdout } = await load(program, '{"id":"ai","name":"AI"}\r\n\n {"name":"Selling","id":"sales"}');
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: ['categories: 1 added, 1 renamed, 0 unchanged'] });
  });

  it('refuses lines with mistakes, whole, and lists every one', () =>
    expectRefusal(
      [
        '{"id":"a","name":"A"}',
        '',
        '{"id":"a","name":"B"}',
        '{"id":}',
        'null',
        '{"id":"Not A Slug","name":"C"}',
        '[]',
      ].join('\n'),
      'line 3: id is the same as in line 1',
      /^line 4 is not valid JSON: ./,
      'line 5 must be an object with id, name',
      /^line 6: id must be 1 to 64/,
      'line 7 must be an object with id, name',
    ));

  it('refuses a file that has no category in it', async () => {
    for (const content of ['', ' \n\n', '[]', '[ ]\n']) await expectRefusal(content, EMPTY);
  });

  it('refuses what is neither a JSON array nor JSON lines', async () => {
    for (const content of ['null', 'id,name'])
      await expectRefusal(
        content,
        'the file is not a list of JSON objects; expected is a JSON object on each line, or a JSON array of them',
      );
    await expectRefusal('[{"id":}]', /^the file is not valid JSON: .*/);
    await expectRefusal('[{"id": "a", "name": "A"} 7]', /^the file is not valid JSON: .*position 26/);
  });

  it('refuses invalid UTF-8, and a file that is compressed', async () => {
    await expectRefusal(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), 'the file is not valid UTF-8');
    const gzip = Buffer.from('1f8b0800000000000003', 'hex');
    await expectRefusal(gzip, 'the file is compressed (gzip); expected is text in UTF-8');
  });

  it('is undone for a category in which nothing is on sale by categories remove', async () => {
    const program = new Program();
    await program.session.marketplace.createAutomation(
      { developerId: parseDeveloperId('ada'), scopes: SCOPES },
      { title: 'T', description: 'D', price: 1, categoryId: 'sales' },
    );
    const removed = await program.run('categories', 'remove', 'support');
    expect(removed)
      .to.include({ code: 0 })
      .and.deep.include({ stdout: ['the category support is removed'] });
    for (const [id, sentence] of [
      ['support', /there is no category with this id/i],
      ['sales', /1 automation is on sale in this category; revise or withdraw them first/i],
    ] as const) {
      const { code, stderr } = await program.run('categories', 'remove', id);
      expect([code, stderr.join('\n')], id).to.satisfy(
        ([ended, told]: [number, string]) => ended === 1 && sentence.test(told),
      );
    }
    expect((await program.categories.list()).map(({ id }) => id)).to.deep.equal(['sales']);
  });

  it('drops a byte order mark', async () => {
    for (const content of ['[{"id":"ai","name":"AI"}]', '{"id":"ai","name":"AI"}']) {
      const { code, stdout } = await load(new Program(), `\uFEFF${content}`);
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: ['categories: 1 added, 0 renamed, 0 unchanged'] });
    }
  });

  it('lists 20 mistakes, and says how many more there are', () =>
    expectRefusal(
      Array.from({ length: 25 }, () => 'x'),
      ...Array.from({ length: 20 }, (_, index) => `item ${index + 1} must be an object with id, name`),
      'and 5 more mistakes',
    ));

  it('refuses a file of more than 16 MiB without reading it all', async () => {
    let pieces = 0;
    const stdin = (async function* () {
      yield Buffer.from('[');
      for (; pieces < 1000; pieces += 1) yield Buffer.alloc(1024 * 1024, ' ');
    })();
    const { code, stderr } = await new Program().runWith({ stdin }, 'categories', 'import', '-');
    expect(code).to.equal(1);
    expect(stderr).to.deep.equal(['the file is a JSON array of more than 16 MiB; write an object on each line']);
    expect(pieces).to.be.below(20);
  });

  it('fails for a missing file and for a directory, before it opens the store', async () => {
    const program = new Program();
    for (const [path, reason] of [
      [folder.path('none'), 'there is no such file'],
      [folder.path(''), 'it is a directory'],
    ] as const) {
      const { code, stderr } = await program.run('categories', 'import', path);
      expect({ code, stderr }).to.deep.equal({ code: 1, stderr: [`cannot read ${path}: ${reason}`] });
    }
    expect(program.opened).to.equal(0);
  });
});
