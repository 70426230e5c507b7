import { setTimeout } from 'node:timers/promises';

/** An answer, read to its end. */
export interface Reply {
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Asking {
  readonly method?: string;
  /** Null for none; the key for reading by default. */
  readonly authorization?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

interface ApiOptions {
  /** One of the bases of the API, such as `https://market.example/api`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly writeKey?: string | undefined;
  /** Is told for how many seconds the server asks to wait. */
  readonly onWait?: (seconds: number) => void;
}

/** In milliseconds: a server that takes longer to answer does not conform either. */
const PATIENCE = 30_000;
/** In seconds: no quota is longer than a minute. */
const LONGEST_WAIT = 65;

/** A server as it is seen from outside. Waits where a quota is used up, as a client should. */
export class Api {
  readonly baseUrl: string;

  constructor(private readonly options: ApiOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  get key(): string {
    return this.options.key;
  }

  /** The path is appended to the base as it is. */
  async ask(path: string, asking: Asking = {}): Promise<Reply> {
    const reply = await this.#once(path, asking);
    if (reply.status !== 429) return reply;
    const seconds = Math.min(LONGEST_WAIT, Math.max(1, Number(reply.headers.get('Retry-After')) || 1));
    this.options.onWait?.(seconds);
    await setTimeout(seconds * 1000);
    return this.#once(path, asking);
  }

  create(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send(JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
  }

  /** A create with exactly this body and, beside the key, these headers. */
  send(body: string | Uint8Array, headers: Readonly<Record<string, string>>): Promise<Reply> {
    return this.ask('/automations', { method: 'POST', authorization: `Bearer ${this.options.writeKey ?? ''}`, body, headers });
  }

  /** Reports are kept and passed on. */
  #withoutKeys(path: string): string {
    const keys = [this.key, this.options.writeKey ?? ''].filter((key) => key !== '');
    return keys.reduce((shown, key) => shown.replaceAll(encodeURIComponent(key), '[key]'), path);
  }

  async #once(path: string, { method = 'GET', authorization = `Bearer ${this.key}`, headers = {}, body }: Asking): Promise<Reply> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
      headers: { ...(authorization !== null && { Authorization: authorization }), ...headers },
      ...(body !== undefined && { body }),
    });
    return { request: `${method} ${this.#withoutKeys(path).slice(0, 80)}`, status: response.status, headers: response.headers, text: await response.text() };
  }
}
