import { expect } from 'chai';
import { parseDeveloperId } from '../../../domain/access.js';
import { SCOPES } from '../../../domain/scope.js';
import { ACME, Program, type StoreOptions } from './harness.js';

const BOB = { developerId: parseDeveloperId('bob'), scopes: SCOPES };
const NOON = new Date('2026-01-01T12:00:00.000Z');

/** A program with three automations on sale, the second of another developer, and their ids. */
async function open(options: StoreOptions = {}) {
  const program = new Program({ now: () => NOON, ...options });
  const { marketplace } = program.session;
  const add = async (title: string, categoryId: string, price: number, caller = ACME) =>
    (await marketplace.createAutomation(caller, { title, description: 'Sends\n\tmails.', price, categoryId })).id;
  const ids = [
    await add('Sort invoices', 'sales', 9.5),
    await add('Sörted tickets 🎟', 'support', 0, BOB),
    await add('Invoice reminder', 'sales', 20),
  ];
  return { program, ids };
}

describe('The command automations list', () => {
  it('is an aligned table of what is on sale, newest first; the count goes to standard error', async () => {
    const { program, ids } = await open();
    const { code, stdout, stderr } = await program.run('automations', 'list');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: ['3 found'] });
    expect(stdout.map((line) => line.split(/ {2,}/))).to.deep.equal([
      ['id', 'price', 'category', 'developer', 'created', 'title'],
      [ids[2], '20', 'sales', 'acme', '2026-01-01T12:00Z', 'Invoice reminder'],
      [ids[1], '0', 'support', 'bob', '2026-01-01T12:00Z', 'Sörted tickets 🎟'],
      [ids[0], '9.5', 'sales', 'acme', '2026-01-01T12:00Z', 'Sort invoices'],
    ]);
    expect(new Set(stdout.map((line) => line.search(/sales|support|category/)))).to.have.property('size', 1);
  });

  const titlesOf = async (program: Program, ...words: readonly string[]) => {
    const { code, stdout, stderr } = await program.run('automations', 'list', '--json', ...words);
    expect(code).to.equal(0);
    return [(JSON.parse(stdout.join('\n')) as { title: string }[]).map(({ title }) => title), stderr[0]];
  };

  it('finds words, a category and a developer, and all of them together', async () => {
    const { program } = await open();
    const [first, second, third] = ['Sort invoices', 'Sörted tickets 🎟', 'Invoice reminder'];
    expect(await titlesOf(program, '--search', 'INVOICE')).to.deep.equal([[third, first], '2 found']);
    expect(await titlesOf(program, '--search', 'mails sort')).to.deep.equal([[second, first], '2 found']);
    expect(await titlesOf(program, '--category', 'support')).to.deep.equal([[second], '1 found']);
    expect(await titlesOf(program, '--developer', 'acme')).to.deep.equal([[third, first], '2 found']);
    const all = ['--search', 'sort', '--category', 'sales', '--developer', 'acme'];
    expect(await titlesOf(program, ...all)).to.deep.equal([[first], '1 found']);
  });

  it('says that nothing matches', async () => {
    const { program } = await open();
    for (const words of [
      ['--search', 'nothing'],
      ['--category', 'support', '--developer', 'acme'],
    ]) {
      expect(await titlesOf(program, ...words)).to.deep.equal([[], 'no automation on sale matches']);
      expect((await program.run('automations', 'list', ...words)).stdout).to.deep.equal([]);
    }
  });

  it('refuses a category that does not exist, and says that a developer is unknown', async () => {
    const { program } = await open();
    for (const category of ['nope', 'No such'])
      expect(await program.run('automations', 'list', '--category', category)).to.deep.equal({
        code: 2,
        stdout: [],
        stderr: [
          '--category must be the id of a category; `categories export` lists them',
          'See automation-marketplace automations list --help',
        ],
      });
    expect(await program.run('automations', 'list', '--developer', 'acne')).to.deep.equal({
      code: 0,
      stdout: [],
      stderr: ['no automation on sale matches', 'no developer named acne'],
    });
  });

  it('has none that was withdrawn', async () => {
    const { program, ids } = await open();
    await program.run('automations', 'withdraw', ids[0] ?? '');
    expect(await titlesOf(program, '--search', 'sort')).to.deep.equal([['Sörted tickets 🎟'], '1 found']);
  });

  it('has 25 unless --limit says otherwise, and says of how many', async () => {
    const { program } = await open();
    const draft = { title: 'One of many', description: 'D', price: 1, categoryId: 'sales' };
    for (let n = 0; n < 250; n += 1) await program.session.marketplace.createAutomation(ACME, draft);
    const all = await program.titles();
    expect(all).to.have.length(100);
    const lines = async (...words: readonly string[]) => {
      const { stdout, stderr } = await program.run('automations', 'list', ...words);
      expect(stdout.filter((line) => line.startsWith('id '))).to.have.length(1);
      expect(new Set(stdout).size).to.equal(stdout.length);
      return [stdout.length - 1, stderr[0]];
    };
    expect(await lines()).to.deep.equal([25, '25 of 253; --limit shows more']);
    for (const limit of [1, 99, 100, 101, 252])
      expect(await lines('--limit', String(limit))).to.deep.equal([limit, `${limit} of 253; --limit shows more`]);
    for (const limit of ['253', '300', '1000000'])
      expect(await lines('--limit', limit)).to.deep.equal([253, '253 found']);
  });

  it('is JSON on demand, with the members of the API', async () => {
    const { program, ids } = await open();
    const { stdout } = await program.run('automations', 'list', '--json', '--developer', 'bob');
    expect(JSON.parse(stdout.join('\n'))).to.deep.equal([
      {
        id: ids[1],
        title: 'Sörted tickets 🎟',
        description: 'Sends\n\tmails.',
        price: 0,
        currency: 'USD',
        category_id: 'support',
        developer_id: 'bob',
        url: null,
        license: null,
        file: null,
        created_at: NOON.toISOString(),
        updated_at: NOON.toISOString(),
      },
    ]);
  });

  it('takes no --search where no index of words is kept', async () => {
    const { program } = await open({ search: false });
    const { code, stdout, stderr } = await program.run('automations', 'list', '--search', 'sort');
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: [] });
    expect(stderr).to.deep.equal(['--search needs SEARCH=on', 'See automation-marketplace automations list --help']);
    expect((await program.run('automations', 'list', '--category', 'sales')).stderr).to.deep.equal(['2 found']);
  });
});

