import {
  INVALID_REQUEST,
  isJSONRPCNotification,
  isJSONRPCRequest,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';
import { MAX_CREATE_BYTES } from '../edge/middleware/large-bodies.js';
import { Problem } from '../edge/problems/problem.js';
import { parseMessage, refusalOf } from './messages.js';

const LINE_FEED = 0x0a;
/** How long the answers to what came before the end of the input are waited for. */
const LAST_ANSWERS_MS = 10_000;

/** It leaves out a byte order mark, which some editors and shells put in front. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Messages in lines of JSON over two streams, as MCP has them over standard input and output. A line that is no message
 * is answered by an error, and the last line needs no line feed.
 */
export class LineTransport implements Transport {
  onmessage: Transport['onmessage'];
  onerror: Transport['onerror'];
  onclose: Transport['onclose'];
  /** Resolves when the input has ended, and what came before was answered. */
  readonly ended: Promise<void>;
  readonly #unanswered = new Set<RequestId>();
  #onAnswer: () => void = () => undefined;
  #end: () => void = () => undefined;
  #isClosed = false;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  async start(): Promise<void> {
    this.output.on('error', (error) => this.#fail(error));
    void this.#readAll()
      .catch((error: unknown) => this.#fail(error as Error))
      .finally(this.#end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#write(message);
    } finally {
      if ('id' in message && !('method' in message)) this.#settle(message.id);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.input.destroy();
    this.onclose?.();
  }

  #fail(error: Error): void {
    if (!this.#isClosed) this.onerror?.(error);
    void this.close();
  }

  async #readAll(): Promise<void> {
    let rest: Buffer = Buffer.alloc(0);
    for await (const bytes of this.input) {
      rest = Buffer.concat([rest, bytes as Buffer]);
      for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
        await this.#receive(rest.subarray(0, end));
        rest = rest.subarray(end + 1);
      }
      if (rest.length > MAX_CREATE_BYTES) throw new Error(`a message must have at most ${MAX_CREATE_BYTES} bytes`);
    }
    await this.#receive(rest);
    await this.#answered();
  }

  async #receive(line: Buffer): Promise<void> {
    if (/^\s*$/.test(line.toString('latin1'))) return;
    const { message, refusal } = read(line);
    if (refusal !== undefined) await this.#write(refusal);
    if (message === undefined) return;
    if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
    this.onmessage?.(message);
    // What was cancelled is not answered.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.#settle(message.params?.['requestId'] as RequestId | undefined);
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined) this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#onAnswer();
  }

  async #answered(): Promise<void> {
    if (this.#unanswered.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LAST_ANSWERS_MS);
      this.#onAnswer = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}

interface Received {
  readonly message?: JSONRPCMessage;
  /** The answer to what is no message, or asks for what is not offered. */
  readonly refusal?: object;
}

function read(line: Buffer): Received {
  let sent: unknown;
  try {
    sent = JSON.parse(UTF8.decode(line));
  } catch {
    return { refusal: refused(null, PARSE_ERROR, 'Parse error: each line must be a JSON text in UTF-8.') };
  }
  try {
    const message = parseJSONRPCMessage(parseMessage(sent));
    const refusal = refusalOf(message);
    return refusal === undefined ? { message } : { refusal };
  } catch (error) {
    const detail = error instanceof Problem ? error.detail : 'Each line must be a message of JSON-RPC 2.0.';
    return { refusal: refused(idOf(sent), INVALID_REQUEST, `Invalid request: ${detail}`) };
  }
}

/** Returns the error that answers what is no message (JSON-RPC 2.0, section 5). */
function refused(id: RequestId | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function idOf(sent: unknown): RequestId | null {
  const { id } = Object(sent) as { readonly id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
