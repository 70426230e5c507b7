import type { Middleware, ParameterizedContext } from 'koa';
import type { Account } from '../../application/account.js';
import type { UseCases } from '../../application/core.js';
import type { Caller, Person } from '../../domain/access.js';
import type { Defined, HttpOptions } from './host.js';
import type { PendingRequest } from './middleware/pending-request.js';
import type { RateLimits } from './middleware/quotas.js';
import type { ProblemSlug } from './problems/table.js';

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
  /** Waits for a turn of the event loop that no other page has. */
  ownTurn: () => Promise<unknown>;
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
  /** Whether the marketplace, not the host, ends the session. */
  readonly canSignOut: boolean;
}

export type Context = ParameterizedContext<RequestState>;
export type Handler = (ctx: Context) => Promise<void>;
export type HttpMiddleware = Middleware<RequestState>;

type Given = 'verifier' | 'authenticate' | 'issuer' | 'sessions';
type Defaulted = Omit<HttpOptions, Given | 'rateLimits'>;
/** The options with their defaults, checked. `verifier` or `authenticate` is there, or both. */
export interface HttpSettings extends Defined<Omit<Defaulted, 'resourceMetadata'>>, Pick<HttpOptions, Given> {
  readonly resourceMetadata: () => string;
  readonly rateLimits: RateLimits;
  readonly marketplace: UseCases['marketplace'];
  /** The path with which every address begins. */
  readonly base: string;
}
