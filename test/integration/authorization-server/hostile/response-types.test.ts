import { expect } from 'chai';
import { REDIRECT } from '../../../support/oauth-app.js';
import { Market, type Client } from './market.js';

/** Each response type with the part of the address in which its clients look for the answer. */
const PLACES = {
  code: 'query',
  none: 'query',
  CODE: 'query',
  unknown: 'query',
  token: 'fragment',
  id_token: 'fragment',
  'id_token token': 'fragment',
  'code token': 'fragment',
  'code id_token': 'fragment',
  'code id_token token': 'fragment',
} as const;

describe('The authorization server', () => {
  let market: Market;
  let app: Client;

  before(async () => {
    market = await Market.open();
    app = await market.register('native');
  });
  after(() => market.close());

  for (const [type, place] of Object.entries(PLACES))
    it(`leads back with the error of the response type ${type} in the ${place}, and nowhere else`, async () => {
      // For the type code, something else is wrong.
      const sent = await market.ask(app, { response_type: type, nonce: 'x', prompt: 'none' });
      const { origin, pathname, searchParams, hash } = new URL(sent.headers.get('location') ?? '');
      expect(origin + pathname).to.equal(REDIRECT);
      const inFragment = new URLSearchParams(hash.slice(1));
      const [told, other] = place === 'query' ? [searchParams, inFragment] : [inFragment, searchParams];
      expect(told.get('error')).to.match(/^(login_required|unsupported_response_type|invalid_request)$/);
      expect(told.get('state')).to.equal('state of the app');
      expect([...other]).to.deep.equal([]);
    });
});
