import { expect } from 'chai';
import { answer, OAuthApp } from '../../support/oauth-app.js';
import { startWithDocuments, type OAuthStage } from '../../support/oauth-stage.js';
import type { Visitor } from '../../support/panel-visitor.js';
import { callMessage, post } from '../mcp/agent.js';

const LOOPBACK = 'http://127.0.0.1/callback';

/** What documents of agents have that the server cannot use, with the address to which the agent is led back. */
const WORKING: Readonly<Record<string, readonly [members: object, redirectUri?: string]>> = {
  'a loopback address next to one with a scheme of its own': [
    { redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', LOOPBACK] },
  ],
  'a scope of another kind of server': [{ scope: 'mcp:tools' }],
  'scopes of OpenID alone': [{ scope: 'openid profile email' }],
  'no method to authenticate itself': [{ token_endpoint_auth_method: undefined }],
  'the kind "web" next to an address on localhost': [
    { application_type: 'web', redirect_uris: ['http://localhost:8080/callback'] },
    'http://localhost:8080/callback',
  ],
  'grants that it does not need here': [
    { grant_types: ['authorization_code', 'client_credentials', 'urn:ietf:params:oauth:grant-type:jwt-bearer'] },
  ],
  'addresses of pictures without https': [{ logo_uri: 'http://agent.example/logo.png', client_uri: 'agent.example' }],
  'keys that it does not use here': [{ jwks_uri: 'https://127.0.0.1/keys', jwks: { keys: [] } }],
};

/** Documents and requests of which the server cannot use what is needed. */
const REFUSED: Readonly<Record<string, readonly [members: object, redirectUri: string, error: string]>> = {
  'is led to a scheme without a dot': [
    { redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', LOOPBACK] },
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'invalid_redirect_uri',
  ],
  'has a secret': [{ token_endpoint_auth_method: 'client_secret_post' }, LOOPBACK, 'invalid_client_metadata'],
  'signs its requests': [{ token_endpoint_auth_method: 'private_key_jwt' }, LOOPBACK, 'invalid_client_metadata'],
};

describe('An agent that describes itself', () => {
  let stage: OAuthStage;
  let visitor: Visitor;
  const documents = new Map<string, object>();
  before(async () => {
    stage = await startWithDocuments(documents);
    ({ visitor } = await stage.member());
  });
  after(() => stage.close());

  let count = 0;
  const ask = async (members: object, redirectUri: string) => {
    const id = `https://agent.example/${(count += 1)}.json`;
    const usual = { client_id: id, client_name: 'An agent', redirect_uris: [LOOPBACK] };
    documents.set(id, { ...usual, token_endpoint_auth_method: 'none', ...members });
    const app = await OAuthApp.of(stage.url, { app: { id } }, redirectUri);
    const asked = await app.ask({ resource: `${stage.url}/mcp` });
    return { app, asked };
  };

  for (const [title, [members, redirectUri = LOOPBACK.replace('.1/', '.1:51004/')]] of Object.entries(WORKING))
    it(`with ${title} is connected`, async () => {
      const { app, asked } = await ask(members, redirectUri);
      const { access_token: token } = await app.exchange(await answer(visitor, asked.url, 'allow'), asked);
      expect((await post(`${stage.url}/mcp`, token, callMessage('list_categories'))).status).to.equal(200);
    });

  for (const [title, [members, redirectUri, error]] of Object.entries(REFUSED))
    it(`and ${title} is not connected, and nobody is asked`, async () => {
      const { asked } = await ask(members, redirectUri);
      const { status, body } = await visitor.open(asked.url.pathname + asked.url.search);
      expect(status).to.equal(400);
      expect(body).to.include(`<code>${error}</code>`);
    });
});
