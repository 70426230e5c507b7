import { expect } from 'chai';
import { answer, OAuthApp } from '../../support/oauth-app.js';
import { agentDocument, DOCUMENTS, type AgentDocument } from '../../support/oauth-documents.js';
import { startWithDocuments, type OAuthStage } from '../../support/oauth-stage.js';
import { STORAGES } from '../../support/storages.js';
import { callMessage, post } from '../mcp/agent.js';

/** The addresses to which each of the agents is led back; loopback ports are chosen at each start. */
const REDIRECTS: readonly (readonly [document: AgentDocument, redirectUri: string])[] = [
  ['terminal', 'http://localhost:51004/callback'],
  ['terminal', 'http://127.0.0.1:3118/callback'],
  ['editor', 'http://127.0.0.1:33418/'],
  ['editor', 'http://127.0.0.1:50000/'],
  ['editor', 'http://localhost:33418/'],
  ['editor', 'https://editor.example/redirect'],
  ['hosted', 'https://assistant.example/api/mcp/auth_callback'],
];

for (const [storage, fresh] of Object.entries(STORAGES))
  describe(`The authorization server and clients with metadata documents, on ${storage}`, () => {
    let stage: OAuthStage;
    const documents = new Map<string, object>();
    before(async () => {
      for (const [id, document] of DOCUMENTS.map(agentDocument)) documents.set(id, document);
      stage = await startWithDocuments(documents, { repositories: fresh() });
    });
    after(() => stage.close());

    const appOf = (document: AgentDocument, redirectUri: string) => {
      const [id] = agentDocument(document);
      return OAuthApp.of(stage.url, { app: { id } }, redirectUri);
    };
    const useTool = async (token: string) =>
      (await post(`${stage.url}/mcp`, token, callMessage('list_categories'))).status;

    for (const [document, redirectUri] of REDIRECTS)
      it(`gives an agent like a ${document} one a token for /mcp, and leads to ${redirectUri}`, async () => {
        const { by, visitor } = await stage.member();
        const app = await appOf(document, redirectUri);
        const asked = await app.ask({ resource: `${stage.url}/mcp` });
        asked.url.searchParams.delete('scope');
        const first = await app.exchange(await answer(visitor, asked.url, 'allow'), asked);
        expect(first.scope).to.equal('automations:read');
        expect([await useTool(first.access_token), await stage.read(first.access_token)]).to.deep.equal([200, 401]);
        const second = await app.refresh(String(first.refresh_token));
        expect(await useTool(second.access_token)).to.equal(200);
        const [connection] = (await stage.core.connections.list(by)).items;
        const { client_name: name } = documents.get(agentDocument(document)[0]) as { readonly client_name: string };
        expect(connection).to.include({ name, audience: 'agents', clientId: agentDocument(document)[0] });
        await stage.core.connections.disconnect(by, String(connection?.id));
        expect(await useTool(second.access_token)).to.equal(401);
        expect(await stage.history(by, 2)).to.deep.equal(['app-disconnected', 'app-connected']);
      });

    for (const redirectUri of [
      'http://localhost:51004/other',
      'http://192.0.2.1:51004/callback',
      'https://evil.example/',
    ])
      it(`asks nobody when an agent's document does not name the address ${redirectUri}`, async () => {
        const { visitor } = await stage.member();
        const { url } = await (await appOf('terminal', redirectUri)).ask();
        const { status, headers } = await visitor.open(url.pathname + url.search);
        expect([status, headers.get('location')]).to.deep.equal([400, null]);
      });

    it('asks nobody for an agent whose document is gone, and takes its tokens until they end', async () => {
      const { visitor } = await stage.member();
      const app = await appOf('terminal', 'http://localhost:1/callback');
      const { access_token: token } = await app.connect(visitor, { resource: `${stage.url}/mcp` });
      const id = 'https://gone.example/client.json';
      const gone = await OAuthApp.of(stage.url, { app: { id } }, 'http://localhost:1/callback');
      const { url } = await gone.ask();
      expect((await visitor.open(url.pathname + url.search)).status).to.equal(400);
      expect(await useTool(token)).to.equal(200);
    });
  });
