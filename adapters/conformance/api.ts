import { setTimeout } from 'node:timers/promises';
import type { Answer } from './answer.js';
import { exchange } from './exchange.js';

/** A response, read to its end, with its request in a few words. */
export interface Reply extends Answer {
  readonly request: string;
}

interface RequestOptions {
  readonly method?: string;
  /** Null for none; by default the key for reading. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

interface ApiOptions {
  /** A base of the API, such as `https://market.example/api`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly writeKey?: string | undefined;
  /** Called with the number of seconds that the server asks to wait. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

/** No rate limit is longer than a minute. */
const MAX_WAIT_SECONDS = 65;

/** A server as it is seen from outside. Waits when a rate limit is reached, as a client should. */
export class Api {
  readonly baseUrl: string;
  readonly mayWrite: boolean;
  readonly #server: URL;
  readonly #basePath: string;

  constructor(private readonly options: ApiOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#server = new URL(this.baseUrl);
    this.#basePath = this.#server.pathname.replace(/\/$/, '');
    this.mayWrite = options.writeKey !== undefined;
  }

  get key(): string {
    return this.options.key;
  }

  get writeKey(): string | undefined {
    return this.options.writeKey;
  }

  /** Sends a request. The path is appended to the base unchanged. */
  async ask(path: string, options: RequestOptions = {}): Promise<Reply> {
    const reply = await this.#send(path, options);
    if (reply.status !== 429) return reply;
    const seconds = Math.min(MAX_WAIT_SECONDS, Math.max(1, Number(reply.headers.get('Retry-After')) || 1));
    this.options.onWait?.(seconds);
    await setTimeout(seconds * 1000);
    return this.#send(path, options);
  }

  /** Sends a request with the key for writing. */
  askToWrite(path: string, options: RequestOptions = {}): Promise<Reply> {
    return this.ask(path, { ...options, authorization: `Bearer ${this.options.writeKey ?? ''}` });
  }

  create(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send(JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
  }

  /** Sends a create with exactly this body and these headers. */
  send(body: string | Uint8Array, headers: Readonly<Record<string, string>>): Promise<Reply> {
    return this.askToWrite('/automations', { method: 'POST', body, headers });
  }

  /** Hides the keys, since reports are kept and passed on. */
  #withoutKeys(path: string): string {
    const keys = [this.key, this.options.writeKey ?? ''].filter((key) => key !== '');
    return keys.reduce((shown, key) => shown.replaceAll(encodeURIComponent(key), '[key]'), path);
  }

  async #send(path: string, { method = 'GET', authorization, headers = {}, body }: RequestOptions): Promise<Reply> {
    const credentials = authorization === undefined ? `Bearer ${this.key}` : authorization;
    const response = await exchange(this.#server, {
      method,
      target: `${this.#basePath}${path}`,
      headers: { ...(credentials !== null && { Authorization: credentials }), ...headers },
      body,
    });
    return { request: `${method} ${this.#withoutKeys(path).slice(0, 80)}`, method, target: path, ...response };
  }
}
