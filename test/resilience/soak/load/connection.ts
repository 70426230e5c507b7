import { connect, type Socket } from 'node:net';

/** So much of an answer as a load must know. */
export interface Reply {
  readonly status: number;
  /** Of an error, as far as it came at once; otherwise empty. */
  readonly body: string;
}

/** What came last, on whichever connection: it is read before anything else comes. */
const received = Buffer.allocUnsafe(64 * 1024);
const MAX_HEAD_BYTES = 16 * 1024;

/**
 * A connection that is kept, for one request at a time; it costs a fraction of what Node's own client does, and bodies
 * are only counted.
 */
export class Connection {
  readonly #socket: Socket;
  #head = '';
  #reply: Reply | undefined;
  /** In bytes, of the body. */
  #toCome = 0;
  #settle: { resolve(reply: Reply): void; reject(error: Error): void } | undefined;
  isOpen = true;

  constructor(port: number) {
    const onread = { buffer: received, callback: (size: number) => this.#take(size) };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
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

  /** Reads on as long as this is true. */
  #take(size: number): true {
    if (this.#reply === undefined) this.#readHead(size);
    else this.#toCome -= size;
    if (this.#reply !== undefined && this.#toCome <= 0) this.#end(this.#reply);
    return true;
  }

  #readHead(size: number): void {
    const before = this.#head.length;
    this.#head += received.toString('latin1', 0, Math.min(size, MAX_HEAD_BYTES));
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) {
      if (this.#head.length > MAX_HEAD_BYTES) this.#socket.destroy(new Error('the head has no end'));
      return;
    }
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#head.slice(0, end))?.[1] ?? 0);
    const status = Number(this.#head.slice(9, 12));
    this.#toCome = end + 4 + length - before - size;
    this.#reply = { status, body: status < 400 ? '' : this.#head.slice(end + 4) };
    this.#head = this.#head.slice(0, end);
  }

  #end(reply: Reply): void {
    const settle = this.#settle;
    if (settle === undefined || this.#toCome < 0 || /\r\nconnection: close/i.test(this.#head)) this.close();
    this.#head = '';
    this.#reply = undefined;
    this.#settle = undefined;
    settle?.resolve(reply);
  }

  #fail(error: Error): void {
    this.isOpen = false;
    this.#settle?.reject(error);
    this.#settle = undefined;
  }
}
