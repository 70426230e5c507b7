import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses of each connection, of which a client that does not wait for answers has several (RFC 9112, section 9.3.2). */
export class Pipelines {
  readonly #latest = new Map<Socket, ServerResponse>();
  readonly #behind = new Map<Socket, Set<ServerResponse>>();

  add(socket: Socket, response: ServerResponse): void {
    const before = this.#latest.get(socket);
    this.#latest.set(socket, response);
    if (before !== undefined && !before.destroyed) this.#addBehind(socket, response);
  }

  latestOf(socket: Socket): ServerResponse | undefined {
    return this.#latest.get(socket);
  }

  latest(): Iterable<ServerResponse> {
    return this.#latest.values();
  }

  /** Node tells of the end of a connection only the response that is being written. */
  close(socket: Socket): void {
    const behind = this.#behind.get(socket) ?? [];
    this.#latest.delete(socket);
    this.#behind.delete(socket);
    for (const response of behind) {
      response.destroyed = true;
      response.emit('close');
    }
  }

  #addBehind(socket: Socket, response: ServerResponse): void {
    const behind = this.#behind.get(socket) ?? new Set();
    this.#behind.set(socket, behind.add(response));
    response.once('close', () => behind.delete(response));
  }
}
