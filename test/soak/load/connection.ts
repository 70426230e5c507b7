import { connect, type Socket } from 'node:net';

/** So much of an answer as a load must know. */
export interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** As HTTP/1.1 has it; without a body there is no Content-Length. */
export function requestText(method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)), 'Content-Type': 'application/json' };
  const lines = Object.entries({ Host: 'market', ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** A connection that is kept, for one request at a time; it costs a fraction of what Node's own client does. */
export class Connection {
  readonly #socket: Socket;
  #received = '';
  #settle: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;
  isOpen = true;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text) => this.#take(String(text)));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the connection was closed')));
  }

  ask(request: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) reject(new Error('the connection is closed'));
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.isOpen = false;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    if (this.#settle === undefined) {
      this.close();
      return;
    }
    const reply = { status: Number(head.slice(9, 12)), head, body: this.#received.slice(end + 4, end + 4 + length) };
    this.#received = this.#received.slice(end + 4 + length);
    if (/\r\nconnection: close/i.test(head)) this.close();
    const settle = this.#settle;
    this.#settle = undefined;
    settle.resolve(reply);
  }

  #fail(error: Error): void {
    this.isOpen = false;
    this.#settle?.reject(error);
    this.#settle = undefined;
  }
}
