import {
  Agent as PlainAgent,
  request as plainRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http';
import type * as wire from '../../../adapters/client/index.js';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/**
 * A client of one service, or of some side by side, with one key or none; it sends paths as they are and keeps its
 * connections.
 */
export class Client {
  readonly #agent = new PlainAgent({ keepAlive: true });

  constructor(
    private readonly service: string | { readonly url: string },
    readonly key?: string,
    readonly base = '/api',
  ) {}

  send(path: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Answer> {
    const credentials = this.key === undefined ? {} : { authorization: `Bearer ${this.key}` };
    const options = { method, path, agent: this.#agent, headers: { ...credentials, ...headers } };
    return new Promise((resolve, reject) => {
      const url = typeof this.service === 'string' ? this.service : this.service.url;
      const request = plainRequest(url, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          resolve({ status: statusCode, headers, text: Buffer.concat(chunks).toString() });
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  get(path: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.send(`${this.base}${path}`, { headers });
  }

  /** Sends a create; a text is sent as it is. */
  post(body: unknown, idempotencyKey?: string): Promise<Answer> {
    const headers = {
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.send(`${this.base}/automations`, { method: 'POST', headers, body: text });
  }

  async list(query = ''): Promise<wire.AutomationList> {
    return bodyOf(await this.get(`/automations${query}`)) as wire.AutomationList;
  }

  async categories(): Promise<wire.CategoryList> {
    return bodyOf(await this.get('/categories')) as wire.CategoryList;
  }

  /** How many automations are on sale. */
  async total(): Promise<number> {
    return (await this.list('?limit=1')).total;
  }

  /** The ids on every page, newest first. */
  async ids(): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let page = 1; ; page += 1) {
      const { data } = await this.list(`?limit=100&page=${page}`);
      if (data.length === 0) return ids;
      ids.push(...data.map(({ id }) => id));
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

function bodyOf(answer: Answer, status = 200): unknown {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return JSON.parse(answer.text);
}

/** The body of a create that succeeded. */
export function created(answer: Answer): wire.Automation {
  return bodyOf(answer, 201) as wire.Automation;
}

/** The slug of the problem that was answered; undefined when it was none. */
export function slugOf({ headers, text }: Answer): string | undefined {
  if (headers['content-type'] !== 'application/problem+json') return undefined;
  return (JSON.parse(text) as { type: string }).type.replace(/^.*\/problems\//, '');
}

/** A valid create; the same n is the same content. */
export function draft(n: number, fields: Partial<wire.CreateAutomation> = {}): wire.CreateAutomation {
  return {
    title: `Automation ${n}`,
    description: `Does ${n} things`,
    price: n / 100,
    category_id: 'communication',
    ...fields,
  };
}
