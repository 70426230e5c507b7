import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What a bad network does: delays in milliseconds, swallows everything, leaves the connections that there are without
 * an answer, resets every connection, cuts each after so many bytes of answers, or lets through so many bytes at a
 * time.
 */
export type NetworkFault =
  | { readonly kind: 'delay'; readonly milliseconds: number }
  | { readonly kind: 'black-hole' }
  | { readonly kind: 'half-open' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut'; readonly bytes: number }
  | { readonly kind: 'slicer'; readonly bytes: number };

/** A TCP proxy on loopback that forwards faithfully until it is told otherwise. */
export class TcpProxy {
  readonly #sockets = new Set<Socket>();
  readonly #silent = new WeakSet<Socket>();
  #fault: NetworkFault | undefined;

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {}

  static async open(target: number): Promise<TcpProxy> {
    const server = createServer({ noDelay: true });
    const proxy = new TcpProxy(server, target);
    server.on('connection', (socket) => proxy.#join(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on, for connections old and new; undefined heals new ones, and ends old ones that lost something. */
  suffer(fault: NetworkFault | undefined): void {
    if (fault?.kind === 'reset' || this.#fault?.kind === 'black-hole') this.#resetAll();
    if (fault?.kind === 'half-open') for (const socket of this.#sockets) this.#silent.add(socket);
    this.#fault = fault;
  }

  async close(): Promise<void> {
    this.#resetAll();
    this.server.close();
    await once(this.server, 'close');
  }

  #resetAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  #join(client: Socket): void {
    if (this.#fault?.kind === 'reset') {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const server = connect({ port: this.target, host: '127.0.0.1', noDelay: true });
    this.#carry(client, server, () => undefined);
    let answered = 0;
    this.#carry(server, client, (length) => {
      answered += length;
      if (this.#fault?.kind === 'cut' && answered > this.#fault.bytes) client.destroy();
    });
  }

  #carry(from: Socket, to: Socket, count: (length: number) => void): void {
    this.#sockets.add(from);
    from.on('error', () => undefined);
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    from.on('data', (chunk: Buffer) => {
      const fault = this.#fault;
      if (fault?.kind === 'black-hole' || this.#silent.has(from)) return;
      count(chunk.length);
      if (fault?.kind === 'delay') setTimeout(() => to.writable && to.write(chunk), fault.milliseconds);
      else if (fault?.kind === 'slicer')
        for (let at = 0; at < chunk.length; at += fault.bytes) to.write(chunk.subarray(at, at + fault.bytes));
      else to.write(chunk);
    });
  }
}
