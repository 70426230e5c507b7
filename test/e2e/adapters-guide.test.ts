import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import * as contracts from '../contracts/index.js';
import * as storage from '../../adapters/storage/index.js';
import { ROOT } from '../support/readme.js';

const GUIDE = readFileSync(new URL('docs/adapters.md', ROOT), 'utf8');
const EXAMPLE = new URL('test/integration/own-storage/json-storage.ts', ROOT);

describe('docs/adapters.md', () => {
  it('names every contract suite and everything that storages share', () => {
    for (const name of [...Object.keys(contracts), ...Object.keys(storage)].filter((one) => one !== 'BLOCK_SIZE'))
      expect(GUIDE).to.include(`\`${name}`);
  });

  it('shows the `add` of the storage that passes the suites', () => {
    const shown = /^```ts\n(.*?)^```$/ms.exec(GUIDE)?.[1] ?? expect.fail();
    const lines = (text: string) =>
      text
        .split('\n')
        .map((line) => line.trim())
        .join('\n');
    expect(lines(readFileSync(EXAMPLE, 'utf8'))).to.include(lines(shown));
  });
});
