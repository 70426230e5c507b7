import type { Visitor } from '../panel-visitor.js';

export type Fields = Readonly<Record<string, string>>;

/** A request, without what says from whom it is. */
export interface WorstRequest {
  readonly path: string;
  readonly fields?: Fields;
  readonly json?: string;
  /** A form that is sent as it is. */
  readonly form?: string;
  /** The site whose page sends the form; the service's own by default. */
  readonly origin?: string;
  /** Where it must be another visitor than the one of all routes with the same audience. */
  readonly visitor?: Visitor;
  /** Where someone who is not signed in has cookies. */
  readonly browser?: Visitor;
  /** Where it is no success. */
  readonly status?: number;
  /** Where the request has no route. */
  readonly method?: string;
  readonly key?: string;
  /** The whole request, where it is no HTTP. */
  readonly raw?: string;
}

/** Returns a call of a tool for agents, filled up to the most bytes that a message without a file has. */
export function toolCall(name: string, sent: object): WorstRequest {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: sent } };
  const body = JSON.stringify(message);
  return { path: '/mcp', json: body.padEnd(64 * 1024 - Buffer.byteLength(body) + body.length) };
}
