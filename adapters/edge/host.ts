import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UseCases } from '../../application/core.js';
import type { HostUser } from '../../application/host-user.js';
import type { Caller } from '../../domain/access.js';
import type { ApiKeyVerifier } from '../../domain/ports.js';
import type { DeveloperQuotas, LimitOptions } from './middleware/quotas.js';
import type { ProblemSlug } from './problems/table.js';

/** Handles a request of Node. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A middleware that goes into a Koa application of any version; it needs the whole context of Koa. */
export type KoaMiddleware = (
  context: { readonly req: IncomingMessage; readonly res: ServerResponse },
  next: () => Promise<unknown>,
) => Promise<unknown>;

/** An application that a host mounts. It is one of Koa, which a host that has none need not know. */
export interface MountedApp {
  /** Returns the function that handles a request, for any server. */
  callback(): RequestHandler;
  /** What it is made of, for a Koa application of the host: `compose` of `koa-compose` makes one function of it. */
  readonly middleware: KoaMiddleware[];
}

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
  /** The id of the valid key, of the client of an authorization server, or of the account of an issuer's token. */
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
  /** Whose subjects the users of `authenticate` have, as in the panel next to it. Default: `host`. */
  readonly issuer?: string | undefined;
  /**
   * Finds the account of a user of `authenticate`, and whether they are suspended: the sessions of the core that the
   * panel has. A user who is suspended gets 401, as their keys do. `false` lets suspended users go on, and takes none
   * by a subject. Required with `authenticate`.
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
  /**
   * The path below `mountPath` where files are handed out, such as `/files`; `file.url` leads there. Without it, that
   * is null.
   */
  readonly filesPath?: string | undefined;
  /** Whether automations can be found by words: `false` leaves out `q` and `sort=best`. Default: true. */
  readonly search?: boolean | undefined;
}

/** The options of pages whose visitors the host signs in. */
export interface HostSignInOptions {
  /**
   * Finds the user of a request, in place of accounts with passwords; undefined for a visitor who is not signed in.
   * The pages that sign in, invite, and change passwords and roles are not there then. Default: accounts of the
   * marketplace.
   */
  readonly authenticate?:
    | ((request: IncomingMessage) => HostUser | undefined | Promise<HostUser | undefined>)
    | undefined;
  /**
   * Whose subjects these users have, such as the issuer of the host's sign-in: a user of two issuers has two accounts,
   * and an access token of the same issuer is of the same account. Default: `host`.
   */
  readonly issuer?: string | undefined;
  /**
   * Where a visitor signs in, such as `/login`: a path or an http or https URL. It gets the parameter `next`, the path
   * to come back to. Without it, such a visitor gets 401. Only with `authenticate`.
   */
  readonly signInUrl?: string | undefined;
}

export type Defined<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };

export type OnError = Defined<HttpOptions>['onError'];
export type OnRequestCompleted = Defined<HttpOptions>['onRequestCompleted'];
