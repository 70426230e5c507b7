import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ParameterizedContext } from 'koa';
import type { Account, AuditTrail, Caller, DeveloperKeys, DeveloperSessions, Marketplace } from '../../application/index.js';
import type { Render } from './templates.js';

/** A request that was answered, or that its browser gave up. Nothing in it is a secret. */
export interface Answered {
  readonly requestId: string;
  readonly method: string;
  /** The template of its path, such as `/panel/keys/:id/revoke`; empty where there is none. */
  readonly route: string;
  readonly status: number;
  /** In milliseconds, from its turn to the last byte of the answer. */
  readonly duration: number;
  /** Whether the browser was gone before that. */
  readonly aborted: boolean;
  /** Who is signed in there, if anybody. */
  readonly developerId?: string | undefined;
}

/** What the panel works with: the core, and what only its host knows. */
export interface PanelOptions {
  readonly marketplace: Marketplace;
  readonly keys: DeveloperKeys;
  readonly sessions: DeveloperSessions;
  readonly audit: AuditTrail;
  /** Such as `https://market.example/shop`: where browsers find the service, if that is not where it listens. */
  readonly publicUrl?: string;
  /** The IP address of the browser; that of the connection by default. */
  readonly addressOf?: (request: IncomingMessage) => string;
  /** Names a request; a random UUID by default. */
  readonly requestIdOf?: (request: IncomingMessage) => string;
  /** Told of every failure that is nobody's fault but ours; by default nobody is. */
  readonly onError?: (error: unknown, requestId: string) => void;
  /** Told of every request when it is over; by default nobody is. */
  readonly onAnswer?: (answered: Answered, request: IncomingMessage) => void;
  /** Told of every request that was answered by the page that says how busy it is; by default nobody is. */
  readonly onShed?: (answered: Answered) => void;
  readonly now?: () => Date;
}

export interface Panel extends Required<PanelOptions> {
  /** What every address of the panel begins with: `/panel`, perhaps below the path of the public URL. */
  readonly at: string;
  readonly render: Render;
}

/** What is known of one request. */
export interface Visit {
  requestId: string;
  route?: string;
  /** Who is signed in, once that is known. */
  developerId?: string;
}

/** As a server of Node's takes it. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export type Context = ParameterizedContext<Visit>;
export type Handler = (ctx: Context) => Promise<void>;

/** Whether it came over TLS to this very server. */
export function isEncrypted({ socket }: Context): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true;
}

/** A developer who is signed in. */
export interface Member {
  readonly account: Account;
  readonly caller: Caller;
  /** Stands in every form that the developer gets in this session, and in no other. */
  readonly formToken: string;
}
