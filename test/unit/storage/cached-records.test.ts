import { expect } from 'chai';
import { InMemoryOAuthRecords } from '../../../adapters/in-memory/oauth-records.js';
import { inMemoryStorage } from '../../../adapters/in-memory/storage.js';
import { cachedStorage } from '../../../adapters/storage/index.js';
import type { OAuthRecord, OAuthRecords } from '../../../domain/ports.js';
import { ADA, at, numbers } from '../../contracts/offers.js';
import { record, recordIdOf } from '../../contracts/records.js';

const KINDS = ['app', 'connection'];

/** Records that note what is looked up, and that can be made to fail after a write. */
class WatchedRecords extends InMemoryOAuthRecords {
  lookups: string[] = [];
  answering: Promise<void> = Promise.resolve();
  writing: Promise<void> = Promise.resolve();
  isBroken = false;

  override async find(kind: string, id: string): Promise<OAuthRecord | undefined> {
    this.lookups.push(`${kind} ${id}`);
    const found = await super.find(kind, id);
    await this.answering;
    return found;
  }

  override async destroy(removal: Parameters<OAuthRecords['destroy']>[0]): Promise<boolean> {
    await this.writing;
    const answer = await super.destroy(removal);
    if (this.isBroken) throw new Error('the answer was lost');
    return answer;
  }
}

function open(seconds?: number) {
  const store = new WatchedRecords();
  const clock = { time: 0 };
  const options = { ...(seconds !== undefined && { seconds }), clock: () => 1 + clock.time };
  const cache = cachedStorage({ ...inMemoryStorage(), oauthRecords: store }, options).oauthRecords;
  if (cache === undefined) throw new Error('the records are gone');
  return { store, clock, cache };
}

/** Stores two apps, two connections and two codes, of one grant and client, and finds each by the cache. */
async function filled() {
  const { store, clock, cache } = open();
  for (const kind of [...KINDS, 'code'])
    for (const n of [1, 2]) await store.upsert(record(n, { kind, grantId: 'grant', expiresAt: at(n) }));
  await findAll(cache);
  store.lookups = [];
  return { store, clock, cache };
}

async function findAll(cache: OAuthRecords): Promise<void> {
  for (const kind of KINDS) for (const n of [1, 2]) await cache.find(kind, recordIdOf(n));
}

