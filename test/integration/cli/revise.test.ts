import { expect } from 'chai';
import { InMemoryAutomationRepository } from '../../../adapters/in-memory/index.js';
import { InMemoryAuditLog } from '../../../adapters/in-memory/index.js';
import { OPERATOR } from '../../../domain/access.js';
import type { Revision, ReviseOutcome } from '../../../domain/ports.js';
import { ACME, Program, TemporaryFolder, type Outcome, type StoreOptions } from './harness.js';
import { signedIn } from '../../support/signed-in.js';

const DRAFT = { title: 'Old', description: 'Before', price: 1, categoryId: 'sales' };

async function withOne(options: StoreOptions = {}) {
  const program = new Program(options);
  const created = await program.session.marketplace.createAutomation(ACME, DRAFT);
  const read = () => program.session.marketplace.readAutomation(ACME, created.id);
  // In upper case: case does not count in an id.
  const revise = (...words: readonly string[]) =>
    program.run('automations', 'revise', created.id.toUpperCase(), ...words);
  return { program, created, read, revise, id: created.id };
}

/** Lets another revision come first, a given number of times. */
class Contested extends InMemoryAutomationRepository {
  left = 0;
  rival: (() => Promise<unknown>) | undefined;

  override async revise(revision: Revision): Promise<ReviseOutcome> {
    if (this.left > 0) {
      const left = this.left - 1;
      this.left = 0;
      await this.rival?.();
      this.left = left;
    }
    return super.revise(revision);
  }
}

async function contested(times: number) {
  const auditLog = new InMemoryAuditLog();
  const automations = new Contested(auditLog);
  const one = await withOne({ automations, archive: automations, auditLog });
  const changes = [{ title: 'Rival' }, { description: 'Rival' }];
  automations.left = times;
  automations.rival = () =>
    one.program.session.marketplace.reviseAutomation(signedIn(ACME), one.id, changes.shift() ?? {});
  return one;
}

function expectMistake({ code, stdout, stderr }: Outcome, message: RegExp, exitCode = 2): void {
  expect({ code, stdout }).to.deep.equal({ code: exitCode, stdout: [] });
  expect(stderr.join('\n')).to.match(message);
}

