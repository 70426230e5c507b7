import { createServer, request } from 'node:http';
import { listening, type Listening } from './socket.js';

/** One address in front of services, as a load balancer has it: the test says which service a request goes to. */
export class Front {
  /** The addresses of the services. A request goes to the first, and each is moved to the end after its turn. */
  #targets: readonly string[] = [];

  private constructor(private readonly server: Listening) {}

  static async open(): Promise<Front> {
    const server = createServer((asked, answer) => {
      const { method, url: path, headers } = asked;
      const sent = request(front.#next(), { method, path, headers, agent: false }, (answered) => {
        answer.writeHead(answered.statusCode ?? 0, answered.rawHeaders);
        answered.pipe(answer);
      });
      sent.on('error', () => answer.destroy());
      asked.pipe(sent);
    });
    const front = new Front(await listening(server));
    return front;
  }

  get url(): string {
    return this.server.url;
  }

  /** From now on, requests go to this service. */
  to({ url }: { readonly url: string }): void {
    this.#targets = [url];
  }

  /** From now on, each request goes to the next of these services. */
  inTurn(services: readonly { readonly url: string }[]): void {
    this.#targets = services.map(({ url }) => url);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  #next(): string {
    const [target = '', ...others] = this.#targets;
    this.#targets = [...others, target];
    return target;
  }
}
