import assert from './assert.js';
import type { OAuthRecords } from '../../domain/ports.js';
import { ADA, at, numbers } from './offers.js';
import { assertGone, assertOneTrue, assertThere, record, recordIdOf, recordsOf } from './records.js';
import type { Suite } from './runner.js';
import type { StorageHandles } from './storage-handles.js';

type Handles = Suite<StorageHandles>;

/** Declares what two handles on one store promise of the records of an authorization server. */
export function recordHandlePromises(suite: Handles): void {
  suite.describe('What one stores, the other sees in calls that start afterwards', () => recordsSeen(suite));
  suite.describe(
    'Calls that overlap have the outcome of some order of them, and no call undoes the write of another',
    () => recordRaces(suite),
  );
}

function recordsSeen({ it }: Handles): void {
  it('records of an authorization server: stored, consumed, revoked', async (handles) => {
    const [one, other] = handles.map(recordsOf) as [OAuthRecords, OAuthRecords];
    const stored = record(1, { developerId: ADA, grantId: 'grant' });
    await one.upsert(stored);
    await assertThere(other, stored);
    assert.equal(await other.consume('app', recordIdOf(1), at(5)), true);
    await assertThere(one, { ...stored, consumedAt: at(5) });
    assert.equal(await one.revokeByGrantId('grant'), 1);
    await assertGone(other, stored);
    assert.equal(await other.count('app', ADA), 0);
  });
}

function recordRaces({ it }: Handles): void {
  for (const kind of ['code', 'refresh-token'])
    it(`20 records of the kind ${kind}, each consumed 20 times at once, by both: once`, async (handles) => {
      const both = handles.map(recordsOf);
      for (const n of numbers(20)) await both[0]?.upsert(record(n, { kind }));
      await Promise.all(
        numbers(20).map((n) =>
          assertOneTrue(numbers(10).flatMap(() => both.map((each) => each.consume(kind, recordIdOf(n), at(n))))),
        ),
      );
      for (const n of numbers(20))
        for (const each of both) await assertThere(each, record(n, { kind, consumedAt: at(n) }));
    });

  it('60 records of one developer, added at once by both, at most 10: 10', async (handles) => {
    const both = handles.map(recordsOf) as [OAuthRecords, OAuthRecords];
    const added = await Promise.all(
      numbers(60).map((n) =>
        both[n % 2 === 0 ? 0 : 1].add({ record: { ...record(n), developerId: ADA }, max: 10, entries: [] }),
      ),
    );
    assert.equal(added.filter((isAdded) => isAdded).length, 10);
    for (const each of both) assert.equal(await each.count('app', ADA), 10);
  });

  it('50 records, one after the other, each consumed by both at once: once', async (handles) => {
    const both = handles.map(recordsOf);
    for (const n of numbers(50)) {
      await both[0]?.upsert(record(n));
      await assertOneTrue(both.map((each) => each.consume('app', recordIdOf(n), at(5))));
    }
  });

  it('a record that is destroyed 40 times at once, by both: once', async (handles) => {
    const both = handles.map(recordsOf);
    await both[0]?.upsert(record(1));
    await assertOneTrue(
      numbers(20).flatMap(() => both.map((each) => each.destroy({ kind: 'app', id: recordIdOf(1), entries: [] }))),
    );
  });

  it('20 records, revoked by consent and by client at once, by both: each is counted once', async (handles) => {
    const both = handles.map(recordsOf);
    for (const n of numbers(20)) await both[n % 2]?.upsert(record(n, { grantId: 'grant', clientId: 'client' }));
    const counts = await Promise.all(
      both.flatMap((each) => [
        each.revokeByGrantId('grant'),
        each.revokeByClientId({ clientId: 'client', entries: [] }),
      ]),
    );
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      20,
    );
    for (const each of both) assert.deepEqual(await each.list({ kind: 'app', limit: 50 }), []);
  });
}
