import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/api-key-repository.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import type { KeyRequest } from '../../../application/key-request.js';
import { isKeyText } from '../../../domain/api-key.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { countingIds, DAY, NOON, StoppedClock } from './people.js';
import { issuedKeys } from '../../support/lists.js';
import { OPERATOR } from '../../../domain/access.js';

function open() {
  const clock = new StoppedClock();
  const repository = new InMemoryApiKeyRepository();
  return { clock, repository, keys: new DeveloperKeys(repository, { now: clock.now, newId: countingIds() }) };
}

const kindOf = async (attempt: () => unknown) => (await failureOf(attempt)).kind;

describe('issuing a key', () => {
  it('reports every broken rule at once', async () => {
    const request = { developer: 'No Slug', name: '', scopes: ['everything'], lifetime: 1 };
    expect(await brokenBy(() => open().keys.issue(OPERATOR, request))).to.deep.equal([
      'name: too-short',
      'developer: invalid-format',
      'scopes: unknown-value',
      'expires: out-of-range',
    ]);
  });

  it('tells its text once and keeps its hash', async () => {
    const { keys, repository } = open();
    const { text, key } = await keys.issue(OPERATOR, {
      developer: 'ada',
      name: ' Laptop ',
      scopes: ['automations:read'],
      lifetime: DAY,
    });
    expect(isKeyText(text)).to.be.true;
    expect(key).to.deep.equal({
      id: '01900000-0000-7000-8000-000000000001',
      hash: createHash('sha256').update(text).digest('hex'),
      prefix: text.slice(0, 10),
      developerId: 'ada',
      name: 'Laptop',
      lifetime: DAY,
      scopes: ['automations:read'],
      createdAt: new Date(NOON),
      expiresAt: new Date(NOON + DAY),
    });
    expect(await repository.find(key.id)).to.deep.equal(key);
    expect(JSON.stringify(await issuedKeys(keys))).not.to.include(text.slice(10));
  });

  it('is for ever and with every scope by default', async () => {
    const { key } = await open().keys.issue(OPERATOR, { developer: 'ada' });
    expect(key).not.to.have.property('expiresAt');
    expect([key.name, key.scopes]).to.deep.equal(['API key', ['automations:read', 'automations:write']]);
  });

  it('makes ids, keys and times of its own by default', async () => {
    const keys = new DeveloperKeys(new InMemoryApiKeyRepository());
    const [one, other] = [
      await keys.issue(OPERATOR, { developer: 'ada' }),
      await keys.issue(OPERATOR, { developer: 'ada' }),
    ];
    expect(one.text).not.to.equal(other.text);
    expect(one.key.id).not.to.equal(other.key.id);
    expect(one.key.createdAt.getTime()).to.be.closeTo(Date.now(), 5000);
  });

  const broken: readonly (readonly [string, KeyRequest])[] = [
    ['developer: invalid-format', { developer: 'Ada' }],
    ['developer: invalid-format', { developer: 'oauth:ada' }],
    ['developer: invalid-format', { developer: 'x'.repeat(65) }],
    ['name: too-short', { developer: 'ada', name: ' ' }],
    ['name: too-long', { developer: 'ada', name: 'x'.repeat(101) }],
    ['name: invalid-text', { developer: 'ada', name: 'a\nb' }],
    ['scopes: unknown-value', { developer: 'ada', scopes: [] }],
    ['scopes: unknown-value', { developer: 'ada', scopes: ['admin'] }],
    ['expires: out-of-range', { developer: 'ada', lifetime: 999 }],
  ];
  for (const [rule, request] of broken)
    it(`fails as invalid, and stores nothing: ${JSON.stringify(request).slice(0, 60)}`, async () => {
      const { keys } = open();
      expect(await brokenBy(() => keys.issue(OPERATOR, request))).to.deep.equal([rule]);
      expect(await issuedKeys(keys)).to.deep.equal([]);
    });
});

describe('listing keys', () => {
  it('is of one developer, or of all', async () => {
    const { keys } = open();
    const [ada, bob] = [
      (await keys.issue(OPERATOR, { developer: 'ada' })).key,
      (await keys.issue(OPERATOR, { developer: 'bob' })).key,
    ];
    expect(await issuedKeys(keys)).to.deep.equal([ada, bob]);
    expect(await issuedKeys(keys, OPERATOR, 'bob')).to.deep.equal([bob]);
    expect(await brokenBy(() => issuedKeys(keys, OPERATOR, 'Bob'))).to.deep.equal(['developer: invalid-format']);
  });

  it('comes page by page, the latest first', async () => {
    const { keys } = open();
    const ids: string[] = [];
    for (const n of [1, 2, 3, 4, 5])
      ids.unshift((await keys.issue(OPERATOR, { developer: 'ada', name: `Key ${n}` })).key.id);
    const first = await keys.list(OPERATOR, { limit: 3 });
    const second = await keys.list(OPERATOR, { limit: 3, before: first.next });
    expect([...first.items, ...second.items].map(({ id }) => id)).to.deep.equal(ids);
    expect([first.next, second.next]).to.deep.equal([ids[2], undefined]);
    expect(await keys.list(OPERATOR, { before: 'no-key' })).to.deep.equal({ items: [] });
    expect(await brokenBy(() => keys.list(OPERATOR, { limit: 101 }))).to.deep.equal(['limit: out-of-range']);
  });

  it('tells keys that work from those that have ended, with the count of these', async () => {
    const { keys, clock } = open();
    const issued: string[] = [];
    for (const lifetime of [1_000, 2_000, undefined, undefined])
      issued.push((await keys.issue(OPERATOR, { developer: 'ada', lifetime })).key.id);
    await keys.revoke(OPERATOR, issued[3] ?? '');
    clock.set(5_000);
    expect((await keys.listActive(OPERATOR, 'ada')).map(({ id }) => id)).to.deep.equal([issued[2]]);
    const ended = await keys.listEnded(OPERATOR, { developer: 'ada', limit: 2 });
    expect(ended.items.map(({ id }) => id)).to.deep.equal([issued[1], issued[0]]);
    expect(ended).to.include({ total: 3, next: issued[0] });
    expect(await keys.listActive(OPERATOR, 'bob')).to.deep.equal([]);
    expect(await brokenBy(() => keys.listActive(OPERATOR))).to.deep.equal(['developer: invalid-format']);
  });
});

