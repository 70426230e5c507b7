import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Program } from '../integration/cli/harness.js';

const PAGES = ['README.md', 'CONTRIBUTING.md', 'deploy/README.md', ...pagesOf('docs'), ...pagesOf('docs/pages')];
/** A command in a block of a page: its name has one or two words, and options begin with two hyphens. */
const COMMAND = /(?:npm run -s marketplace --|bin\/automation-marketplace) ([a-z]+(?: [a-z]+(?= |$))?)([^#&\n]*)/gm;

function pagesOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

const textOf = (page: string): string => readFileSync(page, 'utf8');

/** Returns the options that the pages use, by command. */
function usedOptions(): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map<string, Set<string>>();
  for (const [, name = '', rest = ''] of PAGES.flatMap((page) => [...textOf(page).matchAll(COMMAND)])) {
    const options = used.get(name) ?? new Set();
    for (const [option] of rest.matchAll(/--[a-z-]+/g)) options.add(option);
    used.set(name, options);
  }
  return used;
}

/** Returns the anchors of a page, as GitHub makes them from headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const prose = textOf(page).replaceAll(/^```.*?^```/gms, '');
  const headings = Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading.toLowerCase());
  return new Set(headings.map((heading) => heading.replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-')));
}

/** Returns the links of a page that lead to no file of the repository, or to no heading of it. */
function brokenLinks(page: string): readonly string[] {
  const links = Array.from(textOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
  return links.filter((link) => !link.includes('://') && !leads(page, link)).map((link) => `${page}: ${link}`);
}

function leads(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? page : posix.join(posix.dirname(page), path);
  return existsSync(file) && (anchor === undefined || anchorsOf(file).has(anchor));
}

describe('The docs', () => {
  it('lead to pages and headings that are there', () => {
    expect(anchorsOf('README.md')).to.include('run-the-service');
    expect(PAGES.flatMap(brokenLinks)).to.deep.equal([]);
  });

  it('give a program no address of a database that may be empty and mean another one', () => {
    const blocks = PAGES.flatMap((page) =>
      [...textOf(page).matchAll(/^```.*?^```/gms)].map(([code]) => `${page} ${code}`),
    );
    const unguarded = blocks.filter((code) => /\$\{?(?:POSTGRES|MONGODB)_URL(?:_FILE)?(?!\w|:\?)/.test(code));
    expect(unguarded).to.deep.equal([]);
    expect(
      blocks.filter((code) => code.includes('{POSTGRES_URL:?}') || code.includes('{MONGODB_URL:?}')),
    ).to.have.length(2);
  });

  it('name commands that there are, with options that these take', async () => {
    const wrong: string[] = [];
    for (const [name, options] of usedOptions()) {
      const { code, stdout } = await new Program().run(...name.split(' '), '--help');
      if (code !== 0) wrong.push(name);
      else
        wrong.push(
          ...[...options].filter((option) => !stdout.join('\n').includes(option)).map((option) => `${name} ${option}`),
        );
    }
    expect(usedOptions().size).to.be.greaterThan(12);
    expect(wrong).to.deep.equal([]);
  });
});
