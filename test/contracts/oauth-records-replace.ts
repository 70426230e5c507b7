import assert from './assert.js';
import type { OAuthRecords } from '../../domain/ports.js';
import { ADA, at, numbers } from './offers.js';
import { assertListed, assertOneTrue, assertThere, longestRecord, record, recordIdOf, upsertAll } from './records.js';
import type { Suite } from './runner.js';

type Records = Suite<OAuthRecords>;

const OLD = record(1).content;

/** Declares what records promise of being replaced by one who has read them. */
export function replacePromises({ describe, it }: Records): void {
  const stores =
    'Stores the record in place of one with its kind and id that has the content `from`, as `upsert` does, and ' +
    'returns true';
  describe(stores, () => {
    it('with other fields than before, and no other record', async (records) => {
      const others = [record(2), record(1, { kind: 'token' })];
      await upsertAll(records, record(1, { grantId: 'grant', expiresAt: at(5) }), ...others);
      const changed = record(1, { content: '{"new":1}', developerId: ADA, clientId: 'client' });
      assert.equal(await records.replace(changed, { from: OLD, entries: [] }), true);
      await assertThere(records, changed, ...others);
      assert.equal(await records.revokeByGrantId('grant'), 0);
    });

    it('of the longest content, and with the same content', async (records) => {
      const longest = longestRecord(1);
      await records.upsert(longest);
      assert.equal(await records.replace({ ...longest, uid: 'short' }, { from: longest.content, entries: [] }), true);
      await assertThere(records, { ...longest, uid: 'short' });
    });

    it('one that was consumed, which stays so', async (records) => {
      await records.upsert(record(1));
      await records.consume('app', recordIdOf(1), at(5));
      assert.equal(
        await records.replace(record(1, { content: '1', consumedAt: at(9) }), { from: OLD, entries: [] }),
        true,
      );
      await assertThere(records, record(1, { content: '1', consumedAt: at(5) }));
    });
  });

  describe('Returns false, and changes nothing, when there is no such record or it has another content', () => {
    it('one that was destroyed is not stored again', async (records) => {
      await records.upsert(record(1));
      await records.destroy({ kind: 'app', id: recordIdOf(1), entries: [] });
      assert.equal(await records.replace(record(1, { content: '1' }), { from: OLD, entries: [] }), false);
      await assertListed(records, { kind: 'app' }, []);
    });

    it('of another kind or id, and of a content that is nearly the same', async (records) => {
      await records.upsert(record(1));
      for (const from of ['', OLD.toUpperCase(), ` ${OLD}`, `${OLD} `, OLD.slice(0, -1)])
        assert.equal(
          await records.replace(record(1, { content: '1' }), { from, entries: [] }),
          false,
          JSON.stringify(from),
        );
      assert.equal(await records.replace(record(2, { content: '1' }), { from: OLD, entries: [] }), false);
      assert.equal(await records.replace(record(1, { content: '1', kind: 'App' }), { from: OLD, entries: [] }), false);
      await assertListed(records, { kind: 'app' }, [record(1)]);
      await assertListed(records, { kind: 'App' }, []);
    });
  });

  describe('When raced with another content, one call returns true', () => {
    it('of 20, and its record is there', async (records) => {
      await records.upsert(record(1));
      const contentOf = (n: number) => `{"of":${n}}`;
      const calls = numbers(20).map((n) =>
        records.replace(record(1, { content: contentOf(n) }), { from: OLD, entries: [] }),
      );
      await assertOneTrue(calls);
      const winner = (await Promise.all(calls)).indexOf(true) + 1;
      await assertThere(records, record(1, { content: contentOf(winner) }));
    });
  });
}
