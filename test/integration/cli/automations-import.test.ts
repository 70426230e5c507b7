import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/index.js';
import { groupCommit } from '../../../adapters/storage/index.js';
import { DomainError } from '../../../domain/errors.js';
import type { AddOutcome, NewAutomation } from '../../../domain/ports.js';
import { ACME, Captured, Program as AnyProgram, TemporaryFolder, type Outcome, type StoreOptions } from './harness.js';

const PROGRESS = /^ *\d+%, \d+ lines, \d+ lines\/s$/;
const SUMS = /^(\d+) lines? read, (\d+) stored, (\d+) already there, (\d+) failed; \d+\.\d s, \d+ lines\/s$/;

/** A program that knows the developer acme. */
class Program extends AnyProgram {
  constructor(options?: StoreOptions) {
    super(options);
    void this.developers.register(ACME.developerId, { at: new Date(), entries: [] });
  }
}

function sumsOf({ stdout }: Outcome): readonly number[] {
  expect(stdout).to.have.length(1);
  const [, ...sums] = SUMS.exec(stdout[0] ?? '') ?? [];
  expect(sums, stdout[0]).to.have.length(4);
  return sums.map(Number);
}

function item(title: string, part: object = {}): string {
  return JSON.stringify({ title, description: `What ${title} does`, price: 9.99, category_id: 'sales', ...part });
}

function items(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => item(`Automation ${index + 1}`));
}

/** Works until it was given so many offers, and from then on fails. */
class FailingRepository extends InMemoryAutomationRepository {
  offers = 0;

  constructor(
    private left: number,
    private readonly error: Error,
  ) {
    super();
  }

  recover(): void {
    this.left = Infinity;
  }

  override async add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    this.offers += offers.length;
    this.left -= offers.length;
    if (this.left < 0) throw this.error;
    return super.add(offers);
  }
}

/** Answers late, and notes how many offers waited at once and how many came together. */
class SlowRepository extends InMemoryAutomationRepository {
  waiting = 0;
  mostWaiting = 0;
  largestGroup = 0;

  override async add(offers: readonly NewAutomation[]): Promise<readonly AddOutcome[]> {
    this.waiting += offers.length;
    this.mostWaiting = Math.max(this.mostWaiting, this.waiting);
    this.largestGroup = Math.max(this.largestGroup, offers.length);
    await new Promise((resolve) => setImmediate(resolve));
    this.waiting -= offers.length;
    return super.add(offers);
  }
}

