import { expect } from 'chai';
import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/api-key-repository.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { StoredApiKeyVerifier } from '../../../application/stored-api-key-verifier.js';
import type { ApiKey, ApiKeyId } from '../../../domain/api-key.js';
import { DomainError } from '../../../domain/errors.js';
import { failureOf } from '../domain/failure.js';
import { MINUTE, NOON, settled, StoppedClock } from './people.js';
import { OPERATOR } from '../../../domain/access.js';

/** Keys in memory, with a note of what was asked. */
class WatchedApiKeyRepository extends InMemoryApiKeyRepository {
  readonly lookedUp: string[] = [];
  readonly notedUses: Date[] = [];

  override findByHash(hash: string): Promise<ApiKey | undefined> {
    this.lookedUp.push(hash);
    return super.findByHash(hash);
  }

  override noteUse(id: ApiKeyId, at: Date): Promise<void> {
    this.notedUses.push(at);
    return super.noteUse(id, at);
  }
}

function open(repository = new WatchedApiKeyRepository()) {
  const clock = new StoppedClock();
  const keys = new DeveloperKeys(repository, { now: clock.now });
  return { repository, clock, keys, verifier: new StoredApiKeyVerifier(repository, { now: clock.now }) };
}

describe('the verifier of stored keys', () => {
  it('knows the caller and names the key by its id', async () => {
    const { keys, verifier } = open();
    const { text, key } = await keys.issue(OPERATOR, { developer: 'ada', scopes: ['automations:read'] });
    expect(await verifier.verify(text)).to.deep.equal({
      developerId: 'ada',
      scopes: ['automations:read'],
      credentialId: key.id,
    });
  });

  it('knows a key until a millisecond before it expires', async () => {
    const { keys, clock, verifier } = open();
    const { text } = await keys.issue(OPERATOR, { developer: 'ada', lifetime: 5000 });
    clock.set(4999);
    expect(await verifier.verify(text)).to.include({ developerId: 'ada' });
    clock.set(5000);
    expect(await verifier.verify(text)).to.equal(undefined);
  });

  it('knows both keys while they overlap', async () => {
    const { keys, clock, verifier } = open();
    const old = await keys.issue(OPERATOR, { developer: 'ada' });
    const successor = await keys.rotate(OPERATOR, old.key.id, 1000);
    clock.set(999);
    expect(await verifier.verify(old.text)).to.include({ credentialId: old.key.id });
    clock.set(1000);
    expect(await verifier.verify(old.text)).to.equal(undefined);
    expect(await verifier.verify(successor.text)).to.include({ credentialId: successor.key.id });
  });

  it('knows no revoked key', async () => {
    const { keys, verifier } = open();
    const { text, key } = await keys.issue(OPERATOR, { developer: 'ada' });
    await keys.revoke(OPERATOR, key.id);
    expect(await verifier.verify(text)).to.equal(undefined);
  });

  it('takes the time of the system by default', async () => {
    const repository = new InMemoryApiKeyRepository();
    const { text } = await new DeveloperKeys(repository, { now: () => new Date(0) }).issue(OPERATOR, {
      developer: 'ada',
      lifetime: 1000,
    });
    expect(await new StoredApiKeyVerifier(repository).verify(text)).to.equal(undefined);
  });

  it('asks the store by the hash, and not for what cannot be a key', async () => {
    const { keys, verifier, repository } = open();
    const { text, key } = await keys.issue(OPERATOR, { developer: 'ada' });
    for (const typo of ['', text.slice(1), `${text}0`, text.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))])
      expect(await verifier.verify(typo)).to.equal(undefined);
    expect(repository.lookedUp).to.deep.equal([]);
    await verifier.verify(text);
    expect(repository.lookedUp).to.deep.equal([key.hash]);
  });

  it('fails as the store does', async () => {
    class Unreachable extends WatchedApiKeyRepository {
      override findByHash(): Promise<never> {
        return Promise.reject(new DomainError('unavailable', 'store-unavailable', 'out of reach'));
      }
    }
    const { keys, verifier } = open(new Unreachable());
    const { text } = await keys.issue(OPERATOR, { developer: 'ada' });
    expect((await failureOf(() => verifier.verify(text))).kind).to.equal('unavailable');
  });
});

describe('the last use of a key', () => {
  it('is noted at most once a minute', async () => {
    const { keys, clock, verifier, repository } = open();
    const { text } = await keys.issue(OPERATOR, { developer: 'ada' });
    for (const time of [0, 1, MINUTE - 1, MINUTE, MINUTE + 1, 2 * MINUTE - 1, 2 * MINUTE, MINUTE]) {
      clock.set(time);
      await verifier.verify(text);
    }
    expect(repository.notedUses.map((at) => at.getTime() - NOON)).to.deep.equal([0, MINUTE, 2 * MINUTE]);
  });

  it('is not noted again by a process that finds it noted within the minute', async () => {
    const { keys, clock, verifier, repository } = open();
    const { text } = await keys.issue(OPERATOR, { developer: 'ada' });
    await verifier.verify(text);
    const another = new StoredApiKeyVerifier(repository, { now: clock.now });
    for (const time of [MINUTE - 1, MINUTE]) {
      clock.set(time);
      await another.verify(text);
    }
    expect(repository.notedUses.map((at) => at.getTime() - NOON)).to.deep.equal([0, MINUTE]);
  });

  it('is noted once a minute also where the store does not tell it', async () => {
    class Reticent extends WatchedApiKeyRepository {
      override async noteUse(_id: ApiKeyId, at: Date): Promise<void> {
        this.notedUses.push(at);
      }
    }
    const { keys, verifier, repository } = open(new Reticent());
    const { text } = await keys.issue(OPERATOR, { developer: 'ada' });
    for (let n = 0; n < 3; n += 1) await verifier.verify(text);
    expect(repository.notedUses).to.have.length(1);
  });

  it('is not noted for a key that opens nothing', async () => {
    const { keys, clock, verifier, repository } = open();
    const expired = await keys.issue(OPERATOR, { developer: 'ada', lifetime: 1000 });
    const revoked = await keys.issue(OPERATOR, { developer: 'ada' });
    await keys.revoke(OPERATOR, revoked.key.id);
    clock.set(1000);
    for (const { text } of [expired, revoked]) await verifier.verify(text);
    expect(repository.notedUses).to.deep.equal([]);
  });

  it('fails no request when it cannot be noted', async () => {
    class Forgetful extends WatchedApiKeyRepository {
      override noteUse(): Promise<never> {
        return Promise.reject(new Error('disk full'));
      }
    }
    const { keys, verifier } = open(new Forgetful());
    const { text } = await keys.issue(OPERATOR, { developer: 'ada' });
    expect(await verifier.verify(text)).to.include({ developerId: 'ada' });
    await settled();
  });

  it('fails no request when noting it throws', async () => {
    class ReadOnly extends WatchedApiKeyRepository {
      override noteUse(): never {
        throw new Error('read-only store');
      }
    }
    const { keys, verifier } = open(new ReadOnly());
    const { text } = await keys.issue(OPERATOR, { developer: 'ada' });
    expect(await verifier.verify(text)).to.include({ developerId: 'ada' });
  });

  it('holds no request up', async () => {
    class Stuck extends WatchedApiKeyRepository {
      override noteUse(): Promise<void> {
        return new Promise(() => undefined);
      }
    }
    const { keys, verifier } = open(new Stuck());
    const { text } = await keys.issue(OPERATOR, { developer: 'ada' });
    expect(await verifier.verify(text)).to.include({ developerId: 'ada' });
  });
});
