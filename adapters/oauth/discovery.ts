import { isConfidential } from './issuer.js';

export type Fetch = typeof globalThis.fetch;

/** The limit for all requests of one discovery together. */
const DISCOVERY_TIMEOUT_MS = 3_000;
const MAX_DOCUMENT_BYTES = 512 * 1024;

/**
 * Returns what the issuer publishes as its keys now, at the given address or at the one that its metadata names.
 * @throws Error that says what is wrong with its responses.
 */
export async function publishedKeys(issuer: string, fetch: Fetch, jwksUrl?: string): Promise<unknown> {
  const signal = AbortSignal.timeout(DISCOVERY_TIMEOUT_MS);
  if (jwksUrl !== undefined) return fetchJson(jwksUrl, fetch, signal);
  const candidates = metadataUrls(issuer).map(async (url) => keysUrl(await fetchJson(url, fetch, signal), issuer));
  return fetchJson(await Promise.any(candidates).catch(rethrow), fetch, signal);
}

/** RFC 8414, section 3.1, and OpenID Connect Discovery 1.0, section 4, treat the path of an issuer differently. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

/** Throws one error with all reasons in its message: logs do not show the list of an AggregateError. */
function rethrow(failures: AggregateError): never {
  throw new Error(failures.errors.map(reasonOf).join('; '));
}

/** Returns the message and those of the causes. The message of a failed fetch says nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message || error.name : `${error.message}: ${reasonOf(error.cause)}`;
}

/** A document about another issuer could bring the keys of that issuer (RFC 8414, section 3.3). */
function keysUrl(metadata: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: url } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  if (named !== issuer) throw new Error(`the metadata of ${issuer} is about another issuer: ${JSON.stringify(named)}`);
  if (typeof url === 'string' && isConfidential(url)) return url;
  throw new Error(`the metadata of ${issuer} has no jwks_uri that can be trusted`);
}

/** Returns the JSON document at this address, without following redirects. */
function fetchJson(url: string, fetch: Fetch, signal: AbortSignal): Promise<unknown> {
  // A body that never ends may outlive the signal that was given to fetch, so the signal also ends the wait.
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`${url} took too long to respond`)), { once: true });
  });
  return Promise.race([readJson(url, fetch, signal), aborted]);
}

async function readJson(url: string, fetch: Fetch, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { Accept: 'application/json' } });
  const text = await textOf(response, url);
  if (response.status !== 200) throw new Error(`${url} returned status ${response.status}`);
  return JSON.parse(text) as unknown;
}

async function textOf(response: Response, url: string): Promise<string> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES) throw new Error(`${url} returned more than ${MAX_DOCUMENT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
