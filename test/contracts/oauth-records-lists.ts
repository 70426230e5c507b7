import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { OAuthRecords } from '../../domain/ports.js';
import { ADA, at, BOB, numbers } from './offers.js';
import { assertListed, record, recordIdOf, upsertAll } from './records.js';
import type { Suite } from './runner.js';
import { near } from './strange-ids.js';

type Records = Suite<OAuthRecords>;

/** Declares what records promise of their lists, and of how many there are. */
export function listPromises(suite: Records): void {
  suite.describe('list', () => {
    orderPromises(suite);
    beforePromises(suite);
  });
  suite.describe('count', () => countPromises(suite));
}

function orderPromises({ describe, it }: Records): void {
  describe(
    'Returns records of a kind, of one developer or of all, in descending order of their ids; at most `limit` of ' +
      'them, and fewer only at the end',
    () => {
      it('none', (records) => assertListed(records, { kind: 'app' }, []));

      it('whatever the order in which they were stored, stored again and consumed', async (records) => {
        const all = numbers(12).map((n) => record(n, n % 3 > 0 ? { developerId: n % 3 === 1 ? ADA : BOB } : {}));
        for (const index of [7, 0, 11, 3, 9, 1, 5, 10, 2, 8, 4, 6]) await records.upsert(all[index] ?? assert.fail());
        await upsertAll(records, record(6, { kind: 'token', developerId: ADA }), all[3] ?? assert.fail());
        await records.consume('app', recordIdOf(9), at(5));
        const descending = all.with(8, record(9, { consumedAt: at(5) })).toReversed();
        await assertListed(records, { kind: 'app' }, descending);
        await assertListed(records, { kind: 'app', developerId: undefined }, descending);
        for (const developerId of [ADA, BOB])
          await assertListed(
            records,
            { kind: 'app', developerId },
            descending.filter((one) => one.developerId === developerId),
          );
        for (const text of near(ADA).filter((one) => one !== ADA))
          await assertListed(records, { kind: 'app', developerId: text as DeveloperId }, []);
        await assertListed(records, { kind: 'App' }, []);
      });

      it('in the order of their bytes', async (records) => {
        const all = ['!', '0', '10', '9', 'A', 'Z', '_', 'a', 'aa', 'b', '~'].map((id) => record(1, { id }));
        await upsertAll(records, ...all);
        await assertListed(records, { kind: 'app' }, all.toReversed());
      });

      it('1,001', async (records) => {
        const all = numbers(1_001).map((n) => record(n, { developerId: ADA }));
        await upsertAll(records, ...all);
        await assertListed(records, { kind: 'app' }, all.toReversed(), [101, 1_000]);
        await assertListed(records, { kind: 'app', developerId: ADA }, all.toReversed(), [101, 1_000]);
      });
    },
  );
}

function beforePromises({ describe, it }: Records): void {
  describe('With `before`, those whose id is lower, also when there is no such record', () => {
    it('of another developer, of another kind, destroyed, and of none', async (records) => {
      await upsertAll(
        records,
        ...[1, 3, 5].map((n) => record(n, { developerId: ADA })),
        record(4, { developerId: BOB }),
      );
      await upsertAll(records, record(2, { kind: 'token' }), record(6));
      await records.destroy({ kind: 'app', id: recordIdOf(6), entries: [] });
      const idsBefore = async (before: string) =>
        (await records.list({ kind: 'app', developerId: ADA, before, limit: 10 })).map(({ id }) => id);
      for (const [before, ...expected] of [[6, 5, 3, 1], [5, 3, 1], [4, 3, 1], [3, 1], [2, 1], [1], [0], [7, 5, 3, 1]])
        assert.deepEqual(await idsBefore(recordIdOf(before ?? 0)), expected.map(recordIdOf), `before ${before}`);
      assert.deepEqual(await idsBefore('~'), [5, 3, 1].map(recordIdOf));
      for (const text of ['', '!', recordIdOf(1).slice(0, -1)]) assert.deepEqual(await idsBefore(text), []);
      for (const text of ['\0', '\uD800']) assert.ok((await idsBefore(text)).length <= 3, 'it does not fail');
    });
  });
}

function countPromises({ describe, it }: Records): void {
  describe('Returns how many records of a kind a developer has, expired ones included', () => {
    it('of each their own', async (records) => {
      const own = numbers(7).map((n) => record(n, { developerId: ADA, expiresAt: new Date(n) }));
      await upsertAll(records, ...own, record(8, { developerId: BOB }), record(9), record(1, { kind: 'token' }));
      await records.consume('app', recordIdOf(1), at(5));
      await records.destroy({ kind: 'app', id: recordIdOf(2), entries: [] });
      await records.upsert(record(3, { developerId: BOB }));
      assert.deepEqual([await records.count('app', ADA), await records.count('app', BOB)], [5, 2]);
      assert.equal(await records.count('token', ADA), 0);
      for (const text of near(ADA).filter((one) => one !== ADA))
        assert.equal(await records.count('app', text as DeveloperId), 0, JSON.stringify(text));
    });
  });
}
