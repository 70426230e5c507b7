import { messageOf } from '../cli/session.js';
import type { Api, Reply } from './api.js';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'it did not respond',
  UND_ERR_CONNECT_TIMEOUT: 'it did not respond',
};

/** From where the keys are. */
interface Sources {
  readonly key: string;
  readonly writeKey: string;
}

/** Returns one sentence if the checks would only say that the URL or a key is wrong; undefined if they can begin. */
export async function failureOf(api: Api, sources: Sources): Promise<string | undefined> {
  const url = `${api.baseUrl}/categories`;
  try {
    const reply = await api.ask('/categories');
    return failureOfPath(reply, url) ?? (await failureOfKeys(reply, api, sources));
  } catch (error) {
    return `cannot reach ${url}: ${reasonOf(error)}`;
  }
}

function failureOfPath(reply: Reply, url: string): string | undefined {
  const found = `GET ${url} returned ${reply.status}`;
  if (reply.status >= 500) return `the server cannot serve requests now: ${found}`;
  if (reply.status === 401 || reply.status === 403 || (reply.status === 200 && isJson(reply))) return undefined;
  const location = reply.headers.get('Location');
  const target = location === null ? '' : ` and leads to ${location}`;
  const what = reply.status === 200 ? `${found} without JSON` : `${found}${target}`;
  return `there is no API at --base-url: ${what}; the base usually ends in /api or /v1`;
}

async function failureOfKeys(reply: Reply, api: Api, { key, writeKey }: Sources): Promise<string | undefined> {
  if (reply.status === 401) return `the server does not accept the key of ${key} (status 401)`;
  if (reply.status === 403) return `the key of ${key} may not read (status 403); it needs the scope automations:read`;
  const isRefused = api.mayWrite && (await api.askToWrite('/categories')).status === 401;
  return isRefused ? `the server does not accept the key of ${writeKey} (status 401)` : undefined;
}

function isJson({ body }: Reply): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

/** Returns why a request failed. The message of a failed fetch says nothing; its cause has the code. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'it did not respond within 30 seconds';
  return REASONS[code] ?? messageOf(cause);
}
