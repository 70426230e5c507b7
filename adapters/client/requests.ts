import { limited, TimeIsOver, wait } from './limited.js';
import { parseOptions, type CheckedOptions, type ClientOptions } from './options.js';
import { NoResponse } from './no-response.js';
import { ProblemError } from './problem-error.js';
import { readResponse, UnexpectedResponse, type Expected, type Served } from './responses.js';

/** One request, which may be sent more than once. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base, with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
  readonly expected: Expected;
}

const MAX_WAIT_SECONDS = 120;
/** The service, or a proxy in front of it, cannot serve the request now. */
const MAY_PASS = [408, 409, 429, 502, 503, 504];
/**
 * An unknown host, a wrong certificate, a server that speaks no TLS or no HTTP, an address that fetch refuses; in the
 * words of Node, Bun and Deno.
 */
const CANNOT_PASS = new RegExp(
  'ENOTFOUND|ERR_(TLS|SSL|INVALID_URL)|certificate|HPE_INVALID_CONSTANT|bad port|EPROTO|Malformed_HTTP|' +
    'service not known|corrupt message|invalid HTTP version',
);

/** Sends requests, and sends one again that may then succeed. */
export class Requests {
  readonly #options: CheckedOptions;

  /** @throws TypeError that names what is wrong with the options. */
  constructor(options: ClientOptions) {
    this.#options = parseOptions(options);
  }

  /**
   * Returns the response to a request that was served. Waits and sends it again, as often as the options say, if there
   * was no response or one that may pass.
   * @throws ProblemError for any other response of the service; UnexpectedResponse for one of another server;
   *   NoResponse for none.
   */
  async send(request: ApiRequest): Promise<Served> {
    request.signal?.throwIfAborted();
    for (let attempt = 0; ; attempt += 1)
      try {
        return await this.#attempt(request);
      } catch (error) {
        request.signal?.throwIfAborted();
        const seconds = waitOf(error, attempt);
        if (attempt === this.#options.retries || seconds === undefined) throw error;
        await wait(seconds * 1_000, request.signal);
      }
  }

  async #attempt(request: ApiRequest): Promise<Served> {
    const { baseUrl, timeoutMs } = this.#options;
    const url = baseUrl + request.path;
    try {
      return await limited(timeoutMs, request.signal, (signal) => this.#exchange(url, request, signal));
    } catch (error) {
      if (!(error instanceof TimeIsOver)) throw error;
      const reason = `none was complete after ${timeoutMs} ms, the limit that the option timeout sets`;
      throw new NoResponse(`${request.method} ${url} got no response: ${reason}`, true, error);
    }
  }

  async #exchange(url: string, { method, headers, body, expected }: ApiRequest, signal: AbortSignal): Promise<Served> {
    const all = sendable({ Accept: 'application/json', ...(await this.#authorization()), ...headers });
    const init = { method, headers: all, redirect: 'manual', signal, ...(body !== undefined && { body }) } as const;
    const [response, text] = await this.#options
      .fetch(url, init)
      .then(async (received) => [received, await received.text()] as const)
      .catch((error: unknown) => {
        const reason = reasonOf(error);
        throw new NoResponse(`${method} ${url} got no response: ${reason}`, !CANNOT_PASS.test(reason), error);
      });
    return readResponse(response, text, `${method} ${url}`, expected);
  }

  async #authorization(): Promise<Readonly<Record<string, string>>> {
    const credential = await this.#options.credential();
    return credential === undefined ? {} : { Authorization: `Bearer ${credential}` };
  }
}

/** What the errors of `fetch` have. */
interface FetchFailure {
  readonly message?: string;
  readonly cause?: unknown;
  readonly code?: unknown;
  readonly errors?: readonly unknown[];
}

/** Returns the headers, if each can be sent. @throws TypeError, which does not show the value: it may be a key. */
function sendable(headers: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\t\x20-\x7E\x80-\xFF]*$/.test(value.trim()))
      throw new TypeError(`the header ${name} has a character that a header cannot have, such as a line break`);
  return headers;
}

/**
 * Returns the message of the deepest cause, with its code: `fetch` itself says no more than that it failed. An error of
 * another realm is no `instanceof Error`.
 */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { message = '', cause, code, errors } = error as FetchFailure;
  if (typeof cause === 'object' && cause !== null) return reasonOf(cause);
  // The failures of several addresses of one host.
  if (message === '' && errors !== undefined && errors.length > 0) return reasonOf(errors[0]);
  return typeof code === 'string' && !message.includes(code) ? `${message} (${code})` : message;
}

/** Returns the seconds to wait before the request is sent again; undefined if it should not be. */
function waitOf(error: unknown, attempt: number): number | undefined {
  const backoff = 2 ** attempt * (0.5 + Math.random() / 2);
  if (error instanceof NoResponse) return error.mayPass ? Math.min(backoff, MAX_WAIT_SECONDS) : undefined;
  const hasStatus = error instanceof ProblemError || error instanceof UnexpectedResponse;
  if (!hasStatus || !MAY_PASS.includes(error.status)) return undefined;
  const seconds = error.retryAfter ?? Math.min(backoff, MAX_WAIT_SECONDS);
  return seconds > MAX_WAIT_SECONDS ? undefined : seconds;
}
