import type { DeveloperId } from './access.js';
import type { Scope } from './scope.js';

/** A UUID, in lower case (RFC 9562); no secret. */
export type ConnectionId = string & { readonly __brand: 'ConnectionId' };

/** What the tokens of a connection are for: the API, or the tools for agents. */
export type TokenAudience = 'api' | 'agents';

/** A consent: an app acts for a developer. */
export interface Connection {
  readonly id: ConnectionId;
  /** The developer for whom the app acts. */
  readonly developerId: DeveloperId;
  /** The id of a registered app, or the address of the metadata document of another. */
  readonly clientId: string;
  /** The name of the app at the time of the consent. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly audience: TokenAudience;
  readonly connectedAt: Date;
  readonly expiresAt: Date;
  /** When the app last sent a token, to the minute; undefined when it sent none. */
  readonly lastUsedAt?: Date;
}

/** An app that acts for a developer, with all its connections: it has one for each device or browser, for example. */
export interface ConnectedApp {
  /** The id of its latest connection. */
  readonly id: ConnectionId;
  readonly clientId: string;
  /** The latest first. */
  readonly connections: readonly Connection[];
  /** The latest use of any of them. */
  readonly lastUsedAt?: Date;
}

/** Returns the apps of connections, which come with the latest first. */
export function connectedApps(connections: readonly Connection[]): readonly ConnectedApp[] {
  const byClient = new Map<string, Connection[]>();
  for (const one of connections) byClient.set(one.clientId, [...(byClient.get(one.clientId) ?? []), one]);
  return Array.from(byClient, ([clientId, [latest, ...others]]) => {
    const ofApp = latest === undefined ? [] : [latest, ...others];
    const uses = ofApp.flatMap(({ lastUsedAt }) => lastUsedAt?.getTime() ?? []);
    return {
      id: latest?.id as ConnectionId,
      clientId,
      connections: ofApp,
      ...(uses.length > 0 && { lastUsedAt: new Date(Math.max(...uses)) }),
    };
  });
}

/** How long a consent holds: then the app asks again. */
export const CONNECTION_LIFETIME_MS = 365 * 24 * 60 * 60 * 1000;

/** A developer has no more connections than this: one more ends the oldest. */
export const MAX_CONNECTIONS = 100;
