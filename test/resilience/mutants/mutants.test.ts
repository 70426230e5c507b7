import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { ROOT } from '../../support/readme.js';
import { changed, type Mutant } from './mutant.js';
import { MUTANTS, verdictsOn, verdictsOnUnchanged } from './run.js';
import { SUBJECTS } from './subjects.js';

const EVERY = 5;

const HARMLESS: Mutant = {
  name: 'changes nothing that is promised',
  promise: 'Returns every category, in any order',
  subject: 'categories',
  file: 'adapters/in-memory/category-repository.js',
  text: 'Array.from(this.#categories.values())',
  instead: 'Array.from(this.#categories.values()).reverse()',
};

describe('The contract suites', function () {
  this.timeout(1_200_000);

  it('pass on what is unchanged', async () => {
    const verdicts = await verdictsOnUnchanged();
    expect(verdicts).to.have.length(12);
    expect(verdicts.filter(({ fault }) => fault !== undefined)).to.deep.equal([]);
  });

  it(`notice what breaks a promise, and which one: every ${EVERY}th of ${MUTANTS.length} mutants`, async () => {
    const verdicts = await verdictsOn(MUTANTS.filter((_, index) => index % EVERY === 0));
    expect(verdicts.length).to.be.greaterThan(20);
    expect(verdicts.filter(({ fault }) => fault !== undefined)).to.deep.equal([]);
  });

  it('are asked about texts that stand in one place each', () => {
    const textOf = (file: string) => readFileSync(new URL(`dist/${file}`, ROOT), 'utf8');
    for (const mutant of MUTANTS) expect(changed(textOf(mutant.file), mutant), mutant.name).to.be.a('string');
  });

  it('are found out when they do not', async () => {
    const elsewhere = { ...HARMLESS, instead: '[]', promise: 'The category, or undefined' };
    const nowhere = { ...HARMLESS, text: 'a text that is not there' };
    const verdicts = await verdictsOn([HARMLESS, elsewhere, nowhere]);
    expect(verdicts.map(({ fault }) => fault)).to.deep.equal([
      'survived',
      'was caught by other promises only',
      '"changes nothing that is promised" changes a text that stands 0 times in ' +
        'adapters/in-memory/category-repository.js',
    ]);
  });

  it('have at least 40 mutants, no two of one name', () => {
    const names = MUTANTS.map(({ subject, name, file }) => `${subject} ${file} ${name}`);
    expect(names.length).to.be.greaterThan(40);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
  });

  for (const [subject, declare] of Object.entries(SUBJECTS))
    if (subject !== 'cached pages')
      it(`have a mutant for every promise: ${subject}`, async () => {
        const promises = await promisesOf(declare);
        const broken = MUTANTS.filter((mutant) => mutant.subject === subject).map(({ promise }) => promise);
        expect(promises).to.have.length.above(4);
        expect(promises.filter((title) => !broken.some((promise) => title.startsWith(promise)))).to.deep.equal([]);
      });

  it('are not asked about a text that stands twice', () => {
    expect(() => changed('a b  a\n b', { ...HARMLESS, text: 'a b' })).to.throw(/stands 2 times/);
    expect(changed('x a\n  b', { ...HARMLESS, text: 'a b', instead: '$&' })).to.equal('x $&');
  });
});

/** The titles under which cases stand. */
async function promisesOf(declare: (typeof SUBJECTS)[string]): Promise<readonly string[]> {
  const [path, titles]: [string[], Set<string>] = [[], new Set()];
  const build = {
    contracts: () => import('../../contracts/index.js'),
    memory: () => import('../../../adapters/in-memory/index.js'),
    sqlite: () => import('../../../adapters/sql/sqlite/index.js'),
  };
  await declare(build, {
    describe: (title, suite) => {
      path.push(title);
      suite();
      path.pop();
    },
    it: () => titles.add(path.at(-1) ?? ''),
  });
  return [...titles];
}
