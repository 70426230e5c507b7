import { ProblemError } from './problem-error.js';
import type { Problem } from './types.js';

/** How to reach the service, and as whom. */
export interface ClientOptions {
  /** The address with the base of the API, such as `https://market.example/api`. */
  readonly baseUrl: string;
  /** An API key. */
  readonly key?: string | undefined;
  /** Returns an access token in place of a key; called for every request. */
  readonly token?: (() => string | Promise<string>) | undefined;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** One request, which may be sent more than once. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

const TIME_LIMIT_MS = 30_000;
const MAX_RETRIES = 5;
const MAX_WAIT_SECONDS = 120;
/** The service, or a proxy in front of it, cannot serve the request now. */
const MAY_PASS = [408, 409, 429, 502, 503, 504];

/** A response to a request that was served. */
export interface Served {
  readonly status: number;
  /** The entity tag. */
  readonly etag: string | null;
  /** The JSON value; undefined for 304. */
  readonly body: unknown;
}

/** Sends requests, and sends one again that may then succeed. */
export class Requests {
  readonly #baseUrl: string;
  readonly #fetch: typeof globalThis.fetch;

  /** @throws TypeError that names what is wrong with the options. */
  constructor(private readonly options: ClientOptions) {
    if (!URL.canParse(options.baseUrl))
      throw new TypeError('baseUrl must be a URL, such as https://market.example/api');
    if (options.key !== undefined && options.token !== undefined)
      throw new TypeError('options must have a key or a token, not both');
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /**
   * Returns the response to a request that was served. Waits and sends it again, up to five times, if there was no
   * response or one that may pass.
   * @throws ProblemError for any other response of the service; Error for one of another server, or for none.
   */
  async send(request: ApiRequest): Promise<Served> {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(request);
      if (!(outcome instanceof Error)) return outcome;
      request.signal?.throwIfAborted();
      const seconds = waitOf(outcome, attempt);
      if (attempt === MAX_RETRIES || seconds === undefined) throw outcome;
      await wait(seconds * 1_000, request.signal);
    }
  }

  /** Returns the response, or why there is none that can be used. */
  async #attempt({ method, path, headers, body, signal }: ApiRequest): Promise<Served | Error> {
    const limit = AbortSignal.timeout(TIME_LIMIT_MS);
    // Throws at once for a key or a header that cannot be sent.
    const request = new Request(this.#baseUrl + path, {
      method,
      headers: { Accept: 'application/json', ...(await this.#authorization()), ...headers },
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      ...(body !== undefined && { body }),
    });
    try {
      const response = await this.#fetch(request);
      return readResponse(response, await response.text(), `${method} ${path}`);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #authorization(): Promise<Readonly<Record<string, string>>> {
    const { key, token } = this.options;
    const credential = key ?? (await token?.());
    return credential === undefined ? {} : { Authorization: `Bearer ${credential}` };
  }
}

/** A response that the service does not send: another server has answered. */
class UnexpectedResponse extends Error {
  constructor(
    readonly status: number,
    request: string,
    readonly retryAfter: number | undefined,
  ) {
    super(`${request} returned ${status}, but no JSON of a marketplace; is baseUrl right?`);
  }
}

function readResponse({ status, headers }: Response, text: string, request: string): Served | Error {
  const etag = headers.get('ETag');
  if (status === 304) return { status, etag, body: undefined };
  const type = headers.get('Content-Type') ?? '';
  const retryAfter = secondsOf(headers.get('Retry-After'));
  if (/^application\/problem\+json\b/.test(type)) return new ProblemError(JSON.parse(text) as Problem, retryAfter);
  const isServed = (status === 200 || status === 201) && /^application\/json\b/.test(type);
  return isServed ? { status, etag, body: JSON.parse(text) } : new UnexpectedResponse(status, request, retryAfter);
}

/** Returns the seconds to wait before the request is sent again; undefined if it should not be. */
function waitOf(outcome: Error, attempt: number): number | undefined {
  const backoff = 2 ** attempt * (0.5 + Math.random() / 2);
  if (!(outcome instanceof ProblemError || outcome instanceof UnexpectedResponse)) return backoff;
  if (!MAY_PASS.includes(outcome.status)) return undefined;
  const seconds = outcome.retryAfter ?? backoff;
  return seconds > MAX_WAIT_SECONDS ? undefined : seconds;
}

/** Returns the seconds of a `Retry-After`, which is a number or a date (RFC 9110, section 10.2.3). */
function secondsOf(field: string | null): number | undefined {
  if (field === null) return undefined;
  if (/^[0-9]+$/.test(field)) return Number(field);
  const until = Date.parse(field);
  return Number.isNaN(until) ? undefined : Math.max(0, (until - Date.now()) / 1_000);
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end);
  });
}
