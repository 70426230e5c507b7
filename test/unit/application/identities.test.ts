import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { newCore, OPERATOR } from '../../../application/index.js';
import { Identities } from '../../../application/identities.js';
import { DomainError } from '../../../domain/errors.js';
import type { Identity } from '../../../domain/identity.js';
import { failureOf } from '../domain/failure.js';
import { numbers } from '../../contracts/offers.js';

const ISSUER = 'https://id.example';

describe('The account of an identity', () => {
  it('is made the first time, under a random id, and is the same from then on', async () => {
    const { identities, accounts, audit } = newCore(inMemoryStorage());
    const identity = { issuer: ISSUER, subject: 'ada@home.example' };
    const id = await identities.accountOf(identity);
    expect(id).to.match(/^person-[a-z0-9]{10}$/);
    for (const _ of numbers(3)) expect(await identities.accountOf(identity)).to.equal(id);
    expect((await accounts.list(OPERATOR)).items).to.have.length(1);
    expect(await accounts.find(OPERATOR, id)).to.deep.include({
      role: 'developer',
      status: 'no-sign-in',
      identities: [identity],
    });
    const { items } = await audit.list(OPERATOR);
    expect(items.map(({ actor, action, developerId }) => [actor, action, developerId])).to.deep.equal([
      ['developer', 'developer-added', id],
    ]);
  });

  it('is one, when it is asked for 20 times at once', async () => {
    const { identities, accounts } = newCore(inMemoryStorage());
    const ids = numbers(20).map(() => identities.accountOf({ issuer: ISSUER, subject: 'ada' }));
    expect(new Set(await Promise.all(ids))).to.have.length(1);
    expect((await accounts.list(OPERATOR)).items).to.have.length(1);
  });

  it('is another for another issuer, and for a subject in another case', async () => {
    const { identities, accounts } = newCore(inMemoryStorage());
    const all = [
      { issuer: ISSUER, subject: 'ada' },
      { issuer: 'host', subject: 'ada' },
      { issuer: ISSUER, subject: 'Ada' },
    ];
    const ids = await Promise.all(all.map((identity) => identities.accountOf(identity)));
    expect(new Set(ids)).to.have.length(3);
    const found = (await accounts.list(OPERATOR, { text: 'ada' })).items;
    expect(found.map(({ id }) => id)).to.have.members(ids.slice(0, 2));
    expect(await accounts.count(OPERATOR, 'Ada')).to.equal(1);
  });

  it('is unavailable while the store does not tell whether it was made', async () => {
    const { developers } = inMemoryStorage();
    const unknown = new DomainError('outcome-unknown', 'no-answer', 'no answer came');
    developers.identify = () => Promise.reject(unknown);
    const identities = new Identities(developers);
    const failure = await failureOf(() => identities.accountOf({ issuer: ISSUER, subject: 'ada' }));
    expect([failure.kind, failure.cause]).to.deep.equal(['unavailable', unknown]);
  });

  for (const [what, identity] of Object.entries({
    'no subject': { issuer: ISSUER },
    'an empty subject': { issuer: ISSUER, subject: '' },
    'a long subject': { issuer: ISSUER, subject: 'x'.repeat(256) },
    'a subject of two lines': { issuer: ISSUER, subject: 'a\nb' },
    'a long issuer': { issuer: `https://${'x'.repeat(248)}`, subject: 'ada' },
    'no issuer': { issuer: '', subject: 'ada' },
  }))
    it(`is not made for ${what}`, async () => {
      const { identities, accounts } = newCore(inMemoryStorage());
      const failure: unknown = await identities.accountOf(identity as Identity).catch((error: unknown) => error);
      expect(failure)
        .to.be.instanceOf(TypeError)
        .with.property('message')
        .that.matches(/^an identity must be/);
      expect((await accounts.list(OPERATOR)).items).to.deep.equal([]);
    });
});
