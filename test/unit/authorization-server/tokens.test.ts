import { expect } from 'chai';
import { mock } from 'node:test';
import { OPERATOR } from '../../../application/index.js';
import { numbers } from '../../contracts/offers.js';
import { ownTokens } from '../../support/own-tokens.js';

const MINUTE_MS = 60_000;

/** The same at a time that can be moved on. */
async function withClock() {
  let time = Date.now();
  const tokens = await ownTokens(() => new Date(time));
  return { ...tokens, time, set: (to: number) => (time = to), wait: (ms: number) => (time += ms) };
}

describe('An access token of the own server', () => {
  afterEach(() => mock.restoreAll());

  it('has its signature checked once, however often it is sent', async () => {
    const { verifier, newToken } = await ownTokens();
    const [token, other] = [await newToken(), await newToken()];
    const checks = mock.method(crypto.subtle, 'verify').mock;
    for (const _ of numbers(20)) expect(await verifier.verify(token)).to.include({ developerId: 'ada' });
    expect(checks.callCount()).to.equal(1);
    for (const _ of numbers(20)) expect(await verifier.verify(other)).to.include({ developerId: 'ada' });
    expect(checks.callCount()).to.equal(2);
  });

  it('is not another one with the same payload or with another signature', async () => {
    const { verifier, newToken } = await ownTokens();
    const [token, other] = [await newToken(), await newToken()];
    const [parts, otherParts] = [token.split('.'), other.split('.')];
    expect(await verifier.verify(token)).not.to.equal(undefined);
    expect(await verifier.verify([parts[0], parts[1], otherParts[2]].join('.'))).to.equal(undefined);
    expect(await verifier.verify([parts[0], otherParts[1], parts[2]].join('.'))).to.equal(undefined);
  });
});

describe('An access token that was accepted', () => {
  it('is refused from its end on', async () => {
    const { verifier, newToken, time, set } = await withClock();
    const exp = Math.floor(time / 1_000) + 60;
    const token = await newToken({ exp });
    expect(await verifier.verify(token)).not.to.equal(undefined);
    set(exp * 1_000 - 1);
    expect(await verifier.verify(token)).not.to.equal(undefined);
    set(exp * 1_000);
    expect(await verifier.verify(token)).to.equal(undefined);
  });

  it('is refused once its key was removed', async () => {
    const { verifier, newToken, signingKeys, wait } = await withClock();
    const token = await newToken();
    expect(await verifier.verify(token)).not.to.equal(undefined);
    await signingKeys.rotate({ atOnce: true });
    expect(await verifier.verify(token)).to.equal(undefined);
    wait(MINUTE_MS);
    expect(await verifier.verify(token)).to.equal(undefined);
  });

  it('is refused when its key has ended, 61 minutes after the next one was made', async () => {
    const { verifier, newToken, signingKeys, time, wait } = await withClock();
    const token = await newToken({ exp: Math.floor(time / 1_000) + 24 * 60 * 60 });
    await signingKeys.rotate();
    wait(60 * MINUTE_MS);
    expect(await verifier.verify(token)).not.to.equal(undefined);
    wait(MINUTE_MS);
    expect(await verifier.verify(token)).to.equal(undefined);
  });

  it('is refused while the server has another issuer or audience, and accepted afterwards', async () => {
    const { verifier, newToken, move } = await ownTokens();
    const token = await newToken();
    const other = 'https://other.example/api';
    for (const moved of [{}, { issuer: other }, {}, { resource: other }, {}]) {
      move(moved);
      const isAccepted = (await verifier.verify(token)) !== undefined;
      expect(isAccepted, JSON.stringify(moved)).to.equal(Object.keys(moved).length === 0);
    }
  });

  it('has no more rights than its app, and none once that is revoked', async () => {
    const { verifier, newToken, apps, app, ada } = await ownTokens();
    const token = await newToken();
    const scopes = async () => (await verifier.verify(token))?.scopes;
    expect(await scopes()).to.deep.equal(['automations:read', 'automations:write']);
    await apps.change(ada, app.id, { name: 'Nightly', redirectUris: [], scopes: ['automations:read'] });
    expect(await scopes()).to.deep.equal(['automations:read']);
    await apps.revoke(ada, app.id);
    expect(await scopes()).to.equal(undefined);
  });

  it('has no rights once its connection has ended', async () => {
    const { verifier, newToken, connections, ada, connection, ofAgent } = await ownTokens();
    const token = await newToken(ofAgent);
    expect(await verifier.verify(token)).to.include({ developerId: 'ada', credentialId: ofAgent.client_id });
    await connections.disconnect(ada, connection.id);
    expect(await verifier.verify(token)).to.equal(undefined);
  });

  it('has no rights while its developer is suspended', async () => {
    const { verifier, newToken, core } = await ownTokens();
    await core.accounts.invite(OPERATOR, 'ada');
    const token = await newToken();
    expect(await verifier.verify(token)).not.to.equal(undefined);
    await core.accounts.suspend(OPERATOR, 'ada');
    expect(await verifier.verify(token)).to.equal(undefined);
    await core.accounts.restore(OPERATOR, 'ada');
    expect(await verifier.verify(token)).not.to.equal(undefined);
  });
});
