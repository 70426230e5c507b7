import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createServer } from 'node:http';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { createMcpApp, type McpOptions } from '../../../adapters/mcp/index.js';
import { newCore, OPERATOR, type Scope, type UseCases } from '../../../application/index.js';
import { newCategory } from '../../../domain/category.js';
import { parseCurrency } from '../../../domain/currency.js';
import { listening } from '../../support/socket.js';

/** No tokenizer of texts in bytes makes more than one token of a byte. */
export const MAX_TOKENS = 10_000;

/** The revision of 2026, and the last one of those before. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof REVISIONS)[number];

/** What a tool answers. */
export interface Answer {
  readonly isError: boolean;
  /** The JSON of the result, or the problem document. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The bytes of the whole result, as the agent gets it. */
  readonly bytes: number;
}

/** A marketplace in memory that agents reach. */
export interface Market {
  readonly url: string;
  readonly core: UseCases;
  readonly errors: readonly unknown[];
  key(developer?: string, scopes?: readonly Scope[]): Promise<string>;
  close(): Promise<void>;
}

export async function openMarket(options: Partial<McpOptions> = {}): Promise<Market> {
  const storage = inMemoryStorage();
  await storage.prepare({ currency: parseCurrency('USD') });
  await storage.categories.save([
    newCategory({ id: 'email', name: 'Email' }),
    newCategory({ id: 'sales', name: 'Sales' }),
  ]);
  const core = newCore(storage, { fileInspector: new TableFileInspector() });
  const errors: unknown[] = [];
  const app = createMcpApp(core.marketplace, {
    verifier: core.verifier,
    rateLimits: { reads: 'off', creates: 'off', failedAuthentications: 'off' },
    onError: (error) => errors.push(error),
    ...options,
  });
  const answer = app.callback();
  const server = await listening(createServer((request, response) => void answer(request, response)));
  return {
    url: `${server.url}/mcp`,
    core,
    errors,
    key: async (developer = 'ada', scopes) => (await core.keys.issue(OPERATOR, { developer, scopes })).text,
    close: () => server.close(),
  };
}

/** Connects the client of the official SDK. */
export async function connect(url: string, key: string, revision: Revision = '2026-07-28'): Promise<Client> {
  const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

export async function call(client: Client, name: string, sent: Record<string, unknown> = {}): Promise<Answer> {
  const result = await client.callTool({ name, arguments: sent });
  const [text] = result.content;
  const json = JSON.parse(text?.type === 'text' ? text.text : '') as Answer['json'];
  return { isError: result.isError === true, json, bytes: Buffer.byteLength(JSON.stringify(result)) };
}

/** Sends a message as it is. */
export function post(
  url: string,
  key: string,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(key && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
}

/** A call of a tool, of a client of 2025. */
export function callMessage(name: string, sent: Record<string, unknown> = {}): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: sent } };
}
