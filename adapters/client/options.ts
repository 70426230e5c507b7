import { givenOptions, type OptionTypes } from './given-options.js';

/** What `createClient` hands to `fetch`, next to the address. */
export interface FetchInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** What the client reads of a response. */
export interface FetchResponse {
  readonly status: number;
  /** `opaqueredirect` is what a browser shows of a redirect. */
  readonly type: string;
  readonly headers: {
    /** Returns the value of a header; null without one. */
    get(name: string): string | null;
  };
  /** Returns the whole body. */
  text(): Promise<string>;
}

/** A `fetch`: the global one, that of npm's undici, or a function around one. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** How to reach the service, and as whom. */
export interface ClientOptions {
  /**
   * The address with the base of the API, such as `https://market.example/api`: http or https, without `?` and `#`. In
   * a page, a path such as `/api` also works; it is relative to the page.
   */
  readonly baseUrl: string;
  /** An API key. */
  readonly key?: string | undefined;
  /** Returns an access token in place of a key; called for every request. */
  readonly token?: (() => string | Promise<string>) | undefined;
  /** Default: the global one. It is called with an address and an init, never with a `Request`. */
  readonly fetch?: Fetch | undefined;
  /** How many times a request that was not served is sent again, from 0; 5 by default. */
  readonly retries?: number | undefined;
  /** The milliseconds that each attempt may take, until its whole response is there; 30,000 by default. */
  readonly timeout?: number | undefined;
}

const DEFAULT_RETRIES = 5;
const DEFAULT_TIMEOUT_MS = 30_000;
/** A longer timer would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const TYPES: OptionTypes<ClientOptions> = {
  baseUrl: 'a string',
  key: 'a string',
  token: 'a function',
  fetch: 'a function',
  retries: 'a number',
  timeout: 'a number',
};

/** The options, checked, with their defaults. */
export interface CheckedOptions {
  /** Absolute, without a slash at its end. */
  readonly baseUrl: string;
  readonly credential: () => string | undefined | Promise<string>;
  readonly fetch: Fetch;
  readonly retries: number;
  readonly timeoutMs: number;
}

/** Returns the options with their defaults. @throws TypeError that names what is wrong with them. */
export function parseOptions(options: ClientOptions): CheckedOptions {
  const given = givenOptions('createClient', options, TYPES);
  const { baseUrl = '', key, token, retries = DEFAULT_RETRIES, timeout = DEFAULT_TIMEOUT_MS } = given;
  if (key !== undefined && token !== undefined) throw new TypeError('options must have a key or a token, not both');
  if (!Number.isSafeInteger(retries) || retries < 0) throw new TypeError('retries must be an integer from 0');
  if (!(timeout >= 1 && timeout <= MAX_TIMEOUT_MS))
    throw new TypeError(`timeout must be from 1 to ${MAX_TIMEOUT_MS} milliseconds`);
  return {
    baseUrl: parseBaseUrl(baseUrl),
    credential: token ?? (() => key),
    fetch: given.fetch ?? globalThis.fetch.bind(globalThis),
    retries,
    timeoutMs: timeout,
  };
}

/** Returns the address, absolute and without a slash at its end. @throws TypeError */
function parseBaseUrl(text: string): string {
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const base = /^[./]/.test(text) ? page : undefined;
  const example = `such as https://market.example/api, not "${text}"`;
  let url: URL;
  // `URL.canParse` would refuse letters such as ë after some thousand calls, in Node 20 and 22.
  try {
    url = new URL(text, base);
  } catch {
    throw new TypeError(`baseUrl must be a URL, ${example}${hintFor(text)}`);
  }
  const { protocol, username, password, search, hash, href } = url;
  if (!/^https?:$/.test(protocol))
    throw new TypeError(`baseUrl must begin with http:// or https://, ${example}${hintFor(text)}`);
  if (username + password !== '')
    throw new TypeError('baseUrl must have no user name and no password; a key is an option of its own');
  if (search + hash !== '') throw new TypeError(`baseUrl must be without ? and #, ${example}`);
  return href.replace(/\/*[?#]*$/, '');
}

/** Returns what was probably meant: a path, or a host without a scheme, such as `localhost:3000/api`. */
function hintFor(text: string): string {
  if (/^[./]/.test(text)) return '; a path works in a page of a browser alone';
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*(:[0-9]+)?(\/|$)/i.test(text)) return '';
  const scheme = /^(localhost|[0-9.]+|[^./]+)(:|\/|$)/i.test(text) ? 'http' : 'https';
  return `; did you mean ${scheme}://${text}?`;
}