describe('The command automations import', () => {
  const folder = new TemporaryFolder();
  before(() => folder.create());
  after(() => folder.remove());

  async function load(program: Program, content: string | Uint8Array): Promise<Outcome> {
    return program.run('automations', 'import', await folder.file(content), '--developer', 'acme');
  }

  /** How far it is, which is told every few seconds, is told on a busy machine. */
  function expectAll({ code, stderr }: Outcome): void {
    expect(code).to.equal(0);
    expect(stderr.filter((line) => !PROGRESS.test(line))).to.deep.equal([]);
  }

  it('stores every line as an automation of the developer, in the order of the file', async () => {
    const program = new Program();
    const outcome = await load(program, `${items(3).join('\n')}\n`);
    expectAll(outcome);
    expect(sumsOf(outcome)).to.deep.equal([3, 3, 0, 0]);
    expect(await program.titles()).to.deep.equal(['Automation 3', 'Automation 2', 'Automation 1']);
    const { items: summaries } = await program.session.marketplace.listAutomations(ACME);
    const automation = await program.session.marketplace.readAutomation(ACME, summaries[2]?.id ?? '');
    expect(automation).to.deep.include({
      title: 'Automation 1',
      description: 'What Automation 1 does',
      categoryId: 'sales',
    });
    expect(automation).to.deep.include({ price: { minorUnits: 999, currency: 'USD' }, developerId: 'acme' });
  });

  it('stores emoji, other scripts and escapes as they are', async () => {
    const program = new Program();
    const titles = ['👩‍👩‍👧 & <b>', 'مرحبا', '日本語 $1', 'e\u0301'];
    await load(
      program,
      [...titles.map((title) => item(title)), item('x').replace('"x"', '"\\u00e9\\ud83e\\udd16"')].join('\n'),
    );
    expect(await program.titles()).to.deep.equal([...titles, 'é🤖'].reverse());
  });

  it('run again stores nothing twice', async () => {
    const program = new Program();
    const content = items(1500).join('\n');
    expect(sumsOf(await load(program, content))).to.deep.equal([1500, 1500, 0, 0]);
    const again = await load(program, content);
    expectAll(again);
    expect(sumsOf(again)).to.deep.equal([1500, 0, 1500, 0]);
    expect(await program.total()).to.equal(1500);
  });

  it('stores only the lines that were added to a file, wherever they stand', async () => {
    const program = new Program();
    await load(program, items(3).join('\n'));
    const outcome = await load(program, [item('first'), ...items(3), item('last')].join('\n'));
    expect(sumsOf(outcome)).to.deep.equal([5, 2, 3, 0]);
  });

  it('takes identical lines for separate automations, the n-th copy of each once', async () => {
    const program = new Program();
    const [a = '', b = ''] = items(2);
    expect(sumsOf(await load(program, [a, b, a, a].join('\n')))).to.deep.equal([4, 4, 0, 0]);
    expect(sumsOf(await load(program, [a, b, a, a].join('\n')))).to.deep.equal([4, 0, 4, 0]);
    expect(sumsOf(await load(program, [a, a, a, a, b].join('\n')))).to.deep.equal([5, 1, 4, 0]);
    expect(await program.total()).to.equal(5);
  });

  it('keeps developers apart', async () => {
    const program = new Program();
    const path = await folder.file(items(2).join('\n'));
    for (const developer of ['acme', 'other'])
      expect(sumsOf(await program.run('automations', 'import', path, '--developer', developer))).to.deep.equal([
        2, 2, 0, 0,
      ]);
  });

  it('takes CRLF for the same line ending as LF, also at the end of the file', async () => {
    const program = new Program();
    expectAll(await load(program, `${items(3).join('\r\n')}\r`));
    expect(sumsOf(await load(program, items(3).join('\n')))).to.deep.equal([3, 0, 3, 0]);
  });

  it('makes line feeds of carriage returns and soft line breaks in texts', async () => {
    const program = new Program();
    expectAll(await load(program, item('x', { description: 'one\r\ntwo\rthree\vfour' })));
    const {
      items: [summary],
    } = await program.session.marketplace.listAutomations(ACME);
    const { description } = await program.session.marketplace.readAutomation(ACME, summary?.id ?? '');
    expect(description).to.equal('one\ntwo\nthree\nfour');
  });

  it('skips blank lines, but counts them', async () => {
    const outcome = await load(new Program(), ['', item('a'), ' \t', '', '{', item('b'), '\r', ''].join('\n'));
    expect(sumsOf(outcome)).to.deep.equal([3, 2, 0, 1]);
    expect(outcome.stderr[0]).to.match(/^line 5 is not valid JSON/);
  });

  it('fails for a file without a line, and says what is expected', async () => {
    for (const content of ['', '\n \r\n']) {
      const outcome = await load(new Program(), content);
      expect(outcome.code).to.equal(1);
      expect(sumsOf(outcome)).to.deep.equal([0, 0, 0, 0]);
      expect(outcome.stderr).to.deep.equal([
        'the file has no automation; expected is a JSON object on each line, with title, description, price, ' +
          'category_id, url, license, file',
      ]);
    }
  });

  it('reads standard input', async () => {
    const program = new Program();
    const outcome = await program.pipe(items(20).join('\n'), 'automations', 'import', '-', '--developer', 'acme');
    expectAll(outcome);
    expect(await program.total()).to.equal(20);
  });

  describe('a line that fails', () => {
    const failing: readonly (readonly [what: string, line: string | Uint8Array, why: RegExp])[] = [
      ['broken JSON', '{"title": "a",}', /is not valid JSON: .+/],
      ['a JSON text', '"text"', /must be an object with title, description, price, category_id/],
      ['an array', '[]', /must be an object/],
      ['null', 'null', /must be an object/],
      ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /is not valid UTF-8/],
      ['a UTF-16 surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), /is not valid UTF-8/],
      [
        'a link that is none',
        item('x', { url: 'javascript:alert(1)' }),
        /url must be an address that begins with https/,
      ],
      ['a licence of two lines', item('x', { license: 'a\nb' }), /license must not contain line breaks/],
      ['an unknown category', item('x', { category_id: 'nonsense' }), /category_id must be the id of a category/],
      ['a price in text', item('x', { price: '9.99' }), /price must be a number, not a string/],
      ['a title of two lines', item('a\r\nb'), /title must not contain line breaks or tabs/],
      ['more than 2 MiB', item('x', { description: 'x'.repeat(2 ** 21) }), /is longer than 2097152 bytes/],
      [
        'unknown members',
        item('x', { id: 1, ['__proto__']: 1 }),
        /has unknown members "id", "__proto__"; allowed are title, .*/,
      ],
      [
        'a member that commands a terminal',
        item('x', { '\u001b[2J\u009b\u202e': 1 }),
        /has unknown members "\\u001b\[2J\\u009b\\u202e"/,
      ],
      [
        'an empty object',
        '{}',
        /title is required; description is required; price is required; category_id is required/,
      ],
      [
        'mistakes of both kinds',
        '{"a":1,"title":""}',
        /has unknown members "a";.*; title must have 1 to 200 characters; .*category_id is required/,
      ],
      ['a lone surrogate', item('x').replace('"x"', '"\\ud800x"'), /title must not contain a lone surrogate/],
    ];
    for (const [what, line, why] of failing)
      it(`for ${what} is listed with every reason, and the others are stored`, async () => {
        const program = new Program();
        const [before = '', after = ''] = items(2);
        const outcome = await load(
          program,
          Buffer.concat([Buffer.from(`${before}\n`), Buffer.from(line), Buffer.from(`\n${after}`)]),
        );
        expect(outcome.code).to.equal(1);
        expect(sumsOf(outcome)).to.deep.equal([3, 2, 0, 1]);
        expect(outcome.stderr).to.have.length(1);
        expect(outcome.stderr[0]).to.match(new RegExp(`^line 2:? ${why.source}`));
        expect(outcome.stderr[0]).to.not.match(/[\u0000-\u001f\u007f-\u009f\u202e]/);
        expect(await program.titles()).to.deep.equal(['Automation 2', 'Automation 1']);
      });

    it('because its key has other content is listed too', async () => {
      const program = new Program();
      const line = item('x', { category_id: 'sales' });
      const reused = new DomainError('idempotency-key-reused', 'idempotency-key-reused', 'this key was used');
      program.session.marketplace.createAutomationsOnce = () => Promise.allSettled([Promise.reject(reused)]);
      expect((await load(program, line)).stderr).to.deep.equal(['line 1: this key was used']);
    });

    it('is stored once it is corrected, and only it', async () => {
      const program = new Program();
      await load(program, [item('a'), item('b', { price: -1 }), item('c')].join('\n'));
      expect(sumsOf(await load(program, [item('a'), item('b'), item('c')].join('\n')))).to.deep.equal([3, 1, 2, 0]);
    });

    it('is listed in the order of the file; of more than 20 failures the others are counted', async () => {
      const lines = Array.from(
        { length: 900 },
        (_, index) => [item('x', { price: -1 }), '{', item('x', { more: 1 })][index % 3],
      );
      const outcome = await load(new Program({ automations: new SlowRepository() }), lines.join('\n'));
      expect(outcome.stderr.slice(0, 20).map((line) => /^line \d+/.exec(line)?.[0])).to.deep.equal(
        Array.from({ length: 20 }, (_, index) => `line ${index + 1}`),
      );
      expect(outcome.stderr.slice(20)).to.deep.equal(['and 880 more lines that failed']);
      expect(sumsOf(outcome)).to.deep.equal([900, 0, 0, 900]);
      expect(outcome.code).to.equal(1);
    });
  });

  it('takes a JSON array as it takes lines, also behind a byte order mark, and nothing twice', async () => {
    const program = new Program();
    const objects = items(3).map((line) => JSON.parse(line) as unknown);
    for (const [content, sums] of [
      [JSON.stringify(objects, null, 2), [3, 3, 0, 0]],
      [`\uFEFF${JSON.stringify(objects)}`, [3, 0, 3, 0]],
      [`\uFEFF${items(3).join('\n')}`, [3, 0, 3, 0]],
    ] as const) {
      const outcome = await load(program, content);
      expectAll(outcome);
      expect(sumsOf(outcome)).to.deep.equal(sums);
    }
    const { stderr } = await load(program, JSON.stringify([...objects, 7]));
    expect(stderr).to.deep.equal([
      'item 4 must be an object with title, description, price, category_id, url, license, file',
    ]);
  });

  it('names a file of another kind in one sentence, before it opens the store', async () => {
    const program = new Program();
    const outcome = await load(program, Buffer.from('1f8b0800000000000003', 'hex'));
    expect(outcome).to.deep.equal({
      code: 1,
      stdout: [],
      stderr: ['the file is compressed (gzip); expected is text in UTF-8'],
    });
    expect(program.opened).to.equal(0);
  });

  it('gives up at a line of more than 4 MiB, with what came before stored', async () => {
    const program = new Program();
    const outcome = await load(program, `${items(3).join('\n')}\n${'x'.repeat(5_000_000)}\n${item('after')}`);
    expect(outcome.code).to.equal(1);
    expect(outcome.stderr).to.deep.equal(['line 4 is longer than 4 MiB; this cannot be a file of JSON lines']);
    expect(sumsOf(outcome)).to.deep.equal([3, 3, 0, 0]);
  });

  describe('when the store fails', () => {
    for (const kind of ['unavailable', 'outcome-unknown'] as const)
      it(`as ${kind}, stops reading, says where, and goes on when run again`, async () => {
        const automations = new FailingRepository(
          1_000,
          new DomainError(kind, 'store-unavailable', 'the store is out of reach'),
        );
        const program = new Program({ automations });
        const content = items(3000).join('\n');
        const outcome = await load(program, content);
        expect(outcome.code).to.equal(1);
        expect(outcome.stderr).to.deep.equal([
          'the store failed after 1000 lines: the store is out of reach; ' +
            'import it again: it resumes, and nothing is stored twice',
        ]);
        expect(sumsOf(outcome)).to.deep.equal([1000, 1000, 0, 0]);
        expect(automations.offers).to.be.below(1_000 + 2 * 1024);
        automations.recover();
        const again = await load(program, content);
        expectAll(again);
        expect(sumsOf(again)).to.deep.equal([3000, 2000, 1000, 0]);
        expect(await program.total()).to.equal(3000);
      });

    it('by a defect, stops too, without a stack', async () => {
      const automations = new FailingRepository(1, new TypeError('x is undefined'));
      const { code, stderr } = await load(new Program({ automations }), items(5).join('\n'));
      expect(code).to.equal(1);
      expect(stderr).to.deep.equal([
        'the store failed after 0 lines: x is undefined; ' + 'import it again: it resumes, and nothing is stored twice',
      ]);
    });

    for (const [title, rules, reason] of [
      ['throw', () => Promise.reject(new DomainError('invalid', 'invalid-fields', 'no registry')), 'no registry'],
      ['return no list', () => undefined as never, 'they must return a list of { field, detail }'],
    ] as const)
      it(`or the rules of the host ${title}, it says which of them failed`, async () => {
        let asked = 0;
        const program = new Program({ rules: () => ((asked += 1) <= 3 ? [] : rules()) });
        const outcome = await load(program, items(5).join('\n'));
        expect(outcome.code).to.equal(1);
        expect(outcome.stderr).to.deep.equal([
          `the rules of the host failed after 3 lines: ${reason}; ` +
            'import it again: it resumes, and nothing is stored twice',
        ]);
        expect(sumsOf(outcome)).to.deep.equal([3, 3, 0, 0]);
      });

    it('to review a line, it is not the line that failed', async () => {
      const program = new Program();
      program.categories.find = () => Promise.reject(new DomainError('unavailable', 'store-unavailable', 'gone'));
      const outcome = await load(program, item('x', { more: 1 }));
      expect(outcome.stderr[0]).to.match(/^the store failed after 0 lines: gone/);
      expect(sumsOf(outcome)).to.deep.equal([0, 0, 0, 0]);
    });

    it('under a group of commits, no promise is left unhandled', async () => {
      const unhandled: unknown[] = [];
      const note = (error: unknown): void => void unhandled.push(error);
      process.on('unhandledRejection', note);
      const inner = new FailingRepository(300, new DomainError('unavailable', 'store-unavailable', 'gone'));
      const program = new Program({ automations: groupCommit(inner) });
      expect((await load(program, items(3000).join('\n'))).code).to.equal(1);
      await setTimeout(20);
      process.off('unhandledRejection', note);
      expect(unhandled).to.deep.equal([]);
    });
  });

  it('ends with 1 when the input breaks off, and stores what came before', async () => {
    const stdin = (async function* () {
      yield `${items(4).join('\n')}\n`;
      throw new Error('EIO: i/o error, read');
    })();
    const program = new Program();
    const outcome = await program.runWith({ stdin }, 'automations', 'import', '-', '--developer', 'acme');
    expect(outcome).to.deep.include({ code: 1, stderr: ['cannot read standard input: EIO: i/o error, read'] });
    expect(sumsOf(outcome)).to.deep.equal([4, 4, 0, 0]);
  });

  it('refuses a wrong developer, a missing file and a folder without category before it opens the store', async () => {
    const program = new Program();
    const file = await folder.file('');
    const mistakes = [
      [file, 'Not A Slug', 2, /^--developer must be 1 to 64 lower-case letters/],
      [folder.path('none'), 'acme', 1, /^cannot read .*none: there is no such file$/],
      [folder.path(''), 'acme', 2, /^--category ID is missing, the category of all$/],
    ] as const;
    for (const [path, developer, exit, message] of mistakes) {
      const { code, stdout, stderr } = await program.run('automations', 'import', path, '--developer', developer);
      expect({ code, stdout }).to.deep.equal({ code: exit, stdout: [] });
      expect(stderr[0]).to.match(message);
    }
    expect(program.opened).to.equal(0);
  });

  it('gives the store at most 500 lines at once, in one call', async () => {
    const slow = new SlowRepository();
    await load(new Program({ automations: slow }), items(3000).join('\n'));
    expect([slow.mostWaiting, slow.largestGroup]).to.deep.equal([500, 500]);
  });

  it('draws its bar on a terminal and leaves nothing of it', async () => {
    const stderr = new Captured(true, 100);
    const stdin = (async function* () {
      for (let round = 0; round < 5; round += 1) {
        yield `${item(`Round ${round}`)}\n`.repeat(300);
        await setTimeout(60);
      }
    })();
    const { code } = await new Program().runWith(
      { stdin, stderr },
      'automations',
      'import',
      '-',
      '--developer',
      'acme',
    );
    expect(code).to.equal(0);
    expect(stderr.text).to.match(/lines\/s/);
    expect(stderr.text.endsWith('\r\u001b[2K')).to.be.true;
  });

  it('waits for nothing more on standard input once it is interrupted, and has stored what came', async () => {
    for (const isAtOnce of [true, false]) {
      const [program, stdin, interruption] = [new Program(), new PassThrough(), new AbortController()];
      const running = program.runWith(
        { stdin, interruption: () => interruption.signal },
        'automations',
        'import',
        '-',
        '--developer',
        'acme',
      );
      stdin.write(`${item('One')}\n${item('Two')}`);
      while (!isAtOnce && (await program.total()) === 0) await nextTurn();
      interruption.abort(new Error('interrupted by me'));
      const { code, stderr } = await running;
      expect({ code, stderr }).to.deep.equal({ code: 1, stderr: ['interrupted by me'] });
      expect(await program.titles()).to.deep.equal(isAtOnce ? [] : ['One']);
    }
  });
});

