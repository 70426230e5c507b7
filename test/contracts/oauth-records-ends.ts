import assert from './assert.js';
import type { OAuthRecord, OAuthRecords } from '../../domain/ports.js';
import { recordOverlaps } from './overlaps.js';
import { ADA, at, numbers } from './offers.js';
import {
  assertGone,
  assertListed,
  assertOneTrue,
  assertThere,
  record,
  recordIdOf,
  type Revocation,
  revoke,
  upsertAll,
} from './records.js';
import type { Suite } from './runner.js';
import { near } from './strange-ids.js';

type Records = Suite<OAuthRecords>;

/** Declares what records promise of being used up and removed. */
export function endPromises(suite: Records): void {
  suite.describe('consume', () => consumePromises(suite));
  suite.describe('destroy', () => destroyPromises(suite));
  suite.describe('revokeByGrantId', () => revokePromises(suite, 'grantId', 'revokeByGrantId'));
  suite.describe('revokeByClientId', () => revokePromises(suite, 'clientId', 'revokeByClientId'));
  suite.describe('removeExpired', () => removeExpiredPromises(suite));
  recordOverlaps(suite);
}

function consumePromises({ describe, it }: Records): void {
  describe('Stores the time at which the record was used up, and returns true', () => {
    it('of one, and of no other', async (records) => {
      const others = [record(2), record(1, { kind: 'token' })];
      await upsertAll(records, record(1), ...others);
      assert.equal(await records.consume('app', recordIdOf(1), at(5)), true);
      await assertThere(records, record(1, { consumedAt: at(5) }), ...others);
    });

    it('also of one that has expired, and at the first moment of 1970', async (records) => {
      await records.upsert(record(1, { expiresAt: new Date(1) }));
      assert.equal(await records.consume('app', recordIdOf(1), new Date(0)), true);
      await assertThere(records, record(1, { expiresAt: new Date(1), consumedAt: new Date(0) }));
      assert.equal(await records.consume('app', recordIdOf(1), at(5)), false);
    });
  });

  describe('Returns false, and changes nothing, when there is no such record or it was consumed before', () => {
    it('again, earlier and later', async (records) => {
      await records.upsert(record(1));
      await records.consume('app', recordIdOf(1), at(5));
      for (const time of [4, 5, 6]) assert.equal(await records.consume('app', recordIdOf(1), at(time)), false);
      await assertThere(records, record(1, { consumedAt: at(5) }));
    });

    it('for what is nearly there, and for one that was destroyed', async (records) => {
      await upsertAll(records, record(1), record(2));
      await records.destroy({ kind: 'app', id: recordIdOf(2), entries: [] });
      for (const id of [recordIdOf(2), recordIdOf(3), ...near(recordIdOf(1))])
        if (id !== recordIdOf(1)) assert.equal(await records.consume('app', id, at(5)), false, JSON.stringify(id));
      assert.equal(await records.consume('App', recordIdOf(1), at(5)), false);
      await assertListed(records, { kind: 'app' }, [record(1)]);
    });
  });

  describe('When raced, one call returns true', () => {
    it('of 50, for each of 5 codes and 5 refresh tokens', async (records) => {
      const all = numbers(5).flatMap((n) => ['code', 'refresh-token'].map((kind) => record(n, { kind })));
      await upsertAll(records, ...all);
      const winners = await Promise.all(
        all.map(({ kind, id }) => Promise.all(numbers(50).map((n) => records.consume(kind, id, at(n))))),
      );
      for (const answers of winners) assert.equal(answers.filter((answer) => answer).length, 1);
      for (const [index, one] of all.entries())
        await assertThere(records, { ...one, consumedAt: at((winners[index] ?? []).indexOf(true) + 1) });
    });
  });
}

function destroyPromises({ describe, it }: Records): void {
  describe('Removes the record, and returns whether there was one', () => {
    it('one, and no other', async (records) => {
      await upsertAll(records, record(1), record(2), record(1, { kind: 'token' }));
      assert.equal(await records.destroy({ kind: 'app', id: recordIdOf(1), entries: [] }), true);
      await assertGone(records, record(1));
      await assertThere(records, record(2), record(1, { kind: 'token' }));
      assert.equal(await records.destroy({ kind: 'app', id: recordIdOf(1), entries: [] }), false);
      for (const id of near(recordIdOf(2)))
        if (id !== recordIdOf(2))
          assert.equal(await records.destroy({ kind: 'app', id, entries: [] }), false, JSON.stringify(id));
      assert.equal(await records.destroy({ kind: 'App', id: recordIdOf(2), entries: [] }), false);
      await assertThere(records, record(2), record(1, { kind: 'token' }));
    });

    it('also when it is expired and consumed', async (records) => {
      await records.upsert(record(1, { expiresAt: new Date(1) }));
      await records.consume('app', recordIdOf(1), at(5));
      assert.equal(await records.destroy({ kind: 'app', id: recordIdOf(1), entries: [] }), true);
      await assertGone(records, record(1));
    });
  });

  describe('When raced, one call returns true', () => {
    it('of 50', async (records) => {
      await records.upsert(record(1));
      await assertOneTrue(numbers(50).map(() => records.destroy({ kind: 'app', id: recordIdOf(1), entries: [] })));
      await assertGone(records, record(1));
    });
  });
}