describe('The command automations show', () => {
  it('shows every field, and the description as it is', async () => {
    const { program, ids } = await open();
    const { code, stdout, stderr } = await program.run('automations', 'show', ids[0] ?? '');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: [] });
    expect(stdout).to.deep.equal([
      `id         ${ids[0]}`,
      'title      Sort invoices',
      'price      9.5 USD',
      'category   sales',
      'url        -',
      'license    -',
      'file       -',
      'developer  acme',
      'created    2026-01-01T12:00:00.000Z',
      'updated    2026-01-01T12:00:00.000Z',
      'state      on sale',
      '',
      'Sends',
      '    mails.',
    ]);
  });

  it('shows a withdrawn one with its reason', async () => {
    const { program, ids } = await open();
    await program.run('automations', 'withdraw', ids[0] ?? '', '--reason', 'A fraud.');
    await program.run('automations', 'withdraw', ids[1] ?? '');
    const linesOf = async (id = '') => (await program.run('automations', 'show', id)).stdout.slice(10, 12);
    expect(await linesOf(ids[0])).to.deep.equal([`state      withdrawn ${NOON.toISOString()}`, 'reason     A fraud.']);
    expect(await linesOf(ids[1])).to.deep.equal([`state      withdrawn ${NOON.toISOString()}`, 'reason     -']);
    const { stdout } = await program.run('automations', 'show', ids[0] ?? '', '--json');
    expect(JSON.parse(stdout.join('\n'))).to.deep.include({
      id: ids[0],
      developer_id: 'acme',
      withdrawn_at: NOON.toISOString(),
      reason: 'A fraud.',
    });
  });

  it('is JSON on demand', async () => {
    const { program, ids } = await open();
    const { stdout } = await program.run('automations', 'show', ids[2] ?? '', '--json');
    expect(JSON.parse(stdout.join('\n'))).to.deep.equal({
      id: ids[2],
      title: 'Invoice reminder',
      description: 'Sends\n\tmails.',
      price: 20,
      currency: 'USD',
      category_id: 'sales',
      developer_id: 'acme',
      url: null,
      license: null,
      file: null,
      created_at: NOON.toISOString(),
      updated_at: NOON.toISOString(),
      withdrawn_at: null,
      reason: null,
    });
  });

  it('ends with 1 for an id that is unknown or malformed', async () => {
    const { program } = await open();
    for (const id of ['01980c5e-7a3b-7c4d-9e21-5f60a1b2c3d4', 'x']) {
      const { code, stdout, stderr } = await program.run('automations', 'show', id);
      expect({ code, stdout, stderr }).to.deep.equal({
        code: 1,
        stdout: [],
        stderr: ['there is no automation with this id'],
      });
    }
  });
});
