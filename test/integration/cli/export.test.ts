import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { OutputFile } from '../../../adapters/cli/transfer/output-file.js';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/index.js';
import { newCategory } from '../../../domain/category.js';
import { DomainError } from '../../../domain/errors.js';
import type { ArchivedAutomation, ScanQuery } from '../../../domain/ports.js';
import { automation, at, numbers, offer, offerWithFile } from '../../contracts/offers.js';
import { ACME, Captured, Program, TemporaryFolder } from './harness.js';
import { minorUnits } from '../../../domain/price.js';

const SUMS = /^(\d+) lines written; \d+\.\d s, \d+ lines\/s$/;

/** So many on sale, of which every part but the first fails if it is told to. */
class Stocked extends InMemoryAutomationRepository {
  reads = 0;

  constructor(private readonly failsFrom = Infinity) {
    super();
  }

  async stock(count: number): Promise<this> {
    await this.add(numbers(count).map((n) => offer(n)));
    return this;
  }

  override async scan(query: ScanQuery): Promise<readonly ArchivedAutomation[]> {
    this.reads += 1;
    if (this.reads >= this.failsFrom)
      throw new DomainError('unavailable', 'store-unavailable', 'the store is out of reach');
    return super.scan(query);
  }
}

function over(automations: InMemoryAutomationRepository): Program {
  return new Program({ automations, archive: automations });
}

/** Takes what is written only when it is asked for, or, if it is closed, not at all. */
class Slow extends Captured {
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly closedAfter = Infinity) {
    super();
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  override write(text: string, done?: (error?: Error) => void): boolean {
    this.text += text;
    this.#waiting.push(() => done?.(...(this.text.length > this.closedAfter ? [new Error('EPIPE')] : [])));
    return false;
  }

  take(): void {
    this.#waiting.shift()?.();
  }
}

