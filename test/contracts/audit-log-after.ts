import assert from './assert.js';
import type { AuditEntry } from '../../domain/audit.js';
import type { AuditLog, AuditQuery } from '../../domain/ports.js';
import { mixedEntries } from './audit-entries.js';
import { ADA, auditEntry, BOB, entryIdOf, numbers } from './offers.js';
import type { Suite } from './runner.js';

/** Reading forwards, from an entry that is known. */
export function afterPromises({ describe, it }: Suite<AuditLog>): void {
  describe(
    'With `after`, those whose id is higher, in ascending order, also when that entry is unknown; with both, those ' +
      'between them',
    () => {
      it('part by part, to the end, of all and of one developer', async (log) => {
        const entries = mixedEntries(20);
        await log.append(entries);
        for (const developerId of [undefined, ADA]) {
          const expected = entries.filter((one) => developerId === undefined || one.developerId === developerId);
          for (const limit of [1, 3, 100]) {
            const seen: AuditEntry[] = [];
            for (let part = await log.list({ developerId, limit, after: entryIdOf(0) }); part.length > 0;) {
              seen.push(...part);
              assert.ok(seen.length <= expected.length, 'each once');
              part = await log.list({ developerId, limit, after: part.at(-1)?.id });
            }
            assert.deepEqual(seen, expected);
          }
        }
      });

      it('of an unknown one, what is higher; of the latest, nothing, until others are appended', async (log) => {
        await log.append([2, 4, 6].map((n) => auditEntry(n)));
        const after = (n: number) => log.list({ limit: 10, after: entryIdOf(n) });
        assert.deepEqual(await after(3), [auditEntry(4), auditEntry(6)]);
        assert.deepEqual(await after(6), []);
        await log.append([auditEntry(7), auditEntry(5)]);
        assert.deepEqual(await after(4), [auditEntry(5), auditEntry(6), auditEntry(7)]);
      });

      it('with `before`, what is between them', async (log) => {
        await log.append(numbers(9).map((n) => auditEntry(n, { developerId: n % 2 === 0 ? BOB : ADA })));
        const between = { after: entryIdOf(2), before: entryIdOf(8) };
        const found = async (query: AuditQuery) => (await log.list(query)).map(({ id }) => id);
        assert.deepEqual(await found({ ...between, limit: 10 }), [3, 4, 5, 6, 7].map(entryIdOf));
        assert.deepEqual(await found({ ...between, limit: 2 }), [3, 4].map(entryIdOf));
        assert.deepEqual(await found({ ...between, limit: 10, developerId: ADA }), [3, 5, 7].map(entryIdOf));
        assert.deepEqual(await found({ limit: 10, after: entryIdOf(8), before: entryIdOf(2) }), []);
      });
    },
  );
}
