import { expect } from 'chai';
import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/api-key-repository.js';
import { cachedKeys } from '../../../adapters/storage/index.js';
import type { ApiKey } from '../../../domain/api-key.js';
import type { ApiKeyRepository } from '../../../domain/ports.js';
import { apiKey, hashOf, keyIdOf } from '../../contracts/keys.js';
import { at } from '../../contracts/offers.js';

/** A store that counts its lookups and can be made to wait before it answers them, or to fail to revoke. */
class SlowApiKeyRepository extends InMemoryApiKeyRepository {
  lookups = 0;
  answering: Promise<void> = Promise.resolve();
  broken = false;

  override async findByHash(hash: string): Promise<ApiKey | undefined> {
    this.lookups += 1;
    const key = await super.findByHash(hash);
    await this.answering;
    return key;
  }

  override async revoke(...revocation: Parameters<ApiKeyRepository['revoke']>): Promise<boolean> {
    const answer = await super.revoke(...revocation);
    if (this.broken) throw new Error('the answer was lost');
    return answer;
  }
}

async function open({ seconds, keys = 1 }: { readonly seconds?: number; readonly keys?: number } = {}) {
  const store = new SlowApiKeyRepository();
  for (let n = 1; n <= keys; n += 1) await store.add({ key: apiKey(n), entries: [] });
  const clock = { time: 0 };
  const cache = cachedKeys(store, {
    ...(seconds !== undefined && { seconds }),
    clock: () => 1 + clock.time,
  });
  return { store, clock, cache };
}