describe('A cache of apps and connections', () => {
  it('asks for each once in 5 seconds by default, and for a record of another kind every time', async () => {
    const { store, clock, cache } = open();
    for (const kind of [...KINDS, 'code']) await store.upsert(record(1, { kind }));
    for (const time of [0, 1, 5000, 5001]) {
      clock.time = time;
      for (const kind of [...KINDS, 'code'])
        expect(await cache.find(kind, recordIdOf(1))).to.deep.equal(record(1, { kind }));
    }
    const lookupsOf = (kind: string) => store.lookups.filter((one) => one === `${kind} ${recordIdOf(1)}`).length;
    expect(['app', 'connection', 'code'].map(lookupsOf)).to.deep.equal([2, 2, 4]);
  });

  it('of 0 seconds asks every time', async () => {
    const { store, cache } = open(0);
    for (let n = 0; n < 3; n += 1) await cache.find('app', recordIdOf(1));
    expect(store.lookups).to.have.length(3);
  });

  it('remembers that there was none until the time is up, or until it is stored through it', async () => {
    const { store, clock, cache } = open();
    for (const n of [1, 2]) expect(await cache.find('app', recordIdOf(n))).to.equal(undefined);
    await store.upsert(record(1));
    clock.time = 5000;
    expect(await cache.find('app', recordIdOf(1))).to.equal(undefined);
    await cache.upsert(record(2));
    expect(await cache.find('app', recordIdOf(2))).to.deep.equal(record(2));
    clock.time = 5001;
    expect(await cache.find('app', recordIdOf(1))).to.deep.equal(record(1));
  });

  it('sees what was changed or revoked elsewhere when the time is up', async () => {
    const { store, clock, cache } = await filled();
    await store.upsert(record(1, { content: '{"new":1}' }));
    await store.destroy({ kind: 'connection', id: recordIdOf(1), entries: [] });
    clock.time = 5000;
    expect((await cache.find('app', recordIdOf(1)))?.content).to.equal('{"n":1}');
    expect(await cache.find('connection', recordIdOf(1))).not.to.equal(undefined);
    clock.time = 5001;
    expect((await cache.find('app', recordIdOf(1)))?.content).to.equal('{"new":1}');
    expect(await cache.find('connection', recordIdOf(1))).to.equal(undefined);
  });

  const ONE: Readonly<Record<string, (cache: OAuthRecords, kind: string) => Promise<unknown>>> = {
    'is stored': (cache, kind) => cache.upsert(record(1, { kind, content: '{}' })),
    'is added': (cache, kind) =>
      cache.add({ record: { ...record(1, { kind, content: '{}' }), developerId: ADA }, max: 10, entries: [] }),
    'is consumed': (cache, kind) => cache.consume(kind, recordIdOf(1), at(5)),
    'is destroyed': (cache, kind) => cache.destroy({ kind, id: recordIdOf(1), entries: [] }),
  };
  for (const [what, write] of Object.entries(ONE))
    it(`sees at once a record that ${what} through it, and forgets no other`, async () => {
      for (const kind of KINDS) {
        const { store, cache } = await filled();
        await write(cache, kind);
        const now = await store.find(kind, recordIdOf(1));
        store.lookups = [];
        expect(await cache.find(kind, recordIdOf(1))).to.deep.equal(now);
        await findAll(cache);
        expect(store.lookups).to.deep.equal([`${kind} ${recordIdOf(1)}`]);
      }
    });

  it('forgets nothing for a record of another kind with the same id', async () => {
    const { store, cache } = await filled();
    for (const write of Object.values(ONE)) await write(cache, 'code');
    await findAll(cache);
    expect(store.lookups).to.deep.equal([]);
  });

  it('forgets nothing when records are listed, counted and found by other ids', async () => {
    const { store, cache } = await filled();
    await cache.list({ kind: 'app', limit: 1 });
    await cache.count('app', 'ada' as never);
    await cache.findByUid('app', 'uid');
    await cache.findByUserCode('app', 'code');
    await findAll(cache);
    expect(store.lookups).to.deep.equal([]);
  });

  const MANY: Readonly<Record<string, (cache: OAuthRecords) => Promise<number>>> = {
    'a consent is revoked': (cache) => cache.revokeByGrantId('grant'),
    'a client is revoked': (cache) => cache.revokeByClientId({ clientId: 'client', entries: [] }),
    'expired records are removed': (cache) => cache.removeExpired(at(1)),
  };
  for (const [what, write] of Object.entries(MANY))
    it(`asks for all of them again when ${what} through it`, async () => {
      const { store, cache } = await filled();
      await write(cache);
      await findAll(cache);
      expect(store.lookups).to.have.length(4);
    });

  it('sees at once what was destroyed though the answer was lost', async () => {
    const { store, cache } = await filled();
    store.isBroken = true;
    expect(await cache.destroy({ kind: 'app', id: recordIdOf(1), entries: [] }).catch(String)).to.equal(
      'Error: the answer was lost',
    );
    expect(await cache.find('app', recordIdOf(1))).to.equal(undefined);
  });

  it('does not remember a look-up that was under way while its record was destroyed', async () => {
    const { store, cache } = open();
    await store.upsert(record(1));
    let answer = () => {};
    store.answering = new Promise((resolve) => (answer = resolve));
    const before = cache.find('app', recordIdOf(1));
    await Promise.resolve();
    await cache.destroy({ kind: 'app', id: recordIdOf(1), entries: [] });
    answer();
    expect(await before).to.deep.equal(record(1));
    expect(await cache.find('app', recordIdOf(1))).to.equal(undefined);
  });

  it('does not remember what it found before a write was done', async () => {
    const { store, cache } = await filled();
    let write = () => {};
    store.writing = new Promise((resolve) => (write = resolve));
    const destroying = cache.destroy({ kind: 'app', id: recordIdOf(1), entries: [] });
    expect(await cache.find('app', recordIdOf(1))).not.to.equal(undefined);
    write();
    await destroying;
    expect(await cache.find('app', recordIdOf(1))).to.equal(undefined);
  });

  it('hands out copies', async () => {
    const { cache } = await filled();
    (await cache.find('app', recordIdOf(1)))?.expiresAt?.setTime(0);
    expect((await cache.find('app', recordIdOf(1)))?.expiresAt).to.deep.equal(at(1));
  });

  it('remembers the last 1,000 of each kind, and no more', async () => {
    const { store, cache } = open();
    for (const kind of KINDS) for (const n of numbers(1_001)) await cache.find(kind, recordIdOf(n));
    store.lookups = [];
    for (const kind of KINDS) for (const n of [2, 500, 1_001, 1]) await cache.find(kind, recordIdOf(n));
    expect(store.lookups).to.deep.equal(KINDS.map((kind) => `${kind} ${recordIdOf(1)}`));
  });

  it('is not there where the storage has no records', () => {
    const { oauthRecords: _without, ...storage } = inMemoryStorage();
    expect(cachedStorage(storage).oauthRecords).to.equal(undefined);
  });
});
