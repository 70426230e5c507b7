import type { IncomingMessage } from 'node:http';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Account } from '../../application/account.js';
import type { UseCases } from '../../application/core.js';
import type { HostUser } from '../../application/host-user.js';
import type { Caller, Person } from '../../domain/access.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import type { PendingRequest } from './middleware/pending-request.js';
import type { DeveloperQuotas, LimitOptions, RateLimits } from './middleware/quotas.js';
import type { ProblemSlug } from './problems/catalogue.js';

/** The route of a request for an unknown path, and of one that was refused before its path was read. */
export const UNKNOWN_ROUTE = 'unknown';

/** What the middlewares of one request tell those behind them, in `ctx.state`. */
export interface RequestState {
  /** In the response's X-Request-Id, in every problem document and in the log. */
  requestId: string;
  /** The base of the request, such as `/api`; Location and Link keep it. */
  base: string;
  /** The path below the base. */
  path: string;
  /** The text behind the question mark. */
  query: string;
  /** The verified caller. */
  caller: Caller;
  /** The client of the authorization server that sent the request. */
  clientId?: string | undefined;
  /** The developer who is signed in to the pages; undefined for any other visitor. */
  signedIn?: SignedInDeveloper | undefined;
  /** Whether the visitor is a user of the host whom an operator has suspended. */
  isSuspended?: boolean;
  /** The template of the path, such as `/automations/:id`. */
  route?: string | undefined;
  /** The request as the overload protection counts it. */
  pending: PendingRequest;
  /** The problem that the response reports. */
  problem?: ProblemSlug;
  /** Why, for operators. */
  reason?: string | undefined;
}

/** A developer who is signed in to the pages. */
export interface SignedInDeveloper {
  readonly account: Account;
  /** Manages what is their own. */
  readonly person: Person;
  /** The same person, who reads the market and creates. */
  readonly caller: Caller;
  /** The token in every form of this session, or of this user of a host, and of no other. */
  readonly formToken: string;
  /** Whether the session is ours to end. */
  readonly canSignOut: boolean;
}

export type Context = ParameterizedContext<RequestState>;
export type Handler = (ctx: Context) => Promise<void>;
export type HttpMiddleware = Middleware<RequestState>;

/**
 * A request that was answered, or that its client gave up. It holds no secret, and four texts of the client's choice:
 * the ids and the reason.
 */
export interface CompletedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The template of its path, such as `/automations/:id`; `unknown` for a path that is unknown or was not read. */
  readonly route: string;
  readonly status: number;
  /** Milliseconds from the complete headers to the last byte of the response. */
  readonly durationMs: number;
  /** Whether the client was gone before the response was sent. */
  readonly aborted: boolean;
  /** The slug of the problem that was reported. */
  readonly problem?: ProblemSlug | undefined;
  /** Why it was refused, for operators, where the slug alone does not tell. It may quote headers of the request. */
  readonly reason?: string | undefined;
  /** The id of the valid key that was sent, or of the client of an authorization server. */
  readonly credentialId?: string | undefined;
  /** As the client sent it (W3C Trace Context), if it is well-formed. */
  readonly traceparent?: string | undefined;
}

/** The options that API, panel and catalogue take from the host that mounts them. */
export interface HostOptions {
  /**
   * The path of the host under which the application is mounted, such as `/market`. Every address that it makes begins
   * with it. Default: none.
   */
  readonly mountPath?: string | undefined;
  /** Where clients find the host, such as `https://market.example`. Without it, most addresses are path-absolute. */
  readonly publicUrl?: string | undefined;
  /** The number of trusted reverse proxies in front, which decides the client's address. Default: 0. */
  readonly trustedProxyHops?: number | undefined;
  /**
   * Returns whether many people share an address, such as those of an office: limits that count addresses are ten times
   * as high for it. Default: none is shared.
   */
  readonly isSharedNetwork?: ((address: string) => boolean) | undefined;
  /** Called with every internal error (5xx). Default: its stack is printed to stderr. */
  readonly onError?: ((error: unknown, requestId: string) => void) | undefined;
  /** Called with every request when it is over. Default: ignored. */
  readonly onRequestCompleted?: ((request: CompletedRequest) => void) | undefined;
}

/** The options of `createHttpApp`. Link, Location and problem types begin with the mount path. */
export interface HttpOptions extends HostOptions {
  /** Finds the caller by the bearer token of a request. */
  readonly verifier?: ApiKeyVerifier | undefined;
  /**
   * Finds the caller of a request without a token that `verifier` takes, for example by a cookie; undefined for a
   * request without valid credentials. The scopes of a user follow from the role. A POST with cookies from another site
   * is refused before.
   */
  readonly authenticate?:
    | ((request: IncomingMessage) => Caller | HostUser | undefined | Promise<Caller | HostUser | undefined>)
    | undefined;
  /**
   * Tells whether a user of `authenticate` is suspended: the sessions of the core that the panel has. A user who is
   * suspended gets 401, as their keys do. `false` lets suspended users go on. Required with `authenticate`.
   */
  readonly sessions?: Pick<UseCases['sessions'], 'findHostCaller'> | false | undefined;
  /**
   * The address of the protected resource metadata (RFC 9728), or a function that returns it when a challenge is sent;
   * every challenge names it. Default: none.
   */
  readonly resourceMetadata?: string | (() => string) | undefined;
  /** Default: 600 reads and 60 creates a minute per developer, and 30 failed authentications per address. */
  readonly rateLimits?: LimitOptions | undefined;
  /** Counts reads and creates in place of `rateLimits`, also for the panel next to it. Default: the API alone. */
  readonly quotas?: DeveloperQuotas | undefined;
  /**
   * Whether `/openapi.json` and `/problems`, with the page to which each problem type leads, are served under the mount
   * path. With `false` the types stay the same, and the host may serve pages of its own there. Default: true.
   */
  readonly documents?: boolean | undefined;
  /** Whether automations can be found by words: `false` leaves out `q` and `sort=best`. Default: true. */
  readonly search?: boolean | undefined;
}

type Given = 'verifier' | 'authenticate' | 'sessions';
type Defaulted = Omit<HttpOptions, Given | 'rateLimits'>;
export type Defined<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };

export type OnError = Defined<HttpOptions>['onError'];
export type OnRequestCompleted = Defined<HttpOptions>['onRequestCompleted'];

/** The options with their defaults, checked. `verifier` or `authenticate` is there, or both. */
export interface HttpSettings extends Defined<Omit<Defaulted, 'resourceMetadata'>>, Pick<HttpOptions, Given> {
  readonly resourceMetadata: () => string;
  readonly rateLimits: RateLimits;
  readonly marketplace: UseCases['marketplace'];
  /** The path with which every address begins. */
  readonly base: string;
}