function revokePromises({ describe, it }: Records, name: 'grantId' | 'clientId', method: Revocation): void {
  const of = (n: number, value: string, fields: Partial<OAuthRecord> = {}) => record(n, { [name]: value, ...fields });
  const many = numbers(502).map((n) => of(n, n > 501 ? 'theirs' : 'mine', { developerId: ADA }));

  const how = name === 'clientId' ? ', in lots like these' : '';
  describe(`Removes every record, of any kind, with this \`${name}\`, and returns how many${how}`, () => {
    it('expired and consumed ones, and no other', async (records) => {
      const gone = ['app', 'access-token', 'refresh-token', 'Session'].flatMap((kind) => [
        of(1, 'mine', { kind }),
        of(2, 'mine', { kind, expiresAt: new Date(1) }),
      ]);
      const other = name === 'grantId' ? 'clientId' : 'grantId';
      const kept = [of(3, 'theirs'), record(4, { [other]: 'mine' }), record(5), record(1, { kind: 'mine' })];
      await upsertAll(records, ...gone, ...kept);
      await records.consume('refresh-token', recordIdOf(1), at(5));
      for (const text of ['mi', 'mine2', ...near('mine')])
        if (text !== 'mine') assert.equal(await revoke(records, method, text), 0, JSON.stringify(text));
      assert.equal(await revoke(records, method, 'mine'), 8);
      await assertGone(records, ...gone);
      await assertThere(records, ...kept);
      assert.equal(await revoke(records, method, 'mine'), 0);
    });

    it('of 501, each counted once of two calls', async (records) => {
      await upsertAll(records, ...many);
      const [one, other] = await Promise.all([revoke(records, method, 'mine'), revoke(records, method, 'mine')]);
      assert.equal(one + other, 501);
      assert.equal(await records.count('app', ADA), 1);
    });

    it('of 501, with those that another call removes at the same time', async (records) => {
      for (const round of numbers(5)) {
        await upsertAll(
          records,
          ...many.map((one, index) => ({ ...one, ...(index % 2 === 0 && { expiresAt: at(10) }) })),
        );
        const [removed, expired] = await Promise.all([revoke(records, method, 'mine'), records.removeExpired(at(10))]);
        assert.equal(await records.count('app', ADA), 1, `round ${round}`);
        assert.equal(removed + expired, 501);
      }
    });
  });
}

function removeExpiredPromises({ describe, it }: Records): void {
  describe('Removes every record whose `expiresAt` is not after this time, and returns how many', () => {
    it('of any kind, also at the very time, consumed or not, and none that does not expire', async (records) => {
      const kept = [record(11, { expiresAt: at(11) }), record(1)];
      const gone = [record(9, { kind: 'token', expiresAt: at(9) }), record(10, { expiresAt: at(10) })];
      await upsertAll(records, ...gone, ...kept);
      await records.consume('app', recordIdOf(10), at(5));
      assert.equal(await records.removeExpired(at(8)), 0);
      assert.equal(await records.removeExpired(at(10)), 2);
      await assertGone(records, ...gone);
      await assertThere(records, ...kept);
      assert.equal(await records.removeExpired(at(10)), 0);
    });

    it('not one that was stored again to expire later, or never', async (records) => {
      await upsertAll(records, ...numbers(3).map((n) => record(n, { expiresAt: at(10) })));
      await upsertAll(records, record(1, { expiresAt: at(11) }), record(2));
      assert.equal(await records.removeExpired(at(10)), 1);
      await assertListed(records, { kind: 'app' }, [record(2), record(1, { expiresAt: at(11) })]);
    });

    it('many', async (records) => {
      const many = numbers(501).map((n) => record(n, { kind: n % 2 === 0 ? 'app' : 'token', expiresAt: at(n) }));
      await upsertAll(records, ...many, record(502, { expiresAt: at(1_001) }));
      assert.equal(await records.removeExpired(at(1_000)), 501);
      await assertListed(records, { kind: 'app' }, [record(502, { expiresAt: at(1_001) })]);
      await assertListed(records, { kind: 'token' }, []);
    });
  });
}
