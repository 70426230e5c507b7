import { expect } from 'chai';
import { READS } from '../../../domain/ports/storage.js';
import { RECORD_CALLS, RECORD_WRITES } from '../../contracts/oauth-calls.js';
import { REPORT_CALLS, REPORT_WRITES } from '../../contracts/reports.js';
import { CALLS } from '../../contracts/storage-closed.js';
import { FIRST_WRITES, LATER_WRITES } from '../../contracts/storage-unprepared.js';

const namesIn = (port: string, table: object) =>
  Object.keys(table).flatMap((name) => (name.startsWith(`${port}.`) ? [name.slice(port.length + 1)] : []));

const OPTIONAL: Readonly<Record<string, { readonly calls: object; readonly writes: object }>> = {
  oauthRecords: { calls: RECORD_CALLS, writes: RECORD_WRITES },
  reports: { calls: REPORT_CALLS, writes: REPORT_WRITES },
};

describe('The table of the methods that read', () => {
  for (const [port, reads] of Object.entries(READS))
    it(`has those of ${port} that do not write, and no other`, () => {
      const ofOptional = OPTIONAL[port];
      const methods = ofOptional ? Object.keys(ofOptional.calls) : namesIn(port, CALLS);
      const writes = ofOptional ? Object.keys(ofOptional.writes) : namesIn(port, { ...FIRST_WRITES, ...LATER_WRITES });
      expect(reads).to.have.members(methods.filter((name) => !writes.includes(name)));
    });
});