describe('a cache of API keys', () => {
  it('asks for a key once in 5 seconds by default', async () => {
    const { store, clock, cache } = await open();
    for (const time of [0, 1, 5000]) {
      clock.time = time;
      expect(await cache.findByHash(hashOf(1))).to.deep.equal(apiKey(1));
    }
    expect(store.lookups).to.equal(1);
    clock.time = 5001;
    await cache.findByHash(hashOf(1));
    expect(store.lookups).to.equal(2);
  });

  it('refuses what is no number of seconds', async () => {
    for (const seconds of [NaN, -1, Infinity])
      expect(() => cachedKeys(new InMemoryApiKeyRepository(), { seconds })).to.throw(
        RangeError,
        'must be a finite number, 0 or more',
      );
  });

  it('believes for as long as it is told, from when it asked', async () => {
    const { store, clock, cache } = await open({ seconds: 60 });
    const answer = gate();
    store.answering = answer.opened;
    const found = cache.findByHash(hashOf(1));
    clock.time = 30_000;
    answer.open();
    await found;
    clock.time = 60_000;
    await cache.findByHash(hashOf(1));
    expect(store.lookups).to.equal(1);
    clock.time = 60_001;
    await cache.findByHash(hashOf(1));
    expect(store.lookups).to.equal(2);
  });

  it('of 0 seconds asks every time', async () => {
    const { store, cache } = await open({ seconds: 0 });
    for (let n = 0; n < 3; n += 1) await cache.findByHash(hashOf(1));
    expect(store.lookups).to.equal(3);
  });

  it('takes the clock of the system by default', async () => {
    const store = new SlowApiKeyRepository();
    const cache = cachedKeys(store, { seconds: 3600 });
    await cache.add({ key: apiKey(1), entries: [] });
    for (let n = 0; n < 3; n += 1) await cache.findByHash(hashOf(1));
    expect(store.lookups).to.equal(1);
  });

  it('remembers that there was none until the time is up', async () => {
    const { store, clock, cache } = await open();
    expect(await cache.findByHash(hashOf(2))).to.equal(undefined);
    await store.add({ key: apiKey(2), entries: [] });
    clock.time = 5000;
    expect(await cache.findByHash(hashOf(2))).to.equal(undefined);
    clock.time = 5001;
    expect(await cache.findByHash(hashOf(2))).to.deep.equal(apiKey(2));
  });

  it('sees at once what is added through it', async () => {
    const { cache } = await open();
    expect(await cache.findByHash(hashOf(2))).to.equal(undefined);
    await cache.add({ key: apiKey(2), entries: [] });
    expect(await cache.findByHash(hashOf(2))).to.deep.equal(apiKey(2));
  });

  it('sees what ended elsewhere when the time is up', async () => {
    const { store, clock, cache } = await open();
    await cache.findByHash(hashOf(1));
    await store.revoke(keyIdOf(1), { at: at(1), entries: [] });
    clock.time = 5000;
    expect((await cache.findByHash(hashOf(1)))?.revokedAt).to.equal(undefined);
    clock.time = 5001;
    expect((await cache.findByHash(hashOf(1)))?.revokedAt).to.deep.equal(at(1));
  });

  it('sees at once what is revoked or replaced through it', async () => {
    const { cache } = await open({ keys: 2 });
    for (const n of [1, 2]) await cache.findByHash(hashOf(n));
    await cache.revoke(keyIdOf(1), { at: at(1), entries: [] });
    expect((await cache.findByHash(hashOf(1)))?.revokedAt).to.deep.equal(at(1));
    await cache.replace(keyIdOf(2), { successor: apiKey(3), until: at(2), entries: [] });
    expect((await cache.findByHash(hashOf(2)))?.expiresAt).to.deep.equal(at(2));
  });

  it('sees at once what was revoked though the answer was lost', async () => {
    const { store, cache } = await open();
    await cache.findByHash(hashOf(1));
    store.broken = true;
    const failed = await cache.revoke(keyIdOf(1), { at: at(1), entries: [] }).then(
      () => false,
      () => true,
    );
    expect(failed).to.be.true;
    expect((await cache.findByHash(hashOf(1)))?.revokedAt).to.deep.equal(at(1));
  });

  it('asks once for many who want to know at the same time, but for who comes after a change', async () => {
    const { store, cache } = await open();
    const answer = gate();
    store.answering = answer.opened;
    const before = Array.from({ length: 100 }, () => cache.findByHash(hashOf(1)));
    await cache.revoke(keyIdOf(1), { at: at(1), entries: [] });
    const after = cache.findByHash(hashOf(1));
    answer.open();
    for (const key of await Promise.all(before)) expect(key?.hash).to.equal(hashOf(1));
    expect((await after)?.revokedAt).to.deep.equal(at(1));
    expect(store.lookups).to.equal(2);
  });

  it('tells all who wait when the store fails, and asks again afterwards', async () => {
    const { store, cache } = await open();
    const answer = gate();
    store.answering = answer.opened.then(() => Promise.reject(new Error('away')));
    const asked = [1, 2].map(() => cache.findByHash(hashOf(1)).catch(String));
    answer.open();
    expect(await Promise.all(asked)).to.deep.equal(['Error: away', 'Error: away']);
    store.answering = Promise.resolve();
    expect((await cache.findByHash(hashOf(1)))?.hash).to.equal(hashOf(1));
  });

  it('does not remember a lookup that was under way during a revocation', async () => {
    const { store, cache } = await open();
    const answer = gate();
    store.answering = answer.opened;
    const before = cache.findByHash(hashOf(1));
    await Promise.resolve();
    await cache.revoke(keyIdOf(1), { at: at(1), entries: [] });
    answer.open();
    expect((await before)?.revokedAt).to.equal(undefined);
    expect((await cache.findByHash(hashOf(1)))?.revokedAt).to.deep.equal(at(1));
  });

  it('remembers the last 10,000, and no more', async () => {
    const { store, cache } = await open({ keys: 10_001 });
    for (let n = 1; n <= 10_001; n += 1) await cache.findByHash(hashOf(n));
    const asked = store.lookups;
    for (const n of [2, 5000, 10_001]) await cache.findByHash(hashOf(n));
    expect(store.lookups).to.equal(asked);
    await cache.findByHash(hashOf(1));
    expect(store.lookups).to.equal(asked + 1);
  });
});

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
