import assert from './assert.js';
import type { OAuthRecord, OAuthRecords } from '../../domain/ports.js';
import { recordEntryPromises } from './account-entries.js';
import { tamper } from './handles.js';
import { endPromises } from './oauth-records-ends.js';
import { listPromises } from './oauth-records-lists.js';
import { replacePromises } from './oauth-records-replace.js';
import { ADA, at, LONGEST_DEVELOPER, numbers } from './offers.js';
import {
  assertGone,
  assertListed,
  assertThere,
  longestId,
  longestRecord,
  OPTIONAL_FIELDS,
  record,
  recordIdOf,
  recordsOf,
  upsertAll,
  type OAuthStore,
} from './records.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';
import { near } from './strange-ids.js';

type Records = Suite<OAuthRecords>;

/** Each field alone, each as long as it may be, and all of them. */
const RECORDS: Readonly<Record<string, OAuthRecord>> = {
  'without any field that may be missing': record(1),
  'with the longest fields, and every escape in its content': longestRecord(1),
  'with an empty content': record(1, { content: '{}' }),
  'with the shortest fields': {
    kind: 'x',
    id: '~',
    content: '0',
    clientId: '!',
    grantId: '"',
    uid: '$',
    userCode: '\\',
  },
  'that expires in 1970': record(1, { expiresAt: new Date(0) }),
  'that expires within a second': record(1, { expiresAt: at(1) }),
  ...Object.fromEntries(
    Object.entries(OPTIONAL_FIELDS).map(([name, value]) => [`with \`${name}\` alone`, record(1, { [name]: value })]),
  ),
};

/**
 * Declares what every `OAuthRecords` promises, for a storage that has them. Left out is that all parts cost the same,
 * which needs a clock.
 */
export function oauthRecordsContract(fresh: Fresh<OAuthStore>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(async (onEnd) => recordsOf(await fresh(onEnd)), runner);
  suite.describe('OAuthRecords', () => {
    suite.describe('upsert', () => upsertPromises(suite));
    suite.describe('add', () => addPromises(suite));
    suite.describe('replace', () => replacePromises(suite));
    suite.describe('find', () => findPromises(suite));
    suite.describe('findByUid', () => secondIdPromises(suite, 'uid', 'findByUid'));
    suite.describe('findByUserCode', () => secondIdPromises(suite, 'userCode', 'findByUserCode'));
    listPromises(suite);
    endPromises(suite);
    copyPromises(suite);
    recordEntryPromises(suiteOver(fresh, runner));
  });
}

function addPromises({ describe, it }: Records): void {
  const owned = (n: number, fields: Partial<OAuthRecord> = {}) => ({ ...record(n, fields), developerId: ADA });

  describe('Stores the record as `upsert` does, and returns true', () => {
    it('field for field, the longest and one that expires', async (records) => {
      const all = [owned(1, longestRecord(1)), owned(2, { expiresAt: at(5) })];
      for (const one of all) assert.equal(await records.add({ record: one, max: 10, entries: [] }), true);
      await assertThere(records, ...all);
      await assertListed(records, { kind: 'app', developerId: ADA }, [owned(2, { expiresAt: at(5) })]);
    });

    it('in place of one that was consumed, which stays so', async (records) => {
      await records.upsert(record(1));
      await records.consume('app', recordIdOf(1), at(5));
      assert.equal(
        await records.add({ record: owned(1, { content: '1', consumedAt: at(9) }), max: 10, entries: [] }),
        true,
      );
      await assertThere(records, owned(1, { content: '1', consumedAt: at(5) }));
    });
  });

  describe(
    'Returns false, and stores nothing, when its developer has `max` records of its kind already, ' +
      'expired ones included, also when raced, by whatever processes',
    () => {
      it('up to it, and not beyond; other kinds and other developers have room', async (records) => {
        assert.equal(await records.add({ record: owned(1, { expiresAt: new Date(0) }), max: 2, entries: [] }), true);
        assert.equal(await records.add({ record: owned(2), max: 2, entries: [] }), true);
        assert.equal(await records.add({ record: owned(3), max: 2, entries: [] }), false);
        await assertGone(records, record(3));
        assert.equal(await records.add({ record: owned(3, { kind: 'token' }), max: 1, entries: [] }), true);
        assert.equal(
          await records.add({ record: { ...record(4), developerId: LONGEST_DEVELOPER }, max: 1, entries: [] }),
          true,
        );
        await records.destroy({ kind: 'app', id: recordIdOf(2), entries: [] });
        assert.equal(await records.add({ record: owned(3), max: 2, entries: [] }), true);
      });

      it('40 at once, at most 10', async (records) => {
        const added = await Promise.all(
          numbers(40).map((n) => records.add({ record: owned(n), max: 10, entries: [] })),
        );
        assert.equal(added.filter((isAdded) => isAdded).length, 10);
        assert.equal(await records.count('app', ADA), 10);
      });
    },
  );
}

