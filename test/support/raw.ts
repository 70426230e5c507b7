import { connect, type Socket } from 'node:net';

/** One answer as it stood on the wire. */
export interface RawAnswer {
  readonly status: number;
  /** In the order in which they came, names as they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface Conversation {
  /** Every answer that came whole, interim ones (1xx) included. */
  readonly answers: readonly RawAnswer[];
  /** Whether the server closed the connection. */
  readonly closed: boolean;
}

/** What has not come by then does not come: three times the longest limit of the server, for a busy machine. */
const MAX_WAIT_MS = 100_000;

export interface Patience {
  /** How many final answers to wait for; 1 by default, 0 to wait for the end alone. */
  readonly answers?: number;
  /** Whether to wait for the server to close as well. */
  readonly untilClosed?: boolean;
  /** Whether the requests are HEAD, whose answers have a Content-Length and no body. */
  readonly head?: boolean;
}

/** A socket on which anything can be said. Text is sent as latin1, a byte for a character. */
export class RawClient {
  #received: Buffer = Buffer.alloc(0);
  #closed = false;
  #notify: () => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#notify();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#closed = true;
      this.#notify();
    });
  }

  static async open(port: number): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: false, noDelay: true });
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawClient(socket);
  }

  say(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Says that nothing more comes, and still listens. */
  end(): void {
    this.socket.end();
  }

  /** Goes away without a word: the server sees a reset. */
  abort(): void {
    this.socket.resetAndDestroy();
  }

  /** What was answered since the connection was opened. */
  async listen({ answers = 1, untilClosed = false, head = false }: Patience = {}): Promise<Conversation> {
    const isEnough = (): boolean =>
      this.#closed || (!untilClosed && this.#answers(head).filter(({ status }) => status >= 200).length >= answers);
    if (!isEnough())
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, MAX_WAIT_MS);
        this.#notify = () => {
          if (!isEnough()) return;
          clearTimeout(timer);
          resolve();
        };
      });
    return { answers: this.#answers(head), closed: this.#closed };
  }

  destroy(): void {
    this.socket.destroy();
  }

  #answers(head: boolean): readonly RawAnswer[] {
    const answers: RawAnswer[] = [];
    let rest = this.#received;
    for (let found = firstAnswer(rest, head, this.#closed); found; found = firstAnswer(rest, head, this.#closed)) {
      answers.push(found.answer);
      rest = found.rest;
    }
    return answers;
  }
}

/** Opens a connection, says all of it, listens, and goes. */
export async function converse(port: number, said: string | Buffer, patience: Patience = {}): Promise<Conversation> {
  const client = await RawClient.open(port);
  try {
    client.say(said);
    return await client.listen(patience);
  } finally {
    client.destroy();
  }
}

interface Found {
  readonly answer: RawAnswer;
  readonly rest: Buffer;
}

function firstAnswer(bytes: Buffer, head: boolean, closed: boolean): Found | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([0-9]{3}) /.exec(`${statusLine} `)?.[1]);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const found = bodyOf(
    bytes.subarray(end + 4),
    head || status < 200 || status === 204 || status === 304,
    headers,
    closed,
  );
  return found && { answer: { status, headers, body: found.body }, rest: found.rest };
}

type Body = { readonly body: Buffer; readonly rest: Buffer } | undefined;

function bodyOf(bytes: Buffer, isEmpty: boolean, headers: RawAnswer['headers'], closed: boolean): Body {
  if (isEmpty) return { body: Buffer.alloc(0), rest: bytes };
  const value = (name: string) => headers.find(([other]) => other.toLowerCase() === name)?.[1];
  const length = value('content-length');
  if (length !== undefined) {
    const size = Number(length);
    return bytes.length < size ? undefined : { body: bytes.subarray(0, size), rest: bytes.subarray(size) };
  }
  if (value('transfer-encoding') === 'chunked') throw new Error('The service was not expected to answer in chunks.');
  return closed ? { body: bytes, rest: Buffer.alloc(0) } : undefined;
}

/** Returns the bytes of an HTTP/1.1 request. Without a body there is no Content-Length. */
export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const length = { 'Content-Length': String(Buffer.byteLength(body)), 'Content-Type': 'application/json' };
  const all = Object.entries({ Host: 'market', ...headers, ...(body !== '' && length) });
  return `${method} ${path} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
