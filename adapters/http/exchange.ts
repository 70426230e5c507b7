import type { Middleware, ParameterizedContext } from 'koa';
import type { Caller } from '../../domain/access.js';
import type { Marketplace } from '../../application/marketplace.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';

/** What the middlewares of one request tell those behind them. */
export interface Exchange {
  /** Echoed or made; in the answer's X-Request-Id, in every problem and in the log. */
  requestId: string;
  /** The base under which the request came, such as `/api`; Location and Link keep it. */
  base: string;
  /** Who asks; set once the credentials hold. */
  caller: Caller;
}

export type Context = ParameterizedContext<Exchange>;
export type Handler = (ctx: Context) => Promise<void>;
export type { Middleware };

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
}

export interface Service extends Required<HttpOptions> {
  readonly marketplace: Marketplace;
}
