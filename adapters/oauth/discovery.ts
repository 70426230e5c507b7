import type { JSONWebKeySet } from 'jose';
import { fetchJson, type Fetch } from './fetch-json.js';
import { isConfidential } from './issuer.js';

/** In milliseconds: for all that is asked of the issuer at one time. */
const PATIENCE = 3_000;

/** The keys by which the issuer signs now. @throws Error that says what its answers lack. */
export async function publishedKeys(issuer: string, fetch: Fetch): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(PATIENCE);
  const found = metadataUrls(issuer).map(async (url) => keysUrl(await fetchJson(url, fetch, signal), issuer));
  return (await fetchJson(await Promise.any(found).catch(noneOf), fetch, signal)) as JSONWebKeySet;
}

/** RFC 8414, section 3.1, and OpenID Connect Discovery 1.0, section 4; they put a path of the issuer in different places. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

/** As one error with a message, since logs show no more of an error's cause. */
function noneOf(failures: AggregateError): never {
  throw new Error(failures.errors.map(reasonOf).join('; '));
}

/** What fetch itself says of a failure is nothing; its cause has the word. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message || error.name : `${error.message}: ${reasonOf(error.cause)}`;
}

/** A document that is about another issuer could bring another's keys (RFC 8414, section 3.3). */
function keysUrl(metadata: unknown, issuer: string): string {
  const { issuer: named, jwks_uri: url } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  if (named !== issuer) throw new Error(`the metadata of ${issuer} is about another issuer: ${JSON.stringify(named)}`);
  if (typeof url !== 'string' || !isConfidential(url)) throw new Error(`the metadata of ${issuer} has no jwks_uri that can be trusted`);
  return url;
}
