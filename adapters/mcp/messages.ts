import { isJSONRPCRequest, METHOD_NOT_FOUND, type JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { Problem } from '../edge/problems/problem.js';

/** The SDK reads a message by recursion. */
const MAX_DEPTH = 32;
/** Each value takes the SDK about 7 us: 5,500 of them, in a message of 54 KB, took it 40 ms. */
const MAX_VALUES = 250;

/**
 * Returns a message of an agent, in which parameters that are null are left out. The SDK judges the rest.
 * @throws Problem when it is several, or too much for the SDK.
 */
export function parseMessage(sent: unknown): unknown {
  if (Array.isArray(sent)) throw new Problem('malformed-request', 'Send one message in each request.');
  checkSize(sent);
  if (!isObject(sent) || sent['params'] === undefined) return sent;
  const { params, ...others } = sent;
  if (params === null) return others;
  return { ...others, params: isObject(params) ? withoutNull(params) : params };
}

/** Returns the tool that a message calls, with its arguments, unchecked; undefined for any other message. */
export function calledBy(message: unknown): { readonly name?: unknown; readonly arguments?: unknown } | undefined {
  const { method, params } = Object(message) as { readonly method?: unknown; readonly params?: unknown };
  return method === 'tools/call' ? (Object(params) as object) : undefined;
}

/** Returns the members of an object that are not null. */
export function withoutNull(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/**
 * Returns the answer to a request for changes of the tools, which never change; undefined for any other message. The
 * SDK would answer that there are too many such requests.
 */
export function refusalOf(message: unknown): JSONRPCErrorResponse | undefined {
  if (!isJSONRPCRequest(message) || message.method !== 'subscriptions/listen') return undefined;
  return { jsonrpc: '2.0', id: message.id, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } };
}

function checkSize(message: unknown): void {
  let values = 0;
  const count = (value: unknown, levels: number): void => {
    values += 1;
    if (values > MAX_VALUES)
      throw new Problem('malformed-request', `The message must have at most ${MAX_VALUES} values.`);
    if (typeof value !== 'object' || value === null) return;
    if (levels === 0) throw new Problem('malformed-json', `The message must have at most ${MAX_DEPTH} levels.`);
    for (const each of Object.values(value)) count(each, levels - 1);
  };
  count(message, MAX_DEPTH);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
