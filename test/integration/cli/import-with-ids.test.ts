import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/index.js';
import { OPERATOR } from '../../../domain/access.js';
import { DomainError } from '../../../domain/errors.js';
import { MAX_FILE_BYTES } from '../../../domain/file.js';
import type { AddOutcome, NewAutomation } from '../../../domain/ports.js';
import { automationIdOf, numbers } from '../../contracts/offers.js';
import { Program, TemporaryFolder, type Outcome } from './harness.js';

const SUMS = /^(\d+) lines? read, (\d+) stored, (\d+) already there, (\d+) failed; \d+\.\d s, \d+ lines\/s$/;

function sumsOf({ stdout }: Outcome): readonly number[] {
  const [, ...sums] = SUMS.exec(stdout[0] ?? '') ?? [];
  expect(sums, stdout[0]).to.have.length(4);
  return sums.map(Number);
}

function item(n: number, part: object = {}): string {
  const written = {
    id: automationIdOf(n),
    title: `Automation ${n}`,
    description: `What number ${n} does`,
    price: 9.99,
    currency: 'USD',
    category_id: 'sales',
    developer_id: 'ada',
    url: n % 2 === 0 ? null : `https://ada.example/${n}`,
    license: n % 3 === 0 ? null : 'MIT',
    file: null,
    created_at: '2026-01-31T12:00:00.007Z',
    updated_at: '2026-01-31T12:00:00.007Z',
  };
  return JSON.stringify({ ...written, ...part });
}

const items = (count: number) => numbers(count).map((n) => item(n));

interface Line {
  readonly created_at: string;
  readonly updated_at: string;
}

async function importsOf({ audit }: Program): Promise<readonly unknown[]> {
  const { items: entries } = await audit.list(OPERATOR);
  return entries.map(({ actor, action, counts }) => [actor, action, counts]);
}

/** Works until it was given so many offers, and from then on fails. */
class FailingRepository extends InMemoryAutomationRepository {
  left = 700;

  override async add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    this.left -= offers.length;
    if (this.left < 0) throw new DomainError('outcome-unknown', 'no-answer', 'the store did not answer');
    return super.add(offers);
  }
}

