import { LRUCache } from 'lru-cache';
import { isRedirectUri } from '../../domain/app.js';
import { SCOPES } from '../../domain/scope.js';
import { DEVICE_CODE, scopeOf } from './clients.js';

const MAX_DOCUMENT_BYTES = 5 * 1024;
/** For so long the same comes of a document, also a failure: it is asked for once. */
const KEPT_MS = 60 * 1000;
/** At most 5 KB each. */
const MAX_KEPT = 1_000;
/** Those by which oidc-provider knows how long it keeps a document. */
const CACHE_HEADERS = ['cache-control', 'expires'];

const GRANTS = ['authorization_code', 'refresh_token', DEVICE_CODE];
/**
 * The members that are handed on as they are. oidc-provider refuses a document with another `client_id` than its
 * address, with a secret, or whose method needs one.
 */
const AS_THEY_ARE = ['client_id', 'client_secret', 'client_secret_expires_at', 'token_endpoint_auth_method'];

/** What came of a document. */
interface Answered {
  readonly document: unknown;
  readonly headers: [string, string][];
}

/**
 * Returns a `fetch` of metadata documents that leaves out what the server cannot use: a request that needs it is
 * refused, and every other one works. What came of a document, also why there is none, holds for a minute.
 */
export function agentDocuments(fetch: typeof globalThis.fetch, now = () => Date.now()): typeof globalThis.fetch {
  const kept = new LRUCache<string, Promise<Answered>>({ max: MAX_KEPT, ttl: KEPT_MS, perf: { now } });
  return async (input, options) => {
    const address = input instanceof Request ? input.url : String(input);
    const answering = kept.get(address) ?? fetch(address, options).then(readDocument);
    if (!kept.has(address)) kept.set(address, answering);
    const { document, headers } = await answering;
    return Response.json(document, { headers });
  };
}

async function readDocument({ status, headers, body }: Response): Promise<Answered> {
  if (status !== 200) {
    await body?.cancel();
    throw new Error(`the answer has the status ${status}, not 200`);
  }
  const document: unknown = JSON.parse(await textOf(body));
  return {
    document: isObject(document) ? usableIn(document) : document,
    headers: CACHE_HEADERS.flatMap((name): [string, string][] => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  };
}

async function textOf(body: Response['body']): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES) throw new Error(`the document is longer than ${MAX_DOCUMENT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns what the server can use of a document. An agent that names no method to authenticate itself has none. */
function usableIn(document: Readonly<Record<string, unknown>>): object {
  const { client_name: name, redirect_uris: addresses, grant_types: grants, response_types: types, scope } = document;
  const redirectUris = textsIn(addresses).filter((address) => isRedirectUri(address, 'native'));
  const isLedBack = redirectUris.length > 0 && (types === undefined || textsIn(types).includes('code'));
  const usable = textsIn(grants ?? ['authorization_code']).filter((grant) => GRANTS.includes(grant));
  const scopes = SCOPES.filter((known) => typeof scope === 'string' && scope.split(' ').includes(known));
  return {
    token_endpoint_auth_method: 'none',
    ...Object.fromEntries(AS_THEY_ARE.filter((name) => name in document).map((name) => [name, document[name]])),
    ...(typeof name === 'string' && { client_name: name }),
    ...(scopes.length > 0 && { scope: scopeOf(scopes) }),
    redirect_uris: redirectUris,
    response_types: isLedBack ? ['code'] : [],
    grant_types: isLedBack ? usable : usable.filter((grant) => grant !== 'authorization_code'),
  };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
