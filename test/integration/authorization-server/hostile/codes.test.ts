import { expect } from 'chai';
import { OPERATOR } from '../../../../domain/access.js';
import { REDIRECT } from '../../../support/oauth-app.js';
import type { Visitor } from '../../../support/panel-visitor.js';
import { CHALLENGE, Market, VERIFIER, type Client, type Fields, type Tokens } from './market.js';
import { outcomeOf, refuses, type Row } from './outcome.js';

const OTHER = 'https://app.example/other';
const AT_APP = `at ${REDIRECT}`;

describe('The authorization server refuses a code', () => {
  let market: Market;
  let app: Client;
  let other: Client;
  let web: Client;

  before(async () => {
    market = await Market.open();
    app = await market.register('native', { redirectUris: [REDIRECT, OTHER] });
    other = await market.register('native', { by: 'bob' });
    web = await market.register('web');
  });
  after(() => market.close());

  const changed = (changes: Fields) => async () => market.exchange(app, await market.code(app), changes);
  const asked = (changes: Fields) => () => market.ask(app, changes);

  /** Exchanges a code of somebody new after something has happened. */
  const afterwards = (name: string, happens: (client: Client, visitor: Visitor) => Promise<unknown>) => async () => {
    const visitor = await market.member(name);
    const client = await market.register('native', { by: name });
    const code = await market.code(client, {}, visitor);
    await happens(client, visitor);
    return market.exchange(client, code);
  };

  const rows: readonly Row[] = [
    [
      'that was used',
      async () => {
        const code = await market.code(app);
        await market.exchange(app, code);
        return market.exchange(app, code);
      },
      '400 invalid_grant',
    ],
    ['of another client', async () => market.exchange(other, await market.code(app)), '400 invalid_grant'],
    [
      'of a native app that a client with a secret sends',
      async () => market.exchange(web, await market.code(app)),
      '400 invalid_grant',
    ],
    ['with another redirect URI of the same app', changed({ redirect_uri: OTHER }), '400 invalid_grant'],
    [
      'with its redirect URI on another port',
      changed({ redirect_uri: 'http://127.0.0.1:5556/callback' }),
      '400 invalid_grant',
    ],
    ['without its redirect URI', changed({ redirect_uri: undefined }), '400 invalid_request'],
    ['with two redirect URIs', changed({ redirect_uri: [REDIRECT, REDIRECT] }), '400 invalid_request'],
    [
      'a minute later',
      async () => {
        const code = await market.code(app);
        return market.later(61, () => market.exchange(app, code));
      },
      '400 invalid_grant',
    ],
    [
      'of an app that was revoked',
      afterwards('carol', ({ id }) => market.core.apps.revoke(OPERATOR, id)),
      '401 invalid_client',
    ],
    [
      'of the app of a developer who was suspended',
      afterwards('dave', () => market.suspend('dave')),
      '401 invalid_client',
    ],
    [
      'for a person who was suspended',
      async () => {
        const code = await market.code(app, {}, await market.member('erin'));
        await market.suspend('erin');
        return market.exchange(app, code);
      },
      '400 invalid_grant',
    ],
    ['without its verifier', changed({ code_verifier: undefined }), '400 invalid_grant'],
    ['with an empty verifier', changed({ code_verifier: '' }), '400 invalid_grant'],
    ['with another verifier', changed({ code_verifier: `${VERIFIER}x` }), '400 invalid_grant'],
    ['with the challenge for a verifier', changed({ code_verifier: CHALLENGE }), '400 invalid_grant'],
    ['with a verifier that is too short', changed({ code_verifier: 'short' }), '400 invalid_request'],
    ['with a verifier of 100,000 characters', changed({ code_verifier: 'v'.repeat(100_000) }), '400 invalid_request'],
    [
      'without a client',
      async () => market.post('/token', { grant_type: 'authorization_code', code: await market.code(app) }),
      '400 invalid_request',
    ],
    ['sent as a refresh token', async () => market.refresh(app, await market.code(app)), '400 invalid_grant'],
    ['sent as an access token', async () => market.read(await market.code(app)), '401 invalid_token'],
    [
      'of which a character differs',
      async () => {
        const code = await market.code(app);
        return market.exchange(app, code.slice(0, -1) + (code.endsWith('a') ? 'b' : 'a'));
      },
      '400 invalid_grant',
    ],
    ['that is empty', changed({ code: '' }), '400 invalid_request'],
    [
      'twice in one request',
      async () => {
        const code = await market.code(app);
        return market.exchange(app, code, { code: [code, code] });
      },
      '400 invalid_request',
    ],
    ['for a grant type that there is none of', changed({ grant_type: 'password' }), '400 unsupported_grant_type'],
    ['for two grant types', changed({ grant_type: ['authorization_code', 'refresh_token'] }), '400 invalid_request'],
    [
      'asked for without a challenge',
      asked({ code_challenge: undefined, code_challenge_method: undefined }),
      `303 invalid_request ${AT_APP}`,
    ],
    [
      'asked for without the method of its challenge',
      asked({ code_challenge_method: undefined }),
      `303 invalid_request ${AT_APP}`,
    ],
    ['asked for with the method plain', asked({ code_challenge_method: 'plain' }), `303 invalid_request ${AT_APP}`],
    ['asked for with the method s256', asked({ code_challenge_method: 's256' }), `303 invalid_request ${AT_APP}`],
    ['asked for with a method and no challenge', asked({ code_challenge: undefined }), `303 invalid_request ${AT_APP}`],
    [
      'asked for with two challenges',
      asked({ code_challenge: [CHALLENGE, CHALLENGE] }),
      `303 invalid_request ${AT_APP}`,
    ],
    [
      'asked for with a challenge that is too short',
      asked({ code_challenge: 'short' }),
      `303 invalid_request ${AT_APP}`,
    ],
  ];
  refuses(rows);

  it('of twenty clients that send it at once, to all but one', async () => {
    const code = await market.code(app);
    const answers = await Promise.all(Array.from({ length: 20 }, () => market.exchange(app, code)));
    const outcomes = answers.map(outcomeOf).toSorted();
    expect(outcomes).to.deep.equal([...Array<string>(19).fill('400 invalid_grant'), 'ACCEPTED 200']);
  });

  it('that was used, and ends what was given for it', async () => {
    const code = await market.code(app);
    const { access_token: token, refresh_token: refreshToken } = JSON.parse(
      (await market.exchange(app, code)).body,
    ) as Tokens;
    expect((await market.read(token)).status).to.equal(200);
    await market.exchange(app, code);
    expect(outcomeOf(await market.read(token))).to.equal('401 invalid_token');
    expect(outcomeOf(await market.refresh(app, refreshToken))).to.equal('400 invalid_grant');
  });

  it('of another client, and gives it to its own', async () => {
    const code = await market.code(app);
    expect(outcomeOf(await market.exchange(other, code))).to.equal('400 invalid_grant');
    expect(outcomeOf(await market.exchange(app, code))).to.equal('ACCEPTED 200');
  });
});