describe('The command automations import --with-ids', () => {
  const folder = new TemporaryFolder();
  before(() => folder.create());
  after(() => folder.remove());

  const load = async (program: Program, content: string | Uint8Array): Promise<Outcome> =>
    program.run('automations', 'import', await folder.file(content), '--with-ids');
  const exported = async (program: Program) => (await program.run('automations', 'export')).stdout;

  it('stores what an export wrote, in its order, as it was', async () => {
    const program = new Program();
    const lines = [
      item(3),
      item(1, { developer_id: 'person-7k2m9x4q1a' }),
      item(2, { created_at: '2020-02-29T00:00:00.000Z', updated_at: '2020-02-29T00:00:00.001Z', price: 0 }),
    ];
    const outcome = await load(program, `${lines.join('\n')}\n`);
    expect([outcome.code, outcome.stderr, sumsOf(outcome)]).to.deep.equal([0, [], [3, 3, 0, 0]]);
    expect(await exported(program)).to.deep.equal(lines);
  });

  it('takes the longest automation that there can be', async () => {
    const longest = item(1, {
      title: '🤖'.repeat(200),
      description: `${'\u2028'.repeat(9_999)}x`.split('').reverse().join(''),
      developer_id: 'x'.repeat(64),
      price: 0,
      license: 'x'.repeat(100),
      file: { name: `${'🤖'.repeat(96)}.zip`, base64: randomBytes(MAX_FILE_BYTES).toString('base64') },
    });
    const [from, to] = [new Program(), new Program()];
    expect(sumsOf(await load(from, longest))).to.deep.equal([1, 1, 0, 0]);
    const lines = await exported(from);
    expect(sumsOf(await load(to, lines.join('\n')))).to.deep.equal([1, 1, 0, 0]);
    expect(await exported(to)).to.deep.equal(lines);
  });

  it('run again stores nothing twice, and goes on where it stopped', async () => {
    const program = new Program();
    await load(program, items(1_200).join('\n'));
    expect(sumsOf(await load(program, items(2_600).join('\n')))).to.deep.equal([2_600, 1_400, 1_200, 0]);
    const again = await load(program, items(2_600).join('\n'));
    expect([again.code, sumsOf(again)]).to.deep.equal([0, [2_600, 0, 2_600, 0]]);
    expect(await exported(program)).to.deep.equal(items(2_600));
  });

  it('takes CRLF, blank lines and standard input', async () => {
    const program = new Program();
    const outcome = await program.pipe(
      `\r\n${items(3).join('\r\n')}\r\n \n`,
      'automations',
      'import',
      '-',
      '--with-ids',
    );
    expect([outcome.code, sumsOf(outcome)]).to.deep.equal([0, [3, 3, 0, 0]]);
    expect(await exported(program)).to.deep.equal(items(3));
  });

  it('fails for a file without a line, and says what is expected', async () => {
    const { code, stderr } = await load(new Program(), '');
    expect(code).to.equal(1);
    expect(stderr).to.have.length(1);
    expect(stderr[0]).to.match(/^the file has no automation; expected is a JSON object on each line, with id, title, /);
  });

  const FAILING: readonly (readonly [what: string, line: string | Uint8Array, why: RegExp])[] = [
    ['broken JSON', '{"title": "a",}', /is not valid JSON: .+/],
    ['no object', '[]', /must be an object with id, title, description, price, currency, .*, created_at, updated_at/],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /is not valid UTF-8/],
    ['more than 2 MiB', item(9, { description: 'x'.repeat(2 ** 21) }), /is longer than 2097152 bytes/],
    [
      'unknown members',
      item(9, { automation_count: 1 }),
      /has unknown members "automation_count"; allowed are id, title, .*/,
    ],
    [
      'a line without ids',
      '{"title":"x","description":"x","price":1,"category_id":"sales"}',
      /id is required; currency is required; developer_id is required; created_at is required/,
    ],
    ['everything missing', '{}', /id is required; title is required; .*; created_at is required/],
    ['an id that is none', item(9, { id: 'X' }), /id must be a UUID/],
    ['another currency', item(9, { currency: 'EUR' }), /currency must be USD, as of every price in this store/],
    ['an unknown category', item(9, { category_id: 'games' }), /category_id must be the id of a category.*/],
    [
      'a developer that is none',
      item(9, { developer_id: 'A B' }),
      /developer_id must be 1 to 64 lower-case letters or digits, with single hyphens between them/,
    ],
    [
      'a time that is none',
      item(9, { created_at: '2026-02-30T00:00:00.000Z' }),
      /created_at must be a time in UTC with milliseconds, such as .*/,
    ],
    [
      'a time of revision that is none',
      item(9, { updated_at: '2026-02-01' }),
      /updated_at must be a time in UTC with milliseconds, such as .*/,
    ],
    [
      'a revision before the creation',
      item(9, { updated_at: '2026-01-31T12:00:00.006Z' }),
      /updated_at must not be before the time of creation/,
    ],
    ['a price in text', item(9, { price: '9.99' }), /price must be a number, not a string/],
    ['a title of two lines', item(9, { title: 'a\nb' }), /title must not contain line breaks .* after "a"\)/],
    [
      'the id of another',
      item(1, { title: 'Another' }),
      /id is that of an automation in this store with other content, owner or date/,
    ],
    ['the id of one that was withdrawn', item(7), /id is that of an automation that was withdrawn from this store/],
  ];
  for (const [what, line, why] of FAILING)
    it(`lists a line of ${what} with its reasons, and stores the others`, async () => {
      const program = new Program();
      await load(program, item(7));
      await program.session.marketplace.withdrawAutomation(OPERATOR, automationIdOf(7));
      const outcome = await load(
        program,
        Buffer.concat([Buffer.from(`${item(1)}\n`), Buffer.from(line), Buffer.from(`\n${item(2)}`)]),
      );
      expect(outcome.code).to.equal(1);
      expect(sumsOf(outcome)).to.deep.equal([3, 2, 0, 1]);
      expect(outcome.stderr).to.have.length(1);
      expect(outcome.stderr[0]).to.match(new RegExp(`^line 2:? ${why.source}$`));
      expect(await exported(program)).to.deep.equal(items(2));
    });

  it('tells of the first 20 lines that fail in the order of the file, and how many there are', async () => {
    const lines = numbers(1_200).map((n) => [item(n), item(n, { price: -1 }), '{'][n % 3] ?? '');
    const { stderr } = await load(new Program(), lines.join('\n'));
    const failing = numbers(1_200).filter((n) => n % 3 !== 0);
    expect(stderr.slice(0, 20).map((line) => /^line \d+/.exec(line)?.[0])).to.deep.equal(
      failing.slice(0, 20).map((n) => `line ${n}`),
    );
    expect(stderr.slice(20)).to.deep.equal([`and ${failing.length - 20} more lines that failed`]);
  });

  it('when the store fails stops, says where, and goes on when run again', async () => {
    const automations = new FailingRepository();
    const program = new Program({ automations, archive: automations });
    const outcome = await load(program, items(2_000).join('\n'));
    expect([outcome.code, sumsOf(outcome)]).to.deep.equal([1, [500, 500, 0, 0]]);
    expect(outcome.stderr).to.deep.equal([
      'the store failed after 500 lines: the store did not answer; ' +
        'import it again: it resumes, and nothing is stored twice',
    ]);
    automations.left = Infinity;
    expect(sumsOf(await load(program, items(2_000).join('\n')))).to.deep.equal([2_000, 1_500, 500, 0]);
    expect(await exported(program)).to.deep.equal(items(2_000));
  });

  it('stores what came before the input broke off, or before a line of more than 4 MiB', async () => {
    const stdin = (async function* () {
      yield `${items(4).join('\n')}\n`;
      throw new Error('EIO: i/o error, read');
    })();
    const broken = await new Program().runWith({ stdin }, 'automations', 'import', '-', '--with-ids');
    expect([broken.code, broken.stderr, sumsOf(broken)]).to.deep.equal([
      1,
      ['cannot read standard input: EIO: i/o error, read'],
      [4, 4, 0, 0],
    ]);
    const long = await load(new Program(), `${items(3).join('\n')}\n${'x'.repeat(5_000_000)}`);
    expect(long.stderr).to.deep.equal(['line 4 is longer than 4 MiB; this cannot be a file of JSON lines']);
    expect(sumsOf(long)).to.deep.equal([3, 3, 0, 0]);
  });

  it('is two entries in the audit, and no line has one', async () => {
    const program = new Program();
    await load(program, items(1_500).join('\n'));
    expect(await importsOf(program)).to.deep.equal([
      ['operator', 'import-finished', { stored: 1_500, present: 0, failed: 0 }],
      ['operator', 'import-started', undefined],
    ]);
  });

  it('records its end also after a failure', async () => {
    const program = new Program({ automations: new FailingRepository() });
    await load(program, items(2_000).join('\n'));
    expect((await importsOf(program))[0]).to.deep.equal([
      'operator',
      'import-finished',
      { stored: 500, present: 0, failed: 0 },
    ]);
  });

  it('fails for a line of one that was revised since the export, unless it has the same content', async () => {
    const program = new Program();
    await load(program, item(1));
    const before = await exported(program);
    await program.run('automations', 'revise', automationIdOf(1), '--price', '3');
    const outcome = await load(program, before.join('\n'));
    expect([outcome.code, sumsOf(outcome)]).to.deep.equal([1, [1, 0, 0, 1]]);
    expect(outcome.stderr[0]).to.match(/^line 1: id is that of an automation in this store with other content/);
    expect(sumsOf(await load(program, (await exported(program)).join('\n')))).to.deep.equal([1, 0, 1, 0]);
  });

  it('keeps the time of the last revision; without one it is the time of the creation', async () => {
    const program = new Program();
    const revised = item(1, { updated_at: '2026-02-28T09:00:00.001Z' });
    await load(program, [revised, item(2, { updated_at: undefined })].join('\n'));
    expect((await exported(program)).map((line) => (JSON.parse(line) as Line).updated_at)).to.deep.equal([
      '2026-02-28T09:00:00.001Z',
      (JSON.parse(item(2)) as Line).created_at,
    ]);
  });
});
