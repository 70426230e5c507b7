import { expect } from 'chai';
import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/api-key-repository.js';
import { InMemoryDeveloperRepository } from '../../../adapters/in-memory/developer-repository.js';
import { cachedDevelopers } from '../../../adapters/storage/index.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { StoredApiKeyVerifier } from '../../../application/stored-api-key-verifier.js';
import { ANY_OPERATOR, invited } from '../../contracts/developers.js';
import { ADA, at, BOB } from '../../contracts/offers.js';
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
