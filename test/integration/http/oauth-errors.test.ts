import { expect } from 'chai';
import { createServer } from 'node:http';
import { Overload } from '../../../adapters/edge/middleware/overload.js';
import { createPagesApp } from '../../../adapters/api/documents/site-app.js';
import { OAUTH_ERRORS } from '../../../adapters/edge/problems/oauth-errors.js';
import { parseCurrency } from '../../../domain/currency.js';
import { listening, send, type Sent } from '../../support/socket.js';

const OPTIONS = {
  currency: parseCurrency('USD'),
  version: '1.2.3',
  mountPath: '/market',
  panel: false,
  readiness: async () => 'ready' as const,
};
const OWN = { ownIssuer: 'https://market.example/market/oauth', audience: 'https://market.example/market/api' };
const OUTSIDE = { outsideIssuer: 'https://login.example', audience: 'https://market.example' };

async function ask(path: string, tokens: typeof OWN | typeof OUTSIDE): Promise<Sent> {
  const answer = createPagesApp({ ...OPTIONS, accessTokens: () => tokens }, new Overload()).callback();
  const server = await listening(createServer((request, response) => void answer(request, response)));
  const sent = await send(server.url, { method: 'GET', path });
  await server.close();
  return sent;
}

describe('The page of the errors of OAuth 2.0', () => {
  it('says of each error of the server what it means and what to do, at an address of its own', async () => {
    const { status, body } = await ask('/problems/oauth', OWN);
    expect(status).to.equal(200);
    for (const code of [
      ...['invalid_request', 'invalid_client', 'invalid_grant', 'unauthorized_client', 'unsupported_grant_type'],
      ...['invalid_scope', 'invalid_target', 'access_denied', 'authorization_pending', 'expired_token'],
      ...['unsupported_response_type', 'login_required', 'server_error'],
    ] as const) {
      const { explanation, advice } = OAUTH_ERRORS[code];
      expect(body, code).to.include(` id="${code}"`);
      expect(body.replaceAll('&quot;', '"'), code).to.include(explanation).and.include(advice);
    }
    expect(body).not.to.match(/<script|<style| style=/);
  });

  it('is found from the index of problems', async () => {
    expect((await ask('/problems', OWN)).body).to.include('href="/market/problems/oauth"');
  });

  it('is not there where only the tokens of a server elsewhere are taken', async () => {
    expect((await ask('/problems/oauth', OUTSIDE)).status).to.equal(404);
    expect((await ask('/problems', OUTSIDE)).body).not.to.include('/problems/oauth');
  });
});
