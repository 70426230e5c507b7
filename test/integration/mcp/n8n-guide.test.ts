import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { json } from 'node:stream/consumers';
import { parseDeveloperId, SCOPES } from '../../../application/index.js';
import { readmeExamples } from '../../support/readme.js';
import { listening, type Listening } from '../../support/socket.js';
import { EXPORTED } from '../file-inspection/workflow.js';
import { openMarket, type Market } from './agent.js';

const PROGRAM = readmeExamples('docs/agents.md').find(({ language }) => language === 'js')?.code ?? '';
const SELLER = { developerId: parseDeveloperId('ada'), scopes: SCOPES };

/** What the public API of n8n takes of a workflow and of its nodes, without what it ignores. */
const OF_WORKFLOW = ['connections', 'name', 'nodes', 'settings'];
const OF_NODE = ['id', 'name', 'type', 'typeVersion', 'position', 'parameters', 'webhookId', 'disabled', 'notes'];

/** A stand-in for the API of n8n: what it was sent, and whether it took that. */
interface N8n extends Listening {
  readonly created: { readonly name: string; readonly nodes: readonly object[] }[];
}

async function startN8n(): Promise<N8n> {
  const created: N8n['created'] = [];
  const answer = async (request: IncomingMessage): Promise<readonly [status: number, body: object]> => {
    if (request.headers['x-n8n-api-key'] !== 'n8n-key') return [401, { message: 'unauthorized' }];
    if (`${request.method} ${request.url}` !== 'POST /api/v1/workflows') return [404, { message: 'not found' }];
    const workflow = (await json(request)) as N8n['created'][number];
    const isKnown = workflow.nodes.every((node) => Object.keys(node).every((name) => OF_NODE.includes(name)));
    if (Object.keys(workflow).sort().join() !== OF_WORKFLOW.join() || !isKnown)
      return [400, { message: 'request/body must NOT have additional properties' }];
    created.push(workflow);
    return [200, { ...workflow, id: 'w1' }];
  };
  const server = await listening(
    createServer((request, response) => {
      void answer(request).then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)));
    }),
  );
  return { ...server, created };
}

describe('"From the market into n8n" of docs/agents.md', () => {
  let market: Market;
  let n8n: N8n;
  before(async () => {
    [market, n8n] = await Promise.all([openMarket(), startN8n()]);
  });
  after(() => Promise.all([market.close(), n8n.close()]));

  it('creates the workflow in n8n, from a file in several parts, without credentials', async () => {
    const nodes = EXPORTED.nodes.map((node) => ({ ...node, notes: 'An invoice. '.repeat(500) }));
    const bytes = Buffer.from(JSON.stringify({ ...EXPORTED, nodes }, undefined, 2));
    const draft = { title: 'Sort invoices', description: 'Sorts.', price: 0, categoryId: 'email' };
    await market.core.marketplace.createAutomation(SELLER, { ...draft, file: { name: 'sort.json', bytes } });
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
      env: {
        ...process.env,
        MARKET_URL: new URL(market.url).origin,
        MARKET_KEY: await market.key('agent', ['automations:read']),
        N8N_URL: n8n.url,
        N8N_API_KEY: 'n8n-key',
      },
    });
    expect(stdout).to.equal('200 w1\n');
    expect(n8n.created).to.have.length(1);
    expect(n8n.created[0])
      .to.include({ name: 'Sort invoices' })
      .and.deep.include({
        connections: EXPORTED.connections,
        settings: { executionOrder: 'v1' },
      });
    expect(n8n.created[0]?.nodes.map((node) => Object.keys(node).includes('credentials'))).to.deep.equal([
      false,
      false,
    ]);
  });
});
