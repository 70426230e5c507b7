import { expect } from 'chai';
import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/api-key-repository.js';
import { InMemoryDeveloperRepository } from '../../../adapters/in-memory/developer-repository.js';
import { cachedDevelopers } from '../../../adapters/storage/index.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { Identities } from '../../../application/identities.js';
import { StoredApiKeyVerifier } from '../../../application/stored-api-key-verifier.js';
import { ANY_OPERATOR, invited } from '../../contracts/developers.js';
import { ADA, at, BOB, numbers } from '../../contracts/offers.js';
import { OPERATOR } from '../../../domain/access.js';
import { session, signIn, start } from '../../contracts/sessions.js';

async function open() {
  const clock = { time: 0 };
  const store = new InMemoryDeveloperRepository();
  await invited(store, ADA, 1);
  const cache = cachedDevelopers(store, { clock: () => 1 + clock.time });
  const keyStore = new InMemoryApiKeyRepository();
  const verifier = new StoredApiKeyVerifier(keyStore, { developers: cache });
  const { text } = await new DeveloperKeys(keyStore).issue(OPERATOR, { developer: 'ada' });
  return { clock, store, cache, verifier, text, keyStore };
}

describe('a cache of developers', () => {
  it('ends and restores the keys of a developer suspended through it at once', async () => {
    const { cache, verifier, text } = await open();
    expect(await verifier.verify(text)).to.include({ developerId: 'ada' });
    await cache.suspend(ADA, { at: at(1), ...ANY_OPERATOR });
    expect(await verifier.verify(text)).to.equal(undefined);
    await cache.restore({ id: ADA, entries: [] });
    expect(await verifier.verify(text)).to.include({ developerId: 'ada' });
  });

  it('sees a suspension from elsewhere after 5 seconds, and not before', async () => {
    const { store, verifier, text, clock } = await open();
    await verifier.verify(text);
    await store.suspend(ADA, { at: at(1), ...ANY_OPERATOR });
    clock.time = 5000;
    expect(await verifier.verify(text)).to.include({ developerId: 'ada' });
    clock.time = 5001;
    expect(await verifier.verify(text)).to.equal(undefined);
  });

  it('finds the account of an identity once, and makes it once', async () => {
    const { store, cache, clock } = await open();
    const asked: unknown[] = [];
    const findByIdentity = store.findByIdentity.bind(store);
    store.findByIdentity = (identity) => {
      asked.push(identity);
      return findByIdentity(identity);
    };
    const identities = new Identities(cache);
    const [one, other] = [
      { issuer: 'host', subject: 'ada' },
      { issuer: 'ho', subject: 'stada' },
    ];
    const ids = [await identities.accountOf(one), await identities.accountOf(other)];
    expect(new Set(ids)).to.have.length(2);
    asked.length = 0;
    for (const _ of numbers(5)) {
      expect(await identities.accountOf(one)).to.equal(ids[0]);
      expect(await identities.accountOf(other)).to.equal(ids[1]);
    }
    expect(asked).to.deep.equal([one, other]);
    clock.time = 5001;
    await identities.accountOf(one);
    expect(asked).to.deep.equal([one, other, one]);
  });

  it('keeps the others when an account is made, and forgets all when one is suspended', async () => {
    const { store, cache } = await open();
    const identities = new Identities(cache);
    const identity = { issuer: 'host', subject: 'ada' };
    const id = await identities.accountOf(identity);
    expect((await cache.findByIdentity(identity))?.suspendedAt).to.equal(undefined);
    await cache.find(ADA);
    let lookups = 0;
    const find = store.find.bind(store);
    store.find = (developer) => {
      lookups += 1;
      return find(developer);
    };
    await identities.accountOf({ issuer: 'host', subject: 'bob' });
    await cache.find(ADA);
    expect(lookups).to.equal(0);
    await cache.suspend(id, { at: at(1), ...ANY_OPERATOR });
    expect((await cache.findByIdentity(identity))?.suspendedAt).to.deep.equal(at(1));
  });

  it('sees at once an account that another process has made, when this one would make it, too', async () => {
    const { store, cache } = await open();
    const identity = { issuer: 'host', subject: 'ada' };
    expect(await cache.findByIdentity(identity)).to.equal(undefined);
    const id = await new Identities(store).accountOf(identity);
    expect(await new Identities(cache).accountOf(identity)).to.equal(id);
    expect((await cache.findByIdentity(identity))?.id).to.equal(id);
  });

  it('keeps what it found when a developer signs in, since that changes no developer', async () => {
    const { store, cache } = await open();
    await start({ developers: store }, session(1));
    let lookups = 0;
    const find = store.find.bind(store);
    store.find = (id) => {
      lookups += 1;
      return find(id);
    };
    for (const n of [2, 3]) {
      await cache.find(ADA);
      expect(await cache.signIn(ADA, signIn(n))).to.equal(true);
    }
    expect(lookups).to.equal(1);
    await cache.rename(ADA, { signInName: 'Countess', entries: [] });
    expect((await cache.find(ADA))?.signInName).to.equal('Countess');
  });

  it('leaves alone a developer who has no account', async () => {
    const { verifier, keyStore } = await open();
    const { text } = await new DeveloperKeys(keyStore).issue(OPERATOR, { developer: BOB });
    expect(await verifier.verify(text)).to.include({ developerId: 'bob' });
  });

  it('does not note the use of a key that opens nothing', async () => {
    const { cache, verifier, text, keyStore } = await open();
    await cache.suspend(ADA, { at: at(1), ...ANY_OPERATOR });
    await verifier.verify(text);
    expect((await keyStore.list({ limit: 1 }))[0]).not.to.have.property('lastUsedAt');
  });
});
