import { expect } from 'chai';
import { RawClient } from '../../../support/raw.js';
import { REDIRECT } from '../../../support/oauth-app.js';
import { Market, type Client } from './market.js';
import { grantsIn, outcomeOf, refuses } from './outcome.js';

/** What somebody has who read the records of the server in a backup. */
describe('The authorization server refuses what stands in its records', () => {
  let market: Market;
  let app: Client;

  before(async () => {
    market = await Market.open();
    app = await market.register('native');
  });
  after(() => market.close());

  /** Returns the id of the last record of this kind that was written. */
  const stored = (kind: string) => {
    const record = market.written.findLast((text) => text.includes(`"kind":"${kind}"`)) ?? '';
    return (JSON.parse(record) as { readonly id: string }).id;
  };
  const codeOf = async () => {
    await market.code(app);
    return stored('authorization-code');
  };
  const refreshTokenOf = async () => {
    await market.tokens(app);
    return stored('refresh-token');
  };

  refuses([
    ['as a code', async () => market.exchange(app, await codeOf()), '400 invalid_grant'],
    [
      'as a code as the server names it',
      async () => market.exchange(app, `sha256:${await codeOf()}`),
      '400 invalid_grant',
    ],
    ['as a refresh token', async () => market.refresh(app, await refreshTokenOf()), '400 invalid_grant'],
    [
      'as a refresh token as the server names it',
      async () => market.refresh(app, `sha256:${await refreshTokenOf()}`),
      '400 invalid_grant',
    ],
    ['as an access token', async () => market.read(await refreshTokenOf()), '401 invalid_token'],
    [
      'the id of a consent as a refresh token',
      async () => {
        await market.tokens(app);
        return market.refresh(app, stored('connection'));
      },
      '400 invalid_grant',
    ],
    [
      'the id of a consent as a code',
      async () => {
        await market.tokens(app);
        return market.exchange(app, stored('connection'));
      },
      '400 invalid_grant',
    ],
  ]);

  it('to revoke a token', async () => {
    const { refresh_token: token } = await market.tokens(app);
    await market.postAs(app, '/token/revocation', { token: `sha256:${stored('refresh-token')}` });
    expect(outcomeOf(await market.refresh(app, token))).to.equal('ACCEPTED 200');
  });

  it('as the cookie of a session: it starts a new one', async () => {
    await market.tokens(app);
    const session = stored('session');
    market.ada.cookies.set('oauth-session', `sha256:${session}`);
    const sent = await market.answer(await market.question(app), 'allow');
    expect(grantsIn(sent)).to.have.length(1);
    expect(stored('session')).to.not.equal(session);
  });

  it('to say who somebody is: a session of the server names nobody', async () => {
    await market.tokens(app);
    const sessions = market.written.filter((text) => text.includes('"kind":"session"'));
    expect(sessions.filter((text) => text.includes('accountId'))).to.deep.equal([]);
    expect(sessions.length).to.be.above(0);
  });

  it('and tells in its log who asked and why they were refused, without what they sent', async () => {
    const code = await market.code(app);
    await market.exchange(app, code, { code_verifier: 'a-wrong-verifier-of-more-than-forty-three-chars' });
    const line = market.service.logged.findLast((text) => text.includes('"route":"/oauth/*"')) ?? '';
    expect(JSON.parse(line))
      .to.include({ status: 400, keyId: app.id })
      .and.have.property('reason')
      .that.includes('invalid_grant');
    expect(line).to.not.include(code).and.not.include('a-wrong-verifier').and.not.include(REDIRECT);
  });

  it('and fails at no client that goes away in its request', async () => {
    const { port } = market.service;
    for (const path of ['/oauth/token', '/oauth/device', '/oauth/token/revocation', '/oauth/device/auth']) {
      const client = await RawClient.open(port);
      client.say(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
          'Content-Length: 1000\r\n\r\ngrant_type=',
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      client.abort();
    }
    expect(outcomeOf(await market.exchange(app, await market.code(app)))).to.equal('ACCEPTED 200');
  });
});
