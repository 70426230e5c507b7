import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'rolldown';

const CLIENT = fileURLToPath(new URL('../../../adapters/client/index.js', import.meta.url));
const MAX_BYTES = 4_000;

describe('The client', () => {
  it('has less than 4 kB when it is minified and gzipped, and loads nothing else', async () => {
    const { output } = await build({ input: CLIENT, write: false, output: { minify: true } });
    expect(output).to.have.length(1);
    expect(output[0].imports).to.deep.equal([]);
    expect(gzipSync(output[0].code).length).to.be.within(1_000, MAX_BYTES);
  });
});
