import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { answer, OAuthApp } from '../../support/oauth-app.js';
import { agentDocument } from '../../support/oauth-documents.js';
import { startWithDocuments, type OAuthStage } from '../../support/oauth-stage.js';
import { draft } from '../../support/service/client.js';
import { call, callMessage, post, REVISIONS, type Revision } from '../mcp/agent.js';

const REDIRECT = 'http://localhost:51004/callback';
const [ID, DOCUMENT] = agentDocument('terminal');

type Stored = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>;

/** What a program with the client of the SDK keeps. */
class AgentMemory implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadataUrl = ID;
  readonly clientMetadata = { client_name: 'An agent', redirect_uris: [REDIRECT] };
  /** The address that the program opened in the browser. */
  asked: URL | undefined;
  #client: Stored;
  #tokens: Tokens;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  state = () => 'state of the agent';
  clientInformation = () => this.#client;
  saveClientInformation = (client: Stored) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens: Tokens) => void (this.#tokens = tokens);
  redirectToAuthorization = (url: URL) => void (this.asked = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (state: OAuthDiscoveryState) => void (this.#discovery = state);
  discoveryState = () => this.#discovery;
}

describe('The client of the official SDK of the Model Context Protocol', () => {
  let stage: OAuthStage;
  before(async () => {
    stage = await startWithDocuments(new Map([[ID, DOCUMENT]]));
  });
  after(() => stage.close());

  const transportOf = (authProvider: OAuthClientProvider) =>
    new StreamableHTTPClientTransport(new URL(`${stage.url}/mcp`), { authProvider });
  const newClient = (revision: Revision = '2026-07-28') => {
    const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const);
    return new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
  };
  /** Connects until the person has to be asked, and has them answer. */
  async function authorize(memory: AgentMemory, run: () => Promise<unknown>, transport = transportOf(memory)) {
    const { by, visitor } = await stage.member();
    const error = await run().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(UnauthorizedError);
    if (memory.asked === undefined) throw new Error('nobody was asked');
    const callback = new URL(await answer(visitor, memory.asked, 'allow'));
    await transport.finishAuth(callback.searchParams);
    return by;
  }

  for (const revision of REVISIONS)
    it(`finds the server from a 401, asks to read, then from a 403 to create as well (${revision})`, async () => {
      const memory = new AgentMemory();
      const transport = transportOf(memory);
      await authorize(memory, () => newClient(revision).connect(transport), transport);
      const query = Object.fromEntries(memory.asked?.searchParams ?? []);
      expect(query).to.include({ client_id: ID, resource: `${stage.url}/mcp`, code_challenge_method: 'S256' });
      expect(query['scope']).to.equal('automations:read');
      const client = newClient(revision);
      const connected = transportOf(memory);
      await client.connect(connected);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.include.members(['search_automations', 'create_automation']);
      const sent = { ...draft(1), idempotency_key: `key-${revision}` };
      const by = await authorize(memory, () => call(client, 'create_automation', sent), connected);
      expect(memory.asked?.searchParams.get('scope')).to.equal('automations:read automations:write');
      const created = await call(client, 'create_automation', sent);
      expect(created.isError).to.equal(false);
      const found = await call(client, 'search_automations', { q: 'Automation' });
      expect(found.json['total']).to.be.greaterThan(0);
      await client.close();
      expect(await stage.history(by, 2)).to.deep.equal(['automation-published', 'app-connected']);
    });

  it('gets 403 for what was not asked, asks for it, and goes on', async () => {
    const { by, visitor } = await stage.member();
    const reader = await OAuthApp.of(stage.url, { app: { id: ID } }, REDIRECT);
    const { access_token: token } = await reader.connect(visitor, {
      resource: `${stage.url}/mcp`,
      scope: 'automations:read',
    });
    const sent = { ...draft(2), idempotency_key: 'not-asked' };
    const refused = await post(`${stage.url}/mcp`, token, callMessage('create_automation', sent));
    expect(refused.status).to.equal(403);
    const challenge = refused.headers.get('www-authenticate');
    expect(challenge).to.include('error="insufficient_scope", scope="automations:read automations:write"');

    const memory = new AgentMemory();
    memory.saveTokens({ access_token: token, token_type: 'Bearer', issuer: `${stage.url}/oauth` });
    const transport = transportOf(memory);
    const client = newClient();
    await client.connect(transport);
    await authorize(memory, () => call(client, 'create_automation', sent), transport);
    expect(memory.asked?.searchParams.get('scope')).to.include('automations:write');
    const { isError } = await call(client, 'create_automation', sent);
    expect(isError).to.equal(false);
    await client.close();
    expect(await stage.history(by, 1)).to.deep.equal(['app-connected']);
  });

  it('works with the credentials of a machine', async () => {
    const { by } = await stage.member();
    const { app, secret = '' } = await stage.register(by, 'machine');
    const expectedIssuer = `${stage.url}/oauth`;
    const machine = new ClientCredentialsProvider({ clientId: app.id, clientSecret: secret, expectedIssuer });
    const client = newClient();
    await client.connect(transportOf(machine));
    const { isError } = await call(client, 'create_automation', { ...draft(3), idempotency_key: 'machine' });
    expect(isError).to.equal(false);
    await client.close();
    expect(await stage.history(by, 1)).to.deep.equal(['automation-published']);
    expect(await stage.read(String(machine.tokens()?.access_token))).to.equal(401);
  });
});