function upsertPromises({ describe, it }: Records): void {
  describe('Stores the record, in place of one with its kind and id', () => {
    it('with other fields: none of the earlier ones is left', async (records) => {
      await upsertAll(records, record(1, OPTIONAL_FIELDS), record(2, OPTIONAL_FIELDS));
      await records.upsert(record(1, { content: '{}', uid: 'other', expiresAt: at(5) }));
      await assertThere(records, record(1, { content: '{}', uid: 'other', expiresAt: at(5) }));
      assert.deepEqual(await records.findByUid('app', 'other'), await records.find('app', recordIdOf(1)));
      assert.deepEqual(await records.findByUid('app', 'uid'), record(2, OPTIONAL_FIELDS));
      await records.upsert(record(1, OPTIONAL_FIELDS));
      await assertThere(records, record(1, OPTIONAL_FIELDS), record(2, OPTIONAL_FIELDS));
    });

    it('one of each kind with the same id, in upper and lower case, too', async (records) => {
      const all = ['app', 'App', 'app-1', 'ap'].map((kind) => record(1, { ...OPTIONAL_FIELDS, kind }));
      await upsertAll(records, ...all);
      await assertThere(records, ...all);
      for (const one of all) {
        await assertListed(records, { kind: one.kind }, [one]);
        assert.deepEqual(await records.findByUid(one.kind, 'uid'), one);
        assert.deepEqual(await records.findByUserCode(one.kind, 'user-code'), one);
        assert.equal(await records.count(one.kind, LONGEST_DEVELOPER), 1);
      }
    });

    it('a new one 20 times at once: it is there as one of them', async (records) => {
      const all = numbers(20).map((n) => record(1, { content: `{"of":${n}}`, uid: `uid-${n}` }));
      await Promise.all(all.map((one) => records.upsert(one)));
      const [found, ...others] = await records.list({ kind: 'app', limit: 10 });
      assert.equal(others.length, 0);
      assert.deepEqual(found, all.find(({ uid }) => uid === found?.uid) ?? assert.fail());
    });
  });

  describe('Whether and when that one was consumed stays; a `consumedAt` of the record itself is not stored', () => {
    it('of a new record', async (records) => {
      await records.upsert(record(1, { consumedAt: at(9) }));
      await assertThere(records, record(1));
      assert.equal(await records.consume('app', recordIdOf(1), at(5)), true);
    });

    it('of one that was consumed', async (records) => {
      await records.upsert(record(1, { grantId: 'grant' }));
      await records.consume('app', recordIdOf(1), at(5));
      for (const consumedAt of [undefined, at(9)]) {
        await records.upsert(record(1, { content: '{}', ...(consumedAt && { consumedAt }) }));
        await assertThere(records, record(1, { content: '{}', consumedAt: at(5) }));
      }
      assert.equal(await records.consume('app', recordIdOf(1), at(9)), false);
    });

    it('of one that was destroyed and is stored again: it was not consumed', async (records) => {
      await records.upsert(record(1));
      await records.consume('app', recordIdOf(1), at(5));
      await records.destroy({ kind: 'app', id: recordIdOf(1), entries: [] });
      await records.upsert(record(1));
      await assertThere(records, record(1));
    });
  });
}

