import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { call, callMessage } from '../../integration/mcp/agent.js';
import { MAIN, Workplace } from '../../support/process.js';

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

describe('The command mcp', () => {
  let place: Workplace;
  let key: string;
  before(async () => {
    place = await Workplace.open();
    writeFileSync(place.path('categories.json'), '[{ "id": "email", "name": "Email" }]');
    await place.run(['categories', 'import', place.path('categories.json')]);
    const { stdout } = await place.run(['keys', 'issue', '--developer', 'ada', '--new']);
    key = /amk_\w+/.exec(stdout)?.[0] ?? '';
  });
  after(() => place.clear());

  it("serves an agent over standard input and output, as the key's owner, until it leaves", async () => {
    const agent = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const environment = { ...place.environment, MARKETPLACE_KEY: key };
    const transport = new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env: environment });
    await agent.connect(transport);
    const sent = { title: 'One', description: 'Two', price: 3, category_id: 'email', idempotency_key: 'one' };
    expect((await call(agent, 'create_automation', sent)).json).to.include({ title: 'One', developer_id: 'ada' });
    await place.run(['keys', 'revoke', await idOf(place)]);
    expect(await call(agent, 'list_categories')).to.have.nested.property('json.code', 'invalid-token');
    await agent.close();
  });

  it('answers a byte order mark, a line that is no JSON, and a last line without line feed', async () => {
    const { stdout } = await place.run(['keys', 'issue', '--developer', 'eve', '--new']);
    const environment = { ...place.environment, MARKETPLACE_KEY: /amk_\w+/.exec(stdout)?.[0] ?? '' };
    const child = spawn(process.execPath, [MAIN, 'mcp'], { env: environment, cwd: place.folder });
    child.stdin.end(`\uFEFF${INITIALIZE}\nno JSON\n${JSON.stringify(callMessage('list_categories'))}`);
    const ended = once(child, 'close');
    const answers = await text(child.stdout);
    await ended;
    const lines = answers.split('\n').filter(Boolean);
    const said = lines.map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    expect(child.exitCode).to.equal(0);
    expect(said.map(({ id, error }) => [id, error?.code])).to.have.deep.members([
      [0, undefined],
      [null, -32_700],
      [1, undefined],
    ]);
    expect(answers).to.include('"total":1');
  });

  const REFUSED: readonly (readonly [
    what: string,
    settings: Record<string, string>,
    code: number,
    sentence: string,
  ])[] = [
    ['without a key', {}, 2, 'a key is missing; set MARKETPLACE_KEY'],
    [
      'with an unknown key',
      { MARKETPLACE_KEY: 'amk_1' },
      1,
      'MARKETPLACE_KEY is malformed, unknown, expired or revoked',
    ],
  ];
  for (const [what, settings, code, sentence] of REFUSED)
    it(`${what} ends with ${code} and says why`, async () => {
      const outcome = await place.run(['mcp'], settings);
      expect(outcome.code).to.equal(code);
      expect(outcome.stderr).to.include(sentence);
      expect(outcome.stdout).to.equal('');
    });
});

async function idOf(place: Workplace): Promise<string> {
  const { stdout } = await place.run(['keys', 'list', '--json']);
  return (JSON.parse(stdout) as readonly { readonly id: string }[])[0]?.id ?? '';
}
