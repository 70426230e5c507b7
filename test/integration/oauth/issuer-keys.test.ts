import { expect } from 'chai';
import { JwtAccessTokenVerifier } from '../../../adapters/oauth/index.js';
import { failureOf } from '../../unit/domain/failure.js';
import { numbers } from '../../contracts/offers.js';
import { AUDIENCE, startIssuer, type Issuer } from '../../support/issuer.js';
import { claimsOf, identities, NOON, NOW, signed } from './token.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** Both forms of metadata, then the keys. */
const ONE_QUESTION = 3;

describe('The keys of an issuer', () => {
  let issuer: Issuer;
  let time: number;
  let verifier: JwtAccessTokenVerifier;
  beforeEach(async () => {
    issuer = await startIssuer();
    time = NOON;
    verifier = new JwtAccessTokenVerifier({
      identities,
      issuer: issuer.url,
      audience: AUDIENCE,
      now: () => new Date(time),
    });
  });
  afterEach(() => issuer.leave());

  /** One that does not expire while the clock is moved about. */
  const lasting = (kid?: string) =>
    signed(issuer.key, claimsOf(issuer, { exp: NOW + 1e6 }), kid === undefined ? {} : { kid });
  const taken = async (token: string) => (await verifier.verify(token)) !== undefined;
  const unavailable = async (token: string) => {
    const { kind, cause } = await failureOf(() => verifier.verify(token));
    expect(cause).to.be.instanceOf(Error);
    return kind === 'unavailable';
  };

  it('are asked for when the first token comes, and once for all that come at once', async () => {
    expect(issuer.asked).to.deep.equal([]);
    const answers = await Promise.all(numbers(50).map(() => taken(lasting())));
    expect(answers).to.deep.equal(numbers(50).map(() => true));
    expect(issuer.asked).to.have.length(ONE_QUESTION);
    expect(await taken(lasting())).to.equal(true);
    expect(issuer.asked).to.have.length(ONE_QUESTION);
  });

  it('are not asked for by what is no token of the issuer', async () => {
    const other = { url: 'https://other.example' };
    for (const text of [
      '',
      'a.b.c',
      signed(issuer.key, claimsOf(other)),
      signed(issuer.key, claimsOf(issuer), { alg: 'HS256' }),
    ])
      expect(await taken(text)).to.equal(false);
    expect(issuer.asked).to.deep.equal([]);
  });

  it('are asked for again when a token names a new one, and the old one ends', async () => {
    const old = lasting();
    expect(await taken(old)).to.equal(true);
    await issuer.rotate('second');
    time += 30 * SECOND;
    expect(await taken(lasting())).to.equal(true);
    expect(issuer.asked).to.have.length(2 * ONE_QUESTION);
    expect(await taken(old)).to.equal(false);
  });

  it('are not asked for more often than every 30 seconds, whatever keys are named', async () => {
    expect(await taken(lasting())).to.equal(true);
    for (const n of numbers(100)) expect(await taken(lasting(`forged-${n}`))).to.equal(false);
    time += 30 * SECOND - 1;
    expect(await taken(lasting('forged'))).to.equal(false);
    expect(issuer.asked).to.have.length(ONE_QUESTION);
    time += 1;
    await Promise.all(numbers(100).map((n) => verifier.verify(lasting(`forged-${n}`))));
    expect(issuer.asked).to.have.length(2 * ONE_QUESTION);
  });

  it('are asked for again after 10 minutes, so that one that was withdrawn ends', async () => {
    const old = lasting();
    expect(await taken(old)).to.equal(true);
    await issuer.rotate('second');
    time += 10 * MINUTE;
    expect(await taken(old)).to.equal(true);
    time += 1;
    expect(await taken(old)).to.equal(false);
  });

  it('are asked for again by a clock that was set back', async () => {
    expect(await taken(lasting())).to.equal(true);
    await issuer.rotate('second');
    time -= 12 * MINUTE;
    const claims = claimsOf(issuer, { iat: NOW - 20 * 60 });
    expect(await taken(signed(issuer.key, claims))).to.equal(true);
  });

  it('that nobody has told yet make every token of the issuer unavailable, until it is there', async () => {
    await issuer.leave();
    expect(await unavailable(lasting())).to.equal(true);
    expect(await taken('a.b.c')).to.equal(false);
    await issuer.comeBack();
    time += SECOND - 1;
    expect(await unavailable(lasting()), 'asked only just now').to.equal(true);
    expect(issuer.asked).to.deep.equal([]);
    time += 1;
    expect(await taken(lasting())).to.equal(true);
  });

  it('are honoured for a day while the issuer is away, and no longer', async () => {
    expect(await taken(lasting())).to.equal(true);
    await issuer.leave();
    for (const later of [11 * MINUTE, 12 * MINUTE, DAY]) {
      time = NOON + later;
      expect(await taken(lasting()), String(later)).to.equal(true);
    }
    expect(await taken(lasting('new')), 'a key that nobody told').to.equal(false);
    time += 1;
    expect(await unavailable(lasting())).to.equal(true);
    await issuer.comeBack();
    time += SECOND;
    expect(await taken(lasting())).to.equal(true);
  });
});
