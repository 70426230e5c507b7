import { requireOptions } from '../../domain/options.js';
import { isObject } from './answer.js';
import { Api, type Reply } from './api.js';
import { runChecks, type Progress, type Result } from './run.js';

/** The server to check, and the keys to ask it with. */
export interface CheckServerOptions {
  /** A base of its API, such as `https://market.example/api`. */
  readonly baseUrl: string;
  /** A key with the scope `automations:read`. */
  readonly key: string;
  /** A key with the scope `automations:write`. With it about 65 automations are created, and stay; else none. */
  readonly writeKey?: string | undefined;
  /** The names of the address and of both keys in messages. */
  readonly names?: CheckServerNames | undefined;
  /** Gets each check before it runs. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Gets the seconds of each wait for a quota of the server. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

/** What messages call the address and the keys of a server. */
export interface CheckServerNames {
  readonly baseUrl: string;
  readonly key: string;
  readonly writeKey: string;
}

const OPTIONS = { baseUrl: true, key: true, writeKey: true, names: true, onProgress: true, onWait: true } as const;
const USUAL_NAMES: CheckServerNames = { baseUrl: 'baseUrl', key: 'the option key', writeKey: 'the option writeKey' };

/**
 * Asks a server what the contract of the API promises, one check after the other.
 * @throws Error with a sentence for people when the address or a key is wrong: then nothing is checked.
 */
export async function checkServer(options: CheckServerOptions): Promise<readonly Result[]> {
  requireOptions('checkServer', options, OPTIONS);
  const api = new Api(options);
  const failure = await failureOf(api, options.names ?? USUAL_NAMES);
  if (failure !== undefined) throw new Error(failure);
  return runChecks(api, options.onProgress);
}

/** Returns one sentence if the checks would only say that the address or a key is wrong. */
async function failureOf(api: Api, names: CheckServerNames): Promise<string | undefined> {
  const url = `${api.baseUrl}/categories`;
  try {
    const reply = await api.ask('/categories');
    return failureOfPath(reply, url, names) ?? (await failureOfKeys(reply, api, names));
  } catch (error) {
    return `cannot reach ${url}: ${reasonOf(error)}`;
  }
}

function failureOfPath({ status, headers, body }: Reply, url: string, { baseUrl }: CheckServerNames) {
  const found = `GET ${url} returned ${status}`;
  if (status >= 500) return `the server cannot serve requests now: ${found}`;
  if (status === 401 || status === 403 || (status === 200 && isObject(body))) return undefined;
  const location = headers.get('Location');
  const target = location === null ? '' : ` and leads to ${location}`;
  const what = status === 200 ? `${found} without JSON` : `${found}${target}`;
  return `there is no API at ${baseUrl}: ${what}; the base usually ends in /api or /v1`;
}

async function failureOfKeys({ status }: Reply, api: Api, { key, writeKey }: CheckServerNames) {
  if (status === 401) return `the server does not accept the key of ${key} (status 401)`;
  if (status === 403) return `the key of ${key} may not read (status 403); it needs the scope automations:read`;
  const isRefused = api.mayWrite && (await api.askToWrite('/categories')).status === 401;
  return isRefused ? `the server does not accept the key of ${writeKey} (status 401)` : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'it did not respond',
};

/** Returns why a request failed. The cause of one that was given up is its timeout. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'it did not respond within 30 seconds';
  return ('code' in error && REASONS[String(error.code)]) || error.message;
}
