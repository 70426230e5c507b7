import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { mock } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { newAgentServer } from '../../../adapters/mcp/agent-server.js';
import { LineTransport } from '../../../adapters/mcp/line-transport.js';
import type { Tool } from '../../../adapters/mcp/tool.js';
import { SCOPES } from '../../../application/index.js';
import { parseDeveloperId } from '../../../domain/access.js';
import { callMessage } from './agent.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const SLOW = { ...callMessage('slow'), id: 2 };
const MARK = '\uFEFF';

/** Answers after a while what it was sent. */
const slow: Tool = {
  name: 'slow',
  title: 'Slow',
  description: 'Slow.',
  scope: 'automations:read',
  input: { type: 'object', properties: { text: { type: 'string' } } },
  output: { type: 'object', properties: { text: { type: 'string' } } },
  run: (_caller, { text }) => setTimeout(100, { text: text ?? 'done' }),
};

interface Answer {
  readonly id: unknown;
  readonly result?: { readonly structuredContent?: { readonly text: string } };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Returns what is answered to an input, until it ends by itself. */
async function answersTo(...input: readonly (string | Buffer)[]): Promise<readonly Answer[]> {
  const [from, to] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport(from, to);
  const caller = () => ({ developerId: parseDeveloperId('ada'), scopes: SCOPES });
  const server = serveStdio(() => newAgentServer([slow], { caller, problemOf: String }), { transport });
  for (const part of input) from.write(part);
  from.end();
  await transport.ended;
  await server.close();
  const lines = String((to.read() as Buffer | null) ?? '').split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Answer);
}

const lines = (...messages: readonly unknown[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');
const refusalsIn = (answers: readonly Answer[]) => answers.map(({ id, error }) => [id, error?.code]);

describe('Messages of agents in lines', () => {
  it('may begin with a byte order mark', async () => {
    const [answer] = await answersTo(MARK + lines(INITIALIZE));
    expect(answer).to.have.nested.property('result.serverInfo.name');
  });

  const NO_JSON: readonly (readonly [what: string, line: string | Buffer])[] = [
    ['words', 'hello\n'],
    ['half of a message', '{"jsonrpc":"2.0"\n'],
    ['broken UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a])],
  ];
  for (const [what, line] of NO_JSON)
    it(`that are no JSON get -32700 with the id null, and the next one is read: ${what}`, async () => {
      const answers = await answersTo(lines(INITIALIZE), line, lines(PING));
      expect(refusalsIn(answers.filter(({ error }) => error))).to.deep.equal([[null, -32_700]]);
      expect(answers.map(({ id }) => id)).to.have.members([0, null, 1]);
    });

  const NO_MESSAGES: readonly (readonly [what: string, sent: unknown, id: unknown])[] = [
    ['a text', 'hello', null],
    ['several at once', [PING, PING], null],
    ['one without a version', { id: 7, method: 'ping' }, 7],
    ['one of ten thousand values', { ...PING, id: 8, params: { a: Array(10_000).fill(1) } }, 8],
  ];
  for (const [what, sent, id] of NO_MESSAGES)
    it(`that are JSON and no message get -32600, and the next one is read: ${what}`, async () => {
      const answers = await answersTo(lines(INITIALIZE, sent, PING));
      expect(refusalsIn(answers.filter(({ error }) => error))).to.deep.equal([[id, -32_600]]);
      expect(answers.map((answer) => answer.id)).to.have.members([0, id, 1]);
    });

  it('are read to the last one, without a line feed, and all are answered before the end', async () => {
    const answers = await answersTo(lines(INITIALIZE), JSON.stringify(SLOW));
    expect(answers.find(({ id }) => id === 2)).to.have.nested.property('result.structuredContent.text', 'done');
  });

  it('may end with carriage returns, be blank, and come in pieces that end within a character', async () => {
    const call = Buffer.from(lines({ ...callMessage('slow', { text: 'é😀' }), id: 3 }).replace('\n', '\r\n'));
    const pieces = Array.from(call, (byte) => Buffer.from([byte]));
    const answers = await answersTo(lines(INITIALIZE), '\r\n\n  \n', ...pieces);
    expect(answers.find(({ id }) => id === 3)).to.have.nested.property('result.structuredContent.text', 'é😀');
    expect(answers).to.have.length(2);
  });

  it('may have null for parameters, and listen for nothing', async () => {
    const nothing = { ...callMessage('slow'), id: 4, params: { name: 'slow', arguments: null } };
    const listen = { jsonrpc: '2.0', id: 5, method: 'subscriptions/listen', params: { notifications: {} } };
    const answers = await answersTo(lines(INITIALIZE, nothing, listen));
    expect(answers.find(({ id }) => id === 4)).to.have.nested.property('result.structuredContent.text', 'done');
    expect(answers.find(({ id }) => id === 5)).to.have.nested.property('error.code', -32_601);
  });

  it('that were cancelled keep nothing waiting at the end', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      expect((await answersTo(lines(INITIALIZE, SLOW, cancel))).map(({ id }) => id)).to.deep.equal([0]);
    } finally {
      mock.timers.reset();
    }
  });
});