describe('An export by a command', () => {
  const folder = new TemporaryFolder();
  before(() => folder.create());
  after(() => folder.remove());
  let files = 0;
  const newPath = () => folder.path(`export-${(files += 1)}`);
  const left = (path: string) => readdirSync(folder.path('')).filter((name) => folder.path(name).startsWith(path));

  it("of automations is a line of JSON each, oldest first, with the members of the API's answer", async () => {
    const automations = new InMemoryAutomationRepository();
    const odd = {
      title: '👩‍👩‍👧 "x" \\ é',
      description: 'one\ntwo\u2028three\u0085',
      price: { minorUnits: minorUnits(7), currency: automation(1).price.currency },
      createdAt: at(-7),
      updatedAt: at(8),
    };
    await automations.add([offer(1), offer(2, odd)]);
    const { code, stdout, stderr } = await over(automations).run('automations', 'export');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: [] });
    expect(stdout[0]).to.equal(
      `{"id":"${automation(1).id}","title":"Automation 1","description":"What number 1 does.",` +
        `"price":1.01,"currency":"USD",` +
        '"category_id":"tools","developer_id":"ada","url":"https://ada.example/1","license":"MIT","file":null,' +
        '"created_at":"2026-01-01T12:00:00.000Z",' +
        '"updated_at":"2026-01-01T12:00:00.000Z"}',
    );
    expect(JSON.parse(stdout[1] ?? '')).to.include({
      title: odd.title,
      description: odd.description,
      price: 0.07,
      created_at: '2026-01-01T11:59:59.993Z',
      updated_at: at(8).toISOString(),
    });
    expect(stdout[1]).not.to.match(/[\u0000-\u001f\u007f-\u009f\u2028]/);
    expect(stdout).to.have.length(2);
  });

  it('of automations has their files, byte for byte', async () => {
    const automations = new InMemoryAutomationRepository();
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
    await automations.add([offer(1), offerWithFile(2, bytes), offer(3)]);
    const { stdout } = await over(automations).run('automations', 'export');
    const base64 = Buffer.from(bytes).toString('base64');
    const files = stdout.map((line) => (JSON.parse(line) as { readonly file: unknown }).file);
    expect(files).to.deep.equal([null, { name: 'sort.json', base64 }, null]);
  });

  for (const what of ['automations', 'categories'])
    it(`of ${what} is a file that no other user of the machine can read`, async () => {
      const path = newPath();
      expect((await over(await new Stocked().stock(1)).run(what, 'export', path)).code).to.equal(0);
      expect(statSync(path).mode & 0o777).to.equal(0o600);
    });

  it('of categories is a line each, by name, whatever the order in the store', async () => {
    const program = new Program();
    await program.categories.save(
      [
        { id: 'z', name: 'AI' },
        { id: 'ai', name: 'AI' },
      ].map(newCategory),
    );
    const { code, stdout } = await program.run('categories', 'export');
    expect(code).to.equal(0);
    expect(stdout).to.deep.equal(
      ['ai AI', 'z AI', 'sales Sales', 'support Support'].map((one) => {
        const [id, name] = one.split(' ');
        return JSON.stringify({ id, name });
      }),
    );
  });

  it('of nothing is an empty file, and no failure', async () => {
    const path = newPath();
    const { code, stdout } = await new Program().run('automations', 'export', path);
    expect(code).to.equal(0);
    expect(SUMS.exec(stdout[0] ?? '')?.[1]).to.equal('0');
    expect(readFileSync(path, 'utf8')).to.equal('');
    expect(await new Program().run('automations', 'export', '-')).to.deep.equal({ code: 0, stdout: [], stderr: [] });
  });

  it('into a file is what goes to standard output, over many parts', async () => {
    const program = over(await new Stocked().stock(2_500));
    const path = newPath();
    const { code, stdout, stderr } = await program.run('automations', 'export', path);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: [] });
    expect(SUMS.exec(stdout[0] ?? '')?.[1]).to.equal('2500');
    expect(readFileSync(path, 'utf8')).to.equal(`${(await program.run('automations', 'export')).stdout.join('\n')}\n`);
    expect(left(path)).to.have.length(1);
  });

  it('is never written over a file, and does not open the store for it', async () => {
    const program = new Program();
    const there = await folder.file('mine');
    for (const words of [
      ['automations', 'export', there],
      ['categories', 'export', there],
      ['automations', 'export', folder.path('')],
    ])
      expect((await program.run(...words)).stderr).to.deep.equal([
        `${words[2] ?? ''} already exists; choose another name`,
      ]);
    expect(readFileSync(there, 'utf8')).to.equal('mine');
    expect(program.opened).to.equal(0);
  });

  it('is not written over a file that came meanwhile', async () => {
    const program = over(await new Stocked().stock(1));
    const path = newPath();
    const open = program.session.transfer.everything.bind(program.session.transfer);
    program.session.transfer.everything = async function* (by) {
      yield* open(by);
      await program.run('categories', 'export', path);
    };
    const { code, stderr } = await program.run('automations', 'export', path);
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr: [`${path} already exists; choose another name`],
    });
    expect(readFileSync(path, 'utf8')).to.include('"Sales"');
    expect(left(path)).to.have.length(1);
  });

  it('is not written over one that another export finishes at the very moment', async () => {
    for (let round = 0; round < 20; round += 1) {
      const path = newPath();
      const files = await Promise.all([1, 2, 3, 4].map(() => OutputFile.create(path)));
      await Promise.all(files.map((file, index) => file.write(`${index}`)));
      const ends = await Promise.allSettled(files.map((file) => file.finish()));
      for (const file of files) await file.discard();
      const winners = ends.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
      expect(winners).to.have.length(1);
      expect(readFileSync(path, 'utf8')).to.equal(`${winners[0]}`);
      expect(left(path)).to.have.length(1);
    }
  });

  it('is not written over a link that leads nowhere', async () => {
    const path = newPath();
    symlinkSync('nowhere', path);
    const { code, stderr } = await new Program().run('categories', 'export', path);
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr: [`${path} already exists; choose another name`],
    });
    expect(readlinkSync(path)).to.equal('nowhere');
  });

  it('fails in one line where nothing can be written, before it opens the store', async () => {
    const program = new Program();
    const file = await folder.file('');
    const mistakes = [
      [folder.path('no/file'), 'there is no such folder'],
      [`${file}/file`, 'its folder is a file'],
    ] as const;
    for (const [path, why] of mistakes) {
      const { code, stdout, stderr } = await program.run('automations', 'export', path);
      expect({ code, stdout, stderr }).to.deep.equal({ code: 1, stdout: [], stderr: [`cannot write ${path}: ${why}`] });
    }
    expect(program.opened).to.equal(0);
    expect(existsSync(folder.path('no'))).to.equal(false);
  });

  for (const [when, program] of [
    ['fails', async () => ({ program: over(await new Stocked(2).stock(1_500)), part: {} })],
    [
      'cannot be opened',
      async () => ({
        program: new Program(),
        part: { open: () => Promise.reject(new Error('the store is out of reach')) },
      }),
    ],
  ] as const)
    it(`leaves nothing when the store ${when}`, async () => {
      const path = newPath();
      const run = await program();
      const { code, stdout, stderr } = await run.program.runWith(run.part, 'automations', 'export', path);
      expect({ code, stdout, stderr }).to.deep.equal({ code: 1, stdout: [], stderr: ['the store is out of reach'] });
      expect(left(path)).to.deep.equal([]);
    });

  it('shows how far it is on a terminal, when it goes into a file, and leaves nothing of that', async () => {
    const automations = await new Stocked().stock(3_000);
    const read = automations.scan.bind(automations);
    automations.scan = async (query) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return read(query);
    };
    const stderr = new Captured(true, 100);
    const { code } = await over(automations).runWith({ stderr }, 'automations', 'export', newPath());
    expect(code).to.equal(0);
    expect(stderr.text).to.match(/\d000 lines, \d+ lines\/s/);
    expect(stderr.text.endsWith('\r\u001b[2K')).to.be.true;
    const quiet = new Captured(true, 100);
    await over(automations).runWith({ stderr: quiet }, 'automations', 'export');
    expect(quiet.text).to.equal('');
  });

  it('reads no faster than it is read', async () => {
    const automations = await new Stocked().stock(1_000);
    const stdout = new Slow();
    const done = over(automations).runWith({ stdout }, 'automations', 'export');
    for (let taken = 1; taken <= 5; taken += 1) {
      while (stdout.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(stdout.waiting).to.equal(1);
      expect(automations.reads).to.equal(taken);
      stdout.take();
    }
    expect((await done).code).to.equal(0);
  });

  it('ends when its reader has read enough, as `head` does, with 0 and without a word', async () => {
    const automations = await new Stocked().stock(5_000);
    const stdout = new Slow(1);
    const program = over(automations);
    const done = program.runWith({ stdout }, 'automations', 'export');
    while (stdout.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
    stdout.take();
    const { code, stderr } = await done;
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: [] });
    expect(automations.reads).to.equal(1);
    expect(program.closed).to.equal(1);
  });

  it('while others create has everything that was there before, each once and in order', async () => {
    const program = new Program();
    const create = (n: number) =>
      program.session.marketplace.createAutomation(ACME, {
        title: `N ${n}`,
        description: 'x',
        price: 1,
        categoryId: 'sales',
      });
    for (const n of numbers(1_500)) await create(n);
    const stdout = new Slow();
    const done = program.runWith({ stdout }, 'automations', 'export');
    for (let n = 1_501; n < 1_700; n += 1) {
      await create(n);
      stdout.take();
    }
    const timer = setInterval(() => stdout.take(), 1);
    expect((await done.finally(() => clearInterval(timer))).code).to.equal(0);
    const titles = stdout.lines().map((line) => (JSON.parse(line) as { title: string }).title);
    expect(titles.length).to.be.within(1_500, 1_700);
    expect(titles).to.deep.equal(numbers(titles.length).map((n) => `N ${n}`));
  });
});
