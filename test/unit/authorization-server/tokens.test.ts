import { expect } from 'chai';
import { mock } from 'node:test';
import { numbers } from '../../contracts/offers.js';
import { ownTokens } from '../../support/own-tokens.js';

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

  it('that was accepted is refused from its end on', async () => {
    let time = Date.now();
    const { verifier, newToken } = await ownTokens(() => new Date(time));
    const exp = Math.floor(time / 1_000) + 60;
    const token = await newToken({ exp });
    expect(await verifier.verify(token)).not.to.equal(undefined);
    time = exp * 1_000 - 1;
    expect(await verifier.verify(token)).not.to.equal(undefined);
    time = exp * 1_000;
    expect(await verifier.verify(token)).to.equal(undefined);
  });

  it('that was accepted is refused once its key was removed', async () => {
    let time = Date.now();
    const { verifier, newToken, keys } = await ownTokens(() => new Date(time));
    const token = await newToken();
    expect(await verifier.verify(token)).not.to.equal(undefined);
    await keys.rotate({ atOnce: true });
    expect(await verifier.verify(token)).to.equal(undefined);
    time += 60_000;
    expect(await verifier.verify(token)).to.equal(undefined);
  });

  it('that was accepted has no more rights than its app, and none once it is revoked', async () => {
    const { verifier, newToken, apps, app, ada } = await ownTokens();
    const token = await newToken({ scope: 'automations:read automations:write' });
    const scopes = async () => (await verifier.verify(token))?.scopes;
    expect(await scopes()).to.deep.equal(['automations:read', 'automations:write']);
    await apps.change(ada, app.id, { name: 'Nightly', redirectUris: [], scopes: ['automations:read'] });
    expect(await scopes()).to.deep.equal(['automations:read']);
    await apps.revoke(ada, app.id);
    expect(await scopes()).to.equal(undefined);
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
