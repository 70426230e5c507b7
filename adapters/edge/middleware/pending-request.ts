import type { IncomingMessage, ServerResponse } from 'node:http';

/** What may be under way: requests, usually and while the event loop is delayed, and bytes that have not left. */
export interface Limit {
  readonly requests: number;
  readonly requestsDelayed: number;
  readonly unsentBytes: number;
}

/** What a client, or all clients together, have under way. */
export interface Load {
  readonly name: string;
  readonly limit: Limit;
  /** Requests that are not over. */
  pending: number;
  /** Those of them that are in flight. */
  inFlight: number;
  unsentBytes: number;
}

/** A request until the last byte of its response has left. It counts for all clients, and for its own. */
export interface PendingRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly loads: Load[];
  inFlight: 0 | 1;
  unsentBytes: number;
}
