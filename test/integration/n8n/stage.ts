import { createN8nLibrary, type N8nLibraryOptions } from '../../../adapters/n8n/index.js';
import { TableFileInspector } from '../../../adapters/file-inspection/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { newCategory, newCore, OPERATOR, parseDeveloperId, SCOPES, type Core } from '../../../application/index.js';
import { serve } from '../../support/host-pages.js';
import type { Listening } from '../../support/socket.js';
import { EXPORTED } from '../file-inspection/workflow.js';

export const N8N = 'https://n8n.example';
export const CATEGORIES = [
  { id: 'sales', name: 'Sales' },
  { id: 'support', name: 'Support, chat' },
  { id: 'chat', name: 'chat' },
];
export const UNKNOWN = '01900000-0000-7000-8000-000000000009';
/** Older than every other one. */
const FIRST = Date.UTC(2026, 0, 1);

const ada = { developerId: parseDeveloperId('ada'), scopes: SCOPES };

export interface Draft {
  readonly title?: string;
  readonly categoryId?: string;
  readonly description?: string;
  readonly price?: number;
  readonly workflow?: object | null;
}

/** A market with a library for n8n, as a host mounts it. */
export class N8nStage {
  readonly failures: unknown[] = [];
  readonly completed: object[] = [];
  readonly exposed: object[] = [];
  server: Listening | undefined;

  private constructor(readonly core: Core) {}

  static async open(): Promise<N8nStage> {
    const storage = inMemoryStorage();
    for (const category of CATEGORIES) await storage.categories.save([newCategory(category)]);
    let time = FIRST;
    const now = () => new Date((time += 1_000));
    return new N8nStage(newCore(storage, { fileInspector: new TableFileInspector(), now }));
  }

  async start(options: Partial<N8nLibraryOptions> = {}, core: Partial<Core> = {}): Promise<void> {
    const hooks = {
      onError: (error: unknown) => void this.failures.push(error),
      onExposedKey: (key: object) => void this.exposed.push(key),
      onRequestCompleted: (request: object) => void this.completed.push(request),
    };
    this.server = await serve(
      createN8nLibrary({ ...this.core, ...core }, { n8nUrls: [N8N], visibility: 'public', ...hooks, ...options }),
    );
  }

  async publish({ workflow = EXPORTED, ...draft }: Draft = {}): Promise<string> {
    const file = workflow && { name: 'a.json', bytes: Buffer.from(JSON.stringify(workflow)) };
    const usual = { title: 'Notify', description: 'Tells *everyone*.', price: 0, categoryId: 'sales' };
    return (await this.core.marketplace.createAutomation(ada, { ...usual, ...draft, file })).id;
  }

  async keyOf(...scopes: readonly string[]): Promise<Record<string, string>> {
    const { text } = await this.core.keys.issue(OPERATOR, { developer: 'ada', scopes });
    return { Authorization: `Bearer ${text}` };
  }

  ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Response> {
    return fetch(`${this.server?.url}${path}`, { method, headers, redirect: 'manual' });
  }

  async json(path: string, headers?: Readonly<Record<string, string>>): Promise<never> {
    return (await this.ask(path, headers)).json() as Promise<never>;
  }

  /** Returns the titles that a search finds, and the total. */
  async search(query: string, headers?: Readonly<Record<string, string>>): Promise<{ names: string[]; total: number }> {
    const path = `/n8n/templates/search?${query}`;
    const { workflows, totalWorkflows }: { workflows: { name: string }[]; totalWorkflows: number } = await this.json(
      path,
      headers,
    );
    return { names: workflows.map(({ name }) => name), total: totalWorkflows };
  }

  async close(): Promise<void> {
    await this.server?.close();
  }
}