function findPromises({ describe, it }: Records): void {
  describe(
    'Returns the record, field for field, expired and consumed ones included; ' + 'undefined when there is none',
    () => {
      for (const [what, one] of Object.entries(RECORDS))
        it(`one ${what}, before and after it is consumed`, async (records) => {
          await records.upsert(one);
          await assertThere(records, one);
          await assertListed(records, { kind: one.kind }, [one], [1]);
          assert.equal(await records.consume(one.kind, one.id, at(5)), true);
          await assertThere(records, { ...one, consumedAt: at(5) });
          await assertListed(records, { kind: one.kind }, [{ ...one, consumedAt: at(5) }], [1]);
        });

      it('three with the longest fields, which differ in the last character of id or kind', async (records) => {
        const first = longestRecord(1);
        const others = [longestRecord(2), { ...longestRecord(3), id: first.id, kind: `${first.kind.slice(0, -1)}2` }];
        await upsertAll(records, first, ...others);
        await assertThere(records, first, ...others);
        for (const [index, one] of others.entries()) {
          assert.deepEqual(await records.findByUid(one.kind, longestId(index + 2)), one);
          assert.deepEqual(await records.findByUserCode(one.kind, longestId(index + 2)), one);
        }
        assert.equal(await records.revokeByClientId({ clientId: longestId(1, 500), entries: [] }), 1);
        await assertGone(records, first);
        assert.equal(await records.revokeByGrantId(longestId(2)), 1);
        await assertThere(records, ...others.slice(1));
      });

      it('undefined for kinds and ids that are nearly there', async (records) => {
        await records.upsert(record(1));
        for (const text of near('app')) if (text !== 'app') await assertGone(records, record(1, { kind: text }));
        for (const text of near(recordIdOf(1)))
          if (text !== recordIdOf(1)) await assertGone(records, record(1, { id: text }));
        await assertThere(records, record(1));
      });
    },
  );
}

function secondIdPromises({ describe, it }: Records, name: 'uid' | 'userCode', method: Method): void {
  describe(
    `Returns the record of this kind with this \`${name}\`, expired ones included; ` + 'undefined when there is none',
    () => {
      it('each by its own, also when it is expired and consumed', async (records) => {
        const all = numbers(3).map((n) => record(n, { [name]: `second_${n}`, expiresAt: new Date(n) }));
        await upsertAll(records, ...all, record(4));
        await records.consume('app', recordIdOf(3), at(5));
        for (const [index, one] of [all[0], all[1], { ...all[2], consumedAt: at(5) }].entries())
          assert.deepEqual(await records[method]('app', `second_${index + 1}`), one);
      });

      it('undefined for one of another kind, the other second id, and what is nearly there', async (records) => {
        const other = name === 'uid' ? 'userCode' : 'uid';
        await upsertAll(records, record(1, { [name]: 'second' }), record(2, { [other]: 'other' }), record(3));
        assert.deepEqual(await records[method]('app', 'second'), record(1, { [name]: 'second' }));
        for (const text of ['other', recordIdOf(1), ...near('second')])
          if (text !== 'second') assert.equal(await records[method]('app', text), undefined, JSON.stringify(text));
        for (const kind of ['App', 'apps', '']) assert.equal(await records[method](kind, 'second'), undefined);
      });
    },
  );
}

type Method = 'findByUid' | 'findByUserCode';

function copyPromises({ describe, it }: Records): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('what was stored, and when it was consumed', async (records) => {
      const [given, consumedAt] = [record(1, { ...OPTIONAL_FIELDS, expiresAt: at(1_000) }), at(5)];
      await records.upsert(given);
      tamper(given);
      await assertThere(records, record(1, OPTIONAL_FIELDS));
      await records.consume('app', recordIdOf(1), consumedAt);
      tamper([consumedAt]);
      await assertThere(records, record(1, { ...OPTIONAL_FIELDS, consumedAt: at(5) }));
    });

    it('what was found and listed', async (records) => {
      await records.upsert(record(1, OPTIONAL_FIELDS));
      await records.consume('app', recordIdOf(1), at(5));
      tamper(await records.find('app', recordIdOf(1)));
      tamper(await records.findByUid('app', 'uid'));
      tamper(await records.findByUserCode('app', 'user-code'));
      tamper(await records.list({ kind: 'app', limit: 10 }));
      await assertThere(records, record(1, { ...OPTIONAL_FIELDS, consumedAt: at(5) }));
    });
  });
}
