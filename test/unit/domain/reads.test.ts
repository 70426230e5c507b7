import { expect } from 'chai';
import { READS } from '../../../domain/ports/storage.js';
import { RECORD_CALLS, RECORD_WRITES } from '../../contracts/oauth-calls.js';
import { CALLS } from '../../contracts/storage-closed.js';
import { FIRST_WRITES, LATER_WRITES } from '../../contracts/storage-unprepared.js';

const namesIn = (port: string, table: object) =>
  Object.keys(table).flatMap((name) => (name.startsWith(`${port}.`) ? [name.slice(port.length + 1)] : []));

describe('The table of the methods that read', () => {
  for (const [port, reads] of Object.entries(READS))
    it(`has those of ${port} that do not write, and no other`, () => {
      const isOfRecords = port === 'oauthRecords';
      const methods = isOfRecords ? Object.keys(RECORD_CALLS) : namesIn(port, CALLS);
      const writes = isOfRecords ? Object.keys(RECORD_WRITES) : namesIn(port, { ...FIRST_WRITES, ...LATER_WRITES });
      expect(reads).to.have.members(methods.filter((name) => !writes.includes(name)));
    });
});