describe('The command automations revise', () => {
  const folder = new TemporaryFolder();
  before(() => folder.create());
  after(() => folder.remove());

  it('changes what an option names, says so, and leaves the rest', async () => {
    const { revise, read, created, id } = await withOne();
    const { code, stdout, stderr } = await revise('--price', '2,50', '--category', 'support');
    expect({ code, stdout, stderr }).to.deep.equal({
      code: 0,
      stdout: [`automation ${id} is revised; changed price, category`],
      stderr: [],
    });
    const { updatedAt, ...revised } = await read();
    expect(updatedAt).to.be.above(created.createdAt);
    expect({ ...revised, updatedAt: created.updatedAt }).to.deep.equal({
      ...created,
      price: { minorUnits: 250, currency: 'USD' },
      categoryId: 'support',
    });
  });

  it('takes the description from a file or from standard input, with its line breaks', async () => {
    const { program, revise, read, id } = await withOne();
    const { stdout } = await revise('--description', await folder.file('One\r\nTwo\n'), '--title', 'New');
    expect(stdout).to.deep.equal([`automation ${id} is revised; changed title, description`]);
    expect(await read()).to.include({ title: 'New', description: 'One\nTwo' });
    await program.pipe('\uFEFFThree\n\tfour', 'automations', 'revise', id, '--description', '-');
    expect(await read()).to.include({ title: 'New', description: 'Three\n\tfour' });
  });

  it('sets the address and the licence, shows them, and removes them with an empty text', async () => {
    const { program, revise, read, id } = await withOne();
    const texts = { url: 'https://a.example/x', license: 'Apache-2.0 OR MIT' };
    const { stdout } = await revise('--url', texts.url, '--license', texts.license);
    expect(stdout).to.deep.equal([`automation ${id} is revised; changed url, license`]);
    expect(await read()).to.include({ title: 'Old', ...texts });
    const shown = (await program.run('automations', 'show', id)).stdout;
    expect(shown).to.include.members(['url        https://a.example/x', 'license    Apache-2.0 OR MIT']);
    expect((await revise('--url', '', '--license=')).stdout).to.deep.equal(stdout);
    expect(await read()).to.include({ url: null, license: null });
  });

  it('says that nothing changed, and stores nothing', async () => {
    const { program, revise, read, created, id } = await withOne();
    const { code, stdout } = await revise('--title', ' Old ', '--price', '1.00');
    expect({ code, stdout }).to.deep.equal({
      code: 0,
      stdout: [`automation ${id} already has these values; nothing changed`],
    });
    expect(await read()).to.deep.equal(created);
    const { items } = await program.audit.list(OPERATOR);
    expect(items.map(({ action }) => action)).to.deep.equal(['automation-published']);
  });

  it('tries once more after a conflict, on the state that the other revision left', async () => {
    const { revise, read } = await contested(1);
    expect((await revise('--price', '7')).code).to.equal(0);
    expect(await read()).to.deep.include({ title: 'Rival', price: { minorUnits: 700, currency: 'USD' } });
  });

  it('after a second conflict changes nothing and says who changed what', async () => {
    const { revise, read } = await contested(2);
    expectMistake(
      await revise('--price', '7'),
      /^nothing was changed: developer acme changed description at 20\d\d-.*Z; look at it and try again$/,
      1,
    );
    expect(await read()).to.include({ title: 'Rival', description: 'Rival' });
    expect((await read()).price.minorUnits).to.equal(100);
  });

  it('refuses wrong values, by the name of their option, and stores nothing', async () => {
    const { revise, read, created } = await withOne();
    const mistakes: readonly (readonly [words: readonly string[], message: RegExp])[] = [
      [[], /^--title, --description, --price, --category, --url, --license or --file is missing$/m],
      [['--title', ''], /^--title must have 1 to 200 characters$/m],
      [['--title', 'a\nb', '--price', '100000000'], /^--title must not contain line .*; --price must be from 0/],
      [['--price', '1,000'], /^--price must be an amount such as 9\.99 or 9,99, with at most 2 decimals /],
      [['--price=-1'], /^--price must be an amount such as 9\.99 or 9,99, /],
      [['--price', '100000000'], /^--price must be from 0 to 99999999\.99$/m],
      [['--price', '-1'], /^--price must be an amount/],
      [['--url', 'http://a.example'], /^--url must be an address that begins with https:\/\/$/m],
      [['--license', 'x'.repeat(101)], /^--license must have 1 to 100 characters$/m],
      [['--category', 'games'], /^--category must be the id of a category; `categories export` lists them$/m],
      [['--description', await folder.file('x'.repeat(10_001))], /^--description must have 1 to 10,000 characters/],
    ];
    for (const [words, message] of mistakes) expectMistake(await revise(...words), message);
    expect(await read()).to.deep.equal(created);
  });

  it('says what is wrong with a file', async () => {
    const { revise, read, created } = await withOne();
    const files: readonly (readonly [path: string, message: RegExp])[] = [
      [folder.path('none'), /^cannot read .*none: there is no such file$/],
      [folder.path(''), /^cannot read .*: it is a directory$/],
      [await folder.file(Uint8Array.of(0xff)), /^the file is not valid UTF-8$/],
      [await folder.file(Uint8Array.of(0x1f, 0x8b, 8)), /^the file is compressed \(gzip\); expected is text in UTF-8$/],
      [await folder.file('x'.repeat(64 * 1024 + 1)), /^the file has more than 65536 bytes$/],
    ];
    for (const [path, message] of files) expectMistake(await revise('--description', path), message, 1);
    expect(await read()).to.deep.equal(created);
  });

  it('fails for one that is unknown or withdrawn', async () => {
    const { program, revise, id } = await withOne();
    await program.run('automations', 'withdraw', id);
    expectMistake(await revise('--price', '2'), /^automation \S+ cannot be revised: it is withdrawn, since 20\S+Z$/, 1);
    for (const unknown of ['01a1fea3-1db6-70c8-b8e7-3ae51ca48916', 'nonsense'])
      expectMistake(
        await program.run('automations', 'revise', unknown, '--price', '2'),
        /^there is no automation with this id$/,
        1,
      );
  });
});
