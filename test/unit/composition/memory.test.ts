import { expect } from 'chai';
import { memoryWarning } from '../../../composition/program/memory.js';

const MIB = 1024 ** 2;

describe('The warning about memory at the start', () => {
  it('names what there is and what is needed', () => {
    expect(memoryWarning(200.7 * MIB)).to.equal(
      'the service has 200 MiB of memory and needs 256; under load the system may end it',
    );
  });

  it('is not there for enough memory, as this machine has', () => {
    expect([memoryWarning(256 * MIB), memoryWarning()]).to.deep.equal([undefined, undefined]);
  });
});
