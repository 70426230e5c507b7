import type { AuditEntry } from '../../domain/audit.js';
import type { Storage } from '../../domain/ports.js';
import { assertRecorded } from './archives.js';
import assert from './assert.js';
import { apiKey, assertConflict, hashOf, keyIdOf } from './keys.js';
import { at, auditEntry, numbers } from './offers.js';
import type { Suite } from './runner.js';

/** The promise that all changes of accounts share. */
const SENTENCE =
  'Stored in the audit log together with the change: both or neither. Where nothing changes, none is stored';

/** Returns the nth entry, and the change that has it. */
function audited(n: number): { readonly entries: readonly AuditEntry[] } {
  return { entries: [auditEntry(n)] };
}

/** Asserts that the log has the nth entries, and no others. */
async function assertEntries(store: Pick<Storage, 'auditLog'>, ...stored: readonly number[]): Promise<void> {
  await assertRecorded(store, ...stored.map((n) => auditEntry(n)));
}

/** The entries of keys. */
export function keyEntryPromises({ describe, it }: Suite<Pick<Storage, 'keys' | 'auditLog'>>): void {
  describe(SENTENCE, () => {
    it('those of a key that is added, replaced, renamed and revoked', async (store) => {
      const { keys } = store;
      await keys.add({ key: apiKey(1), ...audited(1) });
      await keys.add({ key: apiKey(2), max: 10, entries: numbers(2).map((n) => auditEntry(n + 1)) });
      await assertEntries(store, 1, 2, 3);
      await keys.replace(keyIdOf(1), { successor: apiKey(3), until: at(9), max: 10, ...audited(4) });
      await assertEntries(store, 1, 2, 3, 4);
      await keys.rename(keyIdOf(2), { name: 'New', ...audited(5) });
      await assertEntries(store, 1, 2, 3, 4, 5);
      await keys.revoke(keyIdOf(2), { at: at(5), ...audited(6) });
      await assertEntries(store, 1, 2, 3, 4, 5, 6);
    });

    it('none of a key that is refused', async (store) => {
      const { keys } = store;
      await keys.add({ key: apiKey(1), ...audited(1) });
      await assertConflict(keys.add({ key: apiKey(1), ...audited(2) }), 'duplicate-key');
      await assertConflict(keys.add({ key: apiKey(2, { hash: hashOf(1) }), max: 9, ...audited(3) }), 'duplicate-key');
      await assertConflict(keys.add({ key: apiKey(2), max: 1, ...audited(4) }), 'too-many-keys');
      const replace = (successor: number, max?: number) =>
        keys.replace(keyIdOf(1), { successor: apiKey(successor), until: at(9), max, ...audited(5) });
      await assertConflict(replace(1), 'duplicate-key');
      await assertConflict(replace(2, 1), 'too-many-keys');
      await assertEntries(store, 1);
    });

    it('none of a key that is not there, or was revoked before', async (store) => {
      const { keys } = store;
      await keys.add({ key: apiKey(1), ...audited(1) });
      assert.equal(await keys.rename(keyIdOf(9), { name: 'New', ...audited(2) }), false);
      assert.equal(await keys.revoke(keyIdOf(9), { at: at(1), ...audited(3) }), false);
      await keys.revoke(keyIdOf(1), { at: at(1), ...audited(4) });
      assert.equal(await keys.revoke(keyIdOf(1), { at: at(2), ...audited(5) }), true);
      for (const id of [keyIdOf(1), keyIdOf(9)])
        assert.equal(await keys.replace(id, { successor: apiKey(2), until: at(9), ...audited(6) }), false);
      await assertEntries(store, 1, 4);
    });

    it('one, of 20 revocations of a key at once', async (store) => {
      await store.keys.add({ key: apiKey(1), entries: [] });
      await Promise.all(numbers(20).map((n) => store.keys.revoke(keyIdOf(1), { at: at(n), ...audited(n) })));
      const revokedAt = (await store.keys.find(keyIdOf(1)))?.revokedAt ?? assert.fail('it is not revoked');
      await assertEntries(store, revokedAt.getTime() - at(0).getTime());
    });
  });
}
