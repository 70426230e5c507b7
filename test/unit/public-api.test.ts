import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { VERSION } from '../../adapters/api/documents/version.js';
import { declarationsOfEntries, reportOf } from '../support/declarations.js';
import { ENTRIES, SERVER } from '../support/packages.js';
import { ROOT } from '../support/readme.js';

const RENEW =
  'other code relies on these declarations; if the change is wanted, `npm run declarations` renews docs/api';
/** Begins the declaration of what is there at run time. */
const VALUE = /^export (?:abstract )?(?:const|function|class) (\w+)/gm;

const blocksOf = (report: string) => report.trimEnd().split('\n\n');

describe('The public API', () => {
  let declared: ReadonlyMap<string, string>;
  before(() => {
    declared = declarationsOfEntries();
  });

  it('knows the version of the packages', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    expect(manifest.version).to.equal(VERSION);
  });

  for (const entry of ENTRIES) {
    it(`of ${entry.name} is what docs/api says`, () => {
      const committed = blocksOf(readFileSync(reportOf(entry), 'utf8'));
      const blocks = blocksOf(declared.get(entry.name) ?? '');
      expect(blocks.length).to.be.greaterThan(0);
      const added = blocks.filter((block) => !committed.includes(block));
      const removed = committed.filter((block) => !blocks.includes(block));
      expect({ added, removed }, RENEW).to.deep.equal({ added: [], removed: [] });
    });

    if (entry.packageName !== SERVER)
      it(`of ${entry.name} has the values that it declares`, async () => {
        const exported = (await import(new URL(`dist/${entry.default}`, ROOT).href)) as object;
        const values = Array.from(declared.get(entry.name)?.matchAll(VALUE) ?? [], ([, name = '']) => name);
        expect(Object.keys(exported).sort()).to.deep.equal(values.sort());
      });
  }
});
