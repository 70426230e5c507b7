import * as client from 'openid-client';
import { isSafeForTokens } from '../edge/public-url.js';
import { CLOCK_SKEW_S } from './claims.js';
import { reasonOf } from './refusals.js';
import type { SignInSettings } from './options.js';

const TIMEOUT_S = 10;
const MAX_ANSWER_BYTES = 512 * 1024;
/** The time after which an issuer that could not be read is tried again. */
const RETRY_MS = 5_000;

/** An issuer and what it says of itself, which is read once it can be. */
export class Issuer {
  #reading: Promise<client.Configuration> | undefined;
  #found: client.Configuration | undefined;
  #failedAt: number | undefined;

  constructor(private readonly settings: SignInSettings) {
    void this.isReachable();
  }

  /** Returns what was found; undefined before. */
  get found(): client.Configuration | undefined {
    return this.#found;
  }

  /** Returns whether it was not in vain to read it. Begins to read it where it was not read. */
  isReachable(): boolean {
    if (this.#failedAt === undefined || Date.now() - this.#failedAt > RETRY_MS) this.read().catch(() => undefined);
    return this.#failedAt === undefined;
  }

  /** Returns what it says of itself. Rejects when it cannot be read. */
  read(): Promise<client.Configuration> {
    this.#reading ??= this.#discover().then(
      (found) => {
        this.#failedAt = undefined;
        return (this.#found = found);
      },
      (error: unknown) => {
        if (this.#failedAt === undefined)
          this.settings.warn(
            { reason: reasonOf(error) },
            'the issuer of the sign-in cannot be read; it is tried again',
          );
        this.#failedAt = Date.now();
        this.#reading = undefined;
        throw error;
      },
    );
    return this.#reading;
  }

  async #discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    // oxlint-disable-next-line typescript/no-deprecated -- of http, only loopback addresses pass `fetchSafely`
    const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    const found = await client.discovery(
      new URL(issuer),
      clientId,
      { client_secret: clientSecret, [client.clockTolerance]: CLOCK_SKEW_S },
      authenticationBy(clientSecret),
      {
        execute: [client.enableNonRepudiationChecks, ...insecure],
        timeout: TIMEOUT_S,
        [client.customFetch]: fetchSafely,
      },
    );
    // The library lets issuers of Entra ID pass that are a pattern of addresses.
    if (found.serverMetadata().issuer !== issuer) throw new Error('the metadata is of another issuer');
    return found;
  }
}

/** Basic authentication is what every issuer takes that names no other (OpenID Connect Discovery 1.0, section 3). */
function authenticationBy(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    authenticate(server, ...request);
  };
}

/** Asks only where tokens are safe, and reads no more than an issuer needs. */
const fetchSafely: client.CustomFetch = async (url, options) => {
  if (!isSafeForTokens(url)) throw new Error('an address of the issuer is neither https nor of this machine');
  const response = await fetch(url, options as RequestInit);
  const { status, headers } = response;
  return new Response(await bodyOf(response), { status, headers });
};

async function bodyOf({ body }: Response): Promise<Buffer | null> {
  if (body === null) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('an answer of the issuer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
