import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import type { CategoryId } from '../../domain/category.js';
import { newAutomations, newCategories } from '../catalogue.js';

type OwnViews = typeof import('../../adapters/web/views/markdown.js');
/** An earlier build may have fewer of them. */
type Views = Partial<OwnViews> & Pick<OwnViews, 'markdownToHtml' | 'markdownToText'>;
type Catalogues = typeof import('../../adapters/catalogue/index.js');
type Panels = typeof import('../../adapters/panel/index.js');
type Http = typeof import('../../adapters/api/index.js');
type Stores = typeof import('../../adapters/in-memory/index.js');
type Cores = typeof import('../../application/index.js');

const MAX_BYTES_IN_FEED = 1_000_000;

/** A build of the project: this one, or that of another checkout. */
export class Build {
  constructor(private readonly root: string) {}

  /** Returns the functions that render Markdown. */
  async views(): Promise<Views> {
    return (await this.#load('adapters/web/views/markdown.js')) as Views;
  }

  /** Returns a catalogue and a panel of 50 automations with this description, listening. */
  async open(description: string): Promise<Pages> {
    const { createCatalogue } = (await this.#load('adapters/catalogue/index.js')) as Catalogues;
    const { createPanel } = (await this.#load('adapters/panel/index.js')) as Panels;
    const { dispatcher } = (await this.#load('adapters/api/index.js')) as Http;
    const { inMemoryStorage } = (await this.#load('adapters/in-memory/index.js')) as Stores;
    const { newCore, OPERATOR } = (await this.#load('application/index.js')) as Cores;
    const storage = inMemoryStorage();
    const categories = newCategories(1);
    await storage.categories.save(categories);
    const automations = Array.from(newAutomations(50, categories), (one) => ({ ...one, description }));
    await storage.automations.add(automations.map((automation) => ({ automation })));
    const core = newCore(storage);
    const panel = createPanel(core, { catalogue: true }).callback();
    const catalogue = createCatalogue(core, { panel: true, visibility: 'public', pageRateLimit: 'off' }).callback();
    const api = () => undefined;
    const server = createServer(dispatcher({ api, panel, catalogue })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { token } = await core.accounts.invite(OPERATOR, 'ada');
    const close = () => {
      server.close().closeAllConnections();
    };
    return new Pages(url, { description, id: automations[0]?.id ?? '', token, categoryId: categories[0]?.id }, close);
  }

  #load(file: string): Promise<unknown> {
    return import(pathToFileURL(`${this.root}/dist/${file}`).href) as Promise<unknown>;
  }
}

interface Subject {
  readonly description: string;
  readonly id: string;
  readonly token: string;
  readonly categoryId: CategoryId | undefined;
}

/** The cost of a response. */
export interface Cost {
  readonly bytes: number;
  /** Of the processor. */
  readonly milliseconds: number;
  /** The longest time for which nothing else was done. */
  readonly blockedMs: number;
}

/** What one description costs where it is shown. */
export class Pages {
  constructor(
    private readonly url: string,
    private readonly subject: Subject,
    readonly close: () => void,
  ) {}

  /** Returns what the first request for each costs. */
  async costs(): Promise<Readonly<Record<string, Cost>>> {
    const { id, description, token, categoryId = '' } = this.subject;
    const session = await this.#post(`/panel/welcome/${token}`, { name: 'ada', password: 'an uncommon password' });
    const headers = { Cookie: session.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
    const form = await (await fetch(`${this.url}/panel/automations/new`, { headers })).text();
    const formToken = /name="token" value="([^"]+)"/.exec(form)?.[1] ?? '';
    const draft = { title: 'A title', description, price: '1', categoryId, token: formToken };
    const get = (path: string, more = {}) => cost(() => fetch(this.url + path, { headers: more }));
    const page = await get(`/catalogue/${id}`);
    const costs = {
      page,
      'page, 304': await get(`/catalogue/${id}`, await this.#validator(`/catalogue/${id}`)),
      'list of 24': await get('/catalogue'),
      preview: await cost(() => this.#post('/panel/automations/preview', draft, headers)),
    };
    // Fifty of these would end the process.
    if (page.bytes > MAX_BYTES_IN_FEED) return costs;
    return {
      ...costs,
      'feed of 50': await get('/catalogue/feed.atom'),
      'feed, 304': await get('/catalogue/feed.atom', await this.#validator('/catalogue/feed.atom')),
    };
  }

  async #validator(path: string): Promise<Readonly<Record<string, string>>> {
    const response = await fetch(this.url + path);
    await response.arrayBuffer();
    return { 'If-None-Match': response.headers.get('etag') ?? '' };
  }

  #post(path: string, fields: Readonly<Record<string, string>>, headers = {}): Promise<Response> {
    const body = new URLSearchParams(fields);
    const all = { Origin: this.url, ...headers };
    return fetch(this.url + path, { method: 'POST', body, headers: all, redirect: 'manual' });
  }
}

async function cost(request: () => Promise<Response>): Promise<Cost> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const begun = process.cpuUsage();
  const { byteLength: bytes } = await (await request()).arrayBuffer();
  const { user, system } = process.cpuUsage(begun);
  delays.disable();
  return { bytes, milliseconds: (user + system) / 1_000, blockedMs: Math.max(0, delays.max / 1e6) };
}