describe('rotating a key', () => {
  it('makes a successor with the same owner, name, scopes and lifetime', async () => {
    const { keys, clock } = open();
    const old = await keys.issue(OPERATOR, {
      developer: 'ada',
      name: 'Laptop',
      scopes: ['automations:read'],
      lifetime: 10 * DAY,
    });
    clock.set(DAY);
    const { text, key } = await keys.rotate(OPERATOR, old.key.id);
    expect(text).not.to.equal(old.text);
    expect(key).to.include({ developerId: 'ada', name: 'Laptop', prefix: text.slice(0, 10) });
    expect(key.scopes).to.deep.equal(['automations:read']);
    expect([key.createdAt, key.expiresAt]).to.deep.equal([new Date(NOON + DAY), new Date(NOON + 11 * DAY)]);
    expect(key.id).not.to.equal(old.key.id);
  });

  for (const [what, overlap, expected] of [
    ['a day by default', undefined, DAY],
    ['as told', 500, 500],
    ['not at all', 0, 0],
  ] as const)
    it(`lets the old one live on: ${what}`, async () => {
      const { keys, repository } = open();
      const { key } = await keys.issue(OPERATOR, { developer: 'ada' });
      const successor = await keys.rotate(OPERATOR, key.id, overlap);
      expect(successor.key).not.to.have.property('expiresAt');
      expect((await repository.find(key.id))?.expiresAt).to.deep.equal(new Date(NOON + expected));
    });

  it('makes the second successor of a key live as long as the first', async () => {
    const { keys } = open();
    const { key } = await keys.issue(OPERATOR, { developer: 'ada' });
    await keys.rotate(OPERATOR, key.id, 500);
    expect((await keys.rotate(OPERATOR, key.id, 500)).key).not.to.have.property('expiresAt');
  });

  it('does not let the old one live longer', async () => {
    const { keys, repository } = open();
    const { key } = await keys.issue(OPERATOR, { developer: 'ada', lifetime: 5000 });
    await keys.rotate(OPERATOR, key.id, DAY);
    expect((await repository.find(key.id))?.expiresAt).to.deep.equal(key.expiresAt);
  });

  it('fails as not-found for an unknown key', async () => {
    expect(await kindOf(() => open().keys.rotate(OPERATOR, 'unknown'))).to.equal('not-found');
  });

  it('fails as conflict for one that is revoked or has expired', async () => {
    const { keys, clock } = open();
    const [revoked, expired] = [
      await keys.issue(OPERATOR, { developer: 'ada' }),
      await keys.issue(OPERATOR, { developer: 'ada', lifetime: 1000 }),
    ];
    await keys.revoke(OPERATOR, revoked.key.id);
    clock.set(1000);
    for (const { key } of [revoked, expired])
      expect(await kindOf(() => keys.rotate(OPERATOR, key.id))).to.equal('conflict');
    expect(await issuedKeys(keys)).to.have.length(2);
  });

  it('shows no key that is stored nowhere, since the old one ended meanwhile', async () => {
    const { keys, repository } = open();
    const { key } = await keys.issue(OPERATOR, { developer: 'ada' });
    const replace = repository.replace.bind(repository);
    repository.replace = async (id, replacement) => {
      await repository.revoke(id, { at: new Date(NOON), entries: [] });
      return replace(id, replacement);
    };
    expect(await failureOf(() => keys.rotate(OPERATOR, key.id))).to.include({
      kind: 'conflict',
      code: 'key-has-ended',
    });
  });

  for (const overlap of [-1, NaN, Infinity, 365 * DAY + 1])
    it(`fails as invalid for an overlap of ${overlap}`, async () => {
      const { keys } = open();
      const { key } = await keys.issue(OPERATOR, { developer: 'ada' });
      expect(await brokenBy(() => keys.rotate(OPERATOR, key.id, overlap))).to.deep.equal(['overlap: out-of-range']);
      expect(await issuedKeys(keys)).to.have.length(1);
    });
});

describe('revoking a key', () => {
  it('is noted with its time, and again is no error', async () => {
    const { keys, clock, repository } = open();
    const { key } = await keys.issue(OPERATOR, { developer: 'ada' });
    clock.set(5);
    await keys.revoke(OPERATOR, key.id);
    clock.set(6);
    await keys.revoke(OPERATOR, key.id);
    expect((await repository.find(key.id))?.revokedAt).to.deep.equal(new Date(NOON + 5));
  });

  it('fails as not-found for an unknown key', async () => {
    expect(await kindOf(() => open().keys.revoke(OPERATOR, 'unknown'))).to.equal('not-found');
  });
});
