import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ParameterizedContext } from 'koa';
import type {
  Account,
  AuditTrail,
  Caller,
  DeveloperKeys,
  DeveloperSessions,
  Marketplace,
} from '../../application/index.js';

/** A completed request, with or without a response. Contains no secret. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** The template of the path, for example `/panel/keys/:id/revoke`; empty if no route matched. */
  readonly route: string;
  readonly status: number;
  /** Milliseconds from the start to the last byte of the response. */
  readonly duration: number;
  /** Whether the browser left before that. */
  readonly aborted: boolean;
  /** The developer who is signed in. */
  readonly developerId?: string | undefined;
}

/** The core, and what only the host knows. */
export interface PanelOptions {
  readonly marketplace: Marketplace;
  readonly keys: DeveloperKeys;
  readonly sessions: DeveloperSessions;
  readonly audit: AuditTrail;
  /** Where browsers find the service, for example `https://market.example/shop`. Default: where it listens. */
  readonly publicUrl?: string;
  /** Returns the IP address of the browser. Default: the address of the connection. */
  readonly addressOf?: (request: IncomingMessage) => string;
  /** Returns the id of a request. Default: a random UUID. */
  readonly requestIdOf?: (request: IncomingMessage) => string;
  /** Called with every internal error (5xx). Default: ignored. */
  readonly onError?: (error: unknown, requestId: string) => void;
  /** Called with every completed request. Default: ignored. */
  readonly onAnswer?: (answered: Answered, request: IncomingMessage) => void;
  /** Called with every request that got the busy page. Default: ignored. */
  readonly onShed?: (answered: Answered) => void;
  readonly now?: () => Date;
}

/** Fills a template of `templates/`. Every value is text, whatever it contains. */
export type Render = (template: string, data: object) => string;

export interface Panel extends Required<PanelOptions> {
  /** The start of every address of the panel: `/panel`, after the path of the public URL. */
  readonly at: string;
  readonly render: Render;
}

/** The state of one request. */
export interface Visit {
  requestId: string;
  route?: string;
  /** The developer who is signed in; undefined until that is known. */
  developerId?: string;
}

/** A listener for Node's HTTP server. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export type Context = ParameterizedContext<Visit>;
export type Handler = (ctx: Context) => Promise<void>;

/** Returns whether the request came to this server over TLS. */
export function isEncrypted({ socket }: Context): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true;
}

/** A developer who is signed in. */
export interface SignedInDeveloper {
  readonly account: Account;
  readonly caller: Caller;
  /** The token in every form of this session, and of no other. */
  readonly formToken: string;
}
