import { expect } from 'chai';
import { mock } from 'node:test';
import { numbers } from '../../contracts/offers.js';
import { ownTokens } from '../../support/own-tokens.js';

describe('Access tokens of the own server', () => {
  afterEach(() => mock.restoreAll());

  it('are remembered, 10,000 of them, and others are checked again', async () => {
    const { verifier, newToken } = await ownTokens();
    const first = await newToken();
    await verifier.verify(first);
    const others = await Promise.all(numbers(9_999).map(() => newToken()));
    for (const token of others) await verifier.verify(token);
    const checks = mock.method(crypto.subtle, 'verify').mock;
    await verifier.verify(first);
    expect(checks.callCount()).to.equal(0);
    await verifier.verify(await newToken());
    await verifier.verify(others[0] ?? '');
    expect(checks.callCount()).to.equal(2);
  });
});
