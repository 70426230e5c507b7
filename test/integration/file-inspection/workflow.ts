import type { FileName } from '../../../domain/file.js';
import type { FileInspection } from '../../../domain/ports.js';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';

/** A workflow as n8n exports it, with each kind of what is removed. */
export const EXPORTED = {
  name: 'Notify',
  id: 'x7Kp2mQ9',
  active: false,
  nodes: [
    {
      parameters: { httpMethod: 'POST', path: 'new-order' },
      id: '9b2e4f0a-1111-4c1d-8e1f-000000000001',
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      webhookId: '5c1f0d5e-2222-4a4a-9d7e-000000000002',
    },
    {
      parameters: {
        documentId: {
          __rl: true,
          value: '1AbCdEfGhIjKlMnOpQrStUvWxYz',
          mode: 'list',
          cachedResultName: 'Orders of our customers',
          cachedResultUrl: 'https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz/edit',
        },
        options: {},
      },
      id: '9b2e4f0a-1111-4c1d-8e1f-000000000003',
      name: 'Sheet',
      type: 'n8n-nodes-base.googleSheets',
      typeVersion: 4.5,
      position: [220, 0],
      credentials: { googleSheetsOAuth2Api: { id: 'abc123', name: 'Sheets of Ada' } },
    },
  ],
  pinData: { Webhook: [{ json: { email: 'someone@example.com' } }] },
  connections: { Webhook: { main: [[{ node: 'Sheet', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1', errorWorkflow: 'q8Zr5' },
  meta: { instanceId: '0000000000000000000000000000000000000000000000000000000000000000' },
};

const inspector = new TableFileInspector();

export function inspect(content: unknown, name = 'a.json'): Promise<FileInspection> {
  if (content instanceof Uint8Array) return inspector.inspect(name as FileName, content);
  const text = typeof content === 'string' ? content : JSON.stringify(content, undefined, 2);
  return inspector.inspect(name as FileName, Buffer.from(text));
}

export function textOf({ content }: FileInspection): string {
  return Buffer.from(content).toString();
}

/** Returns what is left of the value. */
export async function cleaned(content: unknown): Promise<unknown> {
  return JSON.parse(textOf(await inspect(content)));
}

/** Returns a workflow of these nodes; their names, ids and places are made up. */
export function workflowOf(...nodes: readonly object[]): object {
  const all = nodes.map((node, index) => ({ name: `Node ${index}`, type: 'x.y', position: [index * 200, 0], ...node }));
  return { nodes: all, connections: {} };
}
