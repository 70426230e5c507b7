import type { Middleware, ParameterizedContext } from 'koa';
import type { Caller } from '../../domain/access.js';
import type { Marketplace } from '../../application/marketplace.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';

/** The answer as it comes about. It is written in one go: Koa would check and keep each header by itself, and look at the body twice. */
export interface Reply {
  status: number;
  readonly headers: Record<string, string>;
  body: string | Buffer;
  /** In bytes, if it is known. */
  length?: number | undefined;
}

/** What the middlewares of one request tell those behind them. */
export interface Exchange {
  /** Echoed or made; in the answer's X-Request-Id, in every problem and in the log. */
  requestId: string;
  /** The base under which the request came, such as `/api`; Location and Link keep it. */
  base: string;
  /** What comes after the base, and after the question mark. */
  path: string;
  query: string;
  /** Who asks; set once the credentials hold. */
  caller: Caller;
  reply: Reply;
  /** The template of the path, where there is one. */
  route?: string;
}

export type Context = ParameterizedContext<Exchange>;
export type Handler = (ctx: Context) => Promise<void>;
export type { Middleware };

/** A request that was answered, or that its client gave up. Nothing in it is a secret, nor of the client's choosing but the three ids. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** The template of its path, such as `/automations/:id`; empty where there is none. */
  readonly route: string;
  readonly status: number;
  /** In milliseconds, from its turn, which is when its headers are there unless it had to wait for others, to the last byte of the answer. */
  readonly duration: number;
  /** Whether the client was gone before that. */
  readonly aborted: boolean;
  /** Of the key that was shown, if it was valid. */
  readonly credentialId?: string | undefined;
  /** As the client sent it (W3C Trace Context), if it is well-formed. */
  readonly traceparent?: string | undefined;
}

/** How many requests a minute are allowed; `off` for any number. */
export interface RateLimits {
  /** Of one key, but those that create. */
  readonly reads: number | 'off';
  /** Of one key. */
  readonly creates: number | 'off';
  /** Of one address, with keys that are malformed, unknown, expired or revoked. A valid key is served whatever else comes from its address. */
  readonly failedAuthentications: number | 'off';
}

/** What a host hands in. */
export interface HttpOptions {
  readonly verifier: ApiKeyVerifier;
  /** Under which path of the host the application is mounted, such as `/market`; goes before Link, Location and problem types. */
  readonly mountPath?: string;
  /** Such as `https://market.example`; Link and Location begin with it. Without it they are path-absolute. */
  readonly publicUrl?: string;
  /** Where clients read which issuer's access tokens are taken (RFC 9728); every challenge names it. Without it none does. */
  readonly resourceMetadata?: string;
  /** Told of every failure that is nobody's fault but ours; by default nobody is. */
  readonly onError?: (error: unknown, requestId: string) => void;
  /** Told of every request when it is over; by default nobody is. */
  readonly onAnswer?: (answered: Answered) => void;
  /** 600 reads and 60 creates a minute of one key, and 30 failed authentications of one address, unless told otherwise. */
  readonly rateLimits?: Partial<RateLimits>;
  /** How many reverse proxies in front are believed about the address of the client; none by default. */
  readonly trustedProxyHops?: number;
}

export type OnAnswer = Required<HttpOptions>['onAnswer'];

export interface Service extends Required<HttpOptions> {
  readonly rateLimits: RateLimits;
  readonly marketplace: Marketplace;
}