describe('The command automations withdraw', () => {
  async function withOne(): Promise<{ program: Program; id: string }> {
    const program = new Program();
    const draft = { title: 'x', description: 'x', price: 1, categoryId: 'sales' };
    const { id } = await program.session.marketplace.createAutomation(ACME, draft);
    return { program, id };
  }

  it('takes one off the market, of any developer', async () => {
    const { program, id } = await withOne();
    const { code, stdout } = await program.run('automations', 'withdraw', id, '--reason', 'it is a fraud');
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: [`automation ${id} is withdrawn`] });
    expect(await program.total()).to.equal(0);
  });

  it('notes the reason', async () => {
    const reasons: unknown[] = [];
    const automations = new InMemoryAutomationRepository();
    automations.withdraw = async (_, withdrawal) => {
      reasons.push([withdrawal.reason, withdrawal.developerId]);
      return 'withdrawn';
    };
    const program = new Program({ automations });
    const id = '01a1fea3-1db6-70c8-b8e7-3ae51ca48916';
    await program.run('automations', 'withdraw', id, '--reason', 'it is a fraud');
    await program.run('automations', 'withdraw', id);
    expect(reasons).to.deep.equal([
      ['it is a fraud', undefined],
      [undefined, undefined],
    ]);
  });

  it('changes nothing the second time', async () => {
    const { program, id } = await withOne();
    for (let time = 0; time < 2; time += 1) {
      const { code, stdout } = await program.run('automations', 'withdraw', id);
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: [`automation ${id} is withdrawn`] });
    }
  });

  it('fails for one that is unknown', async () => {
    const { program } = await withOne();
    for (const unknown of ['01a1fea3-1db6-70c8-b8e7-3ae51ca48916', 'nonsense']) {
      const { code, stderr } = await program.run('automations', 'withdraw', unknown);
      expect({ code, stderr }).to.deep.equal({ code: 1, stderr: ['there is no automation with this id'] });
    }
  });
});
