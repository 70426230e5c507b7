import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DeveloperId, Person } from '../../domain/access.js';
import type { TokenAudience } from '../../domain/connection.js';
import type { Scope } from '../../domain/scope.js';

/** A question to a person: may this app act for them? */
export interface ConsentQuestion {
  readonly clientId: string;
  readonly name: string;
  /** The developer who registered the app; undefined for one that is known by its metadata document alone. */
  readonly registeredBy?: DeveloperId | undefined;
  /** What the app asks for. */
  readonly scopes: readonly Scope[];
  readonly audience: TokenAudience;
  /** Where the browser is led to afterwards; undefined for a device, which shows a code and has no address. */
  readonly redirectUri?: string | undefined;
}

/** What an app needs to know of an authorization server. */
export interface ServerDescription {
  readonly issuer: string;
  /** What tokens are for, as a URI (RFC 8707). */
  readonly resource: string;
}

/** The questions of an authorization server, which the panel shows: each belongs to one browser. */
export interface Consents {
  /** Returns what the settings of a new app need; undefined while the address is not known. */
  describe(): ServerDescription | undefined;

  /** Returns the question of this browser at this id; undefined when it is unknown, of another browser or expired. */
  read(id: string, request: IncomingMessage, response: ServerResponse): Promise<ConsentQuestion | undefined>;

  /** Stores the consent of a person, and returns the address to which the browser goes on; undefined as `read`. */
  approve(id: string, request: IncomingMessage, response: ServerResponse, by: Person): Promise<string | undefined>;

  /** Tells the app that the person refused, and returns the address as `approve` does. */
  refuse(id: string, request: IncomingMessage, response: ServerResponse): Promise<string | undefined>;
}
