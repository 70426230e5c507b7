import { expect } from 'chai';
import { cleaned, EXPORTED, inspect, textOf, workflowOf } from './workflow.js';

describe('Cleaning a workflow of n8n', () => {
  it('keeps names, steps, connections and settings, and counts what it removes', async () => {
    const { removed, platform } = await inspect(EXPORTED);
    expect(platform).to.equal('n8n');
    expect(Object.fromEntries(removed.map(({ kind, count }) => [kind, count]))).to.deep.equal({
      other: 3,
      'webhook-id': 1,
      'document-name': 1,
      'document-link': 1,
      credential: 1,
      'pinned-data': 1,
      'installation-id': 1,
    });
    const [webhook, sheet] = EXPORTED.nodes;
    const { webhookId, ...shownWebhook } = webhook ?? {};
    expect(webhookId).to.be.a('string');
    expect(await cleaned(EXPORTED)).to.deep.equal({
      name: 'Notify',
      nodes: [
        shownWebhook,
        {
          ...sheet,
          parameters: { documentId: { __rl: true, value: '1AbCdEfGhIjKlMnOpQrStUvWxYz', mode: 'list' }, options: {} },
          credentials: { googleSheetsOAuth2Api: {} },
        },
      ],
      connections: EXPORTED.connections,
      settings: { executionOrder: 'v1' },
    });
  });

  it('leaves the text between what stays as it was', async () => {
    const text = `{ "id" : 1,"nodes":[ {"type":"x.y" , "webhookId":"w", "name":"\\u0041" } ],\t"a":[{}] ,
      "connections" : {},"name":"1.50" , "active":true}`;
    expect(textOf(await inspect(text))).to.equal(
      `{"nodes":[ {"type":"x.y" , "name":"\\u0041" } ] ,
      "connections" : {},"name":"1.50" }`,
    );
  });

  it('leaves numbers and the order of names as they were, also names that are numbers', async () => {
    const text = '{"nodes":[{"type":"a","parameters":{"b":1.0,"2":-0,"1":1E2}}],"connections":{"2":{},"1":{}}}';
    expect(textOf(await inspect(text))).to.equal(text);
    expect(textOf(await inspect(`{"tags":[],${text.slice(1)}`))).to.equal(text);
  });

  for (const [credentials, left] of [
    [{ slackApi: { id: '1', name: 'Mine' } }, { slackApi: {} }],
    [
      { slackApi: 'Mine', notionApi: {} },
      { slackApi: {}, notionApi: {} },
    ],
    [
      { slackApi: null, a: 1, b: true, c: [1] },
      { slackApi: {}, c: {} },
    ],
    [{}, {}],
    ['Mine', undefined],
    [['Mine'], undefined],
    [null, undefined],
  ] as const)
    it(`leaves the types of the credentials ${JSON.stringify(credentials)}`, async () => {
      const { nodes } = (await cleaned(workflowOf({ credentials }))) as { nodes: { credentials?: unknown }[] };
      expect(nodes[0]?.credentials).to.deep.equal(left);
    });

  it('removes what the editor shows of documents at any depth of parameters, and nowhere else', async () => {
    const parameters = { a: [{ b: { cachedResultName: 'Secret plan', cachedResultUrl: 'https://x', c: 1 } }] };
    const connections = { cachedResultName: { parameters: { cachedResultUrl: {} } } };
    const workflow = { ...workflowOf({ parameters }), connections };
    const { nodes, ...left } = (await cleaned(workflow)) as { nodes: { parameters: unknown }[] };
    expect(left).to.deep.equal({ connections });
    expect(nodes[0]?.parameters).to.deep.equal({ a: [{ b: { c: 1 } }] });
  });

  it('refuses no number in what it removes', async () => {
    const pinData = { a: [{ json: { id: 0 } }] };
    const text = JSON.stringify({ ...workflowOf({}), pinData }).replace('"id":0', '"id":12345678901234567890');
    expect((await inspect(text)).violations).to.deep.equal([]);
  });

  it('finds a secret in what stays, not in what is removed', async () => {
    const token = `xoxb-1234567890-${'aB3'.repeat(8)}`;
    const hidden = { ...workflowOf({ webhookId: token }), pinData: { a: [token] } };
    expect((await inspect(hidden)).violations).to.deep.equal([]);
    const { violations } = await inspect(workflowOf({ name: 'Send', parameters: { text: token } }));
    const place = 'nodes / "Send" / parameters / text';
    const detail = `must contain no secret; ${place} has what looks like a token of Slack`;
    expect(violations).to.deep.equal([{ code: 'contains-secret', place, detail }]);
  });
});

describe('A file of n8n', () => {
  for (const value of [
    { nodes: [], connections: {} },
    { connections: { a: {} }, nodes: [{ type: '' }] },
    { meta: {}, nodes: [{ type: 'a', name: 7, position: 'x' }], connections: {} },
  ])
    it(`is ${JSON.stringify(value)}`, async () => {
      expect((await inspect(value)).platform).to.equal('n8n');
    });

  for (const value of [
    null,
    [],
    {},
    [{ nodes: [], connections: {} }],
    { nodes: {}, connections: {} },
    { nodes: [], connections: [] },
    { nodes: [], connections: null },
    { nodes: [{}], connections: {} },
    { nodes: [{ type: 1 }], connections: {} },
    { nodes: [['type']], connections: {} },
    { nodes: [null], connections: {} },
  ])
    it(`is not ${JSON.stringify(value)}`, async () => {
      expect((await inspect(value)).platform).to.equal(undefined);
    });
});
