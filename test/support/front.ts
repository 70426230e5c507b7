import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening, type Listening } from './socket.js';

/** On a busy machine, no connection ends while its client sends the next request. */
const KEPT_MS = 60_000;

/** One address in front of services, as a load balancer has it: the test says which service a request goes to. */
export class Front {
  /** The addresses of the services. A request goes to the first, which is then moved to the end. */
  #targets: readonly string[] = [];
  #before = async (): Promise<unknown> => undefined;

  private constructor(private readonly server: Listening) {}

  static async open(): Promise<Front> {
    const server = createServer({ keepAliveTimeout: KEPT_MS }, (asked, answer) => void front.#send(asked, answer));
    const front: Front = new Front(await listening(server));
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

  /** From now on, this happens before each request is sent on. */
  beforeEach(run: () => Promise<unknown>): void {
    this.#before = run;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** A client whose service dies loses its connection, as it would without the front. */
  async #send(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    await this.#before();
    const [target = '', ...others] = this.#targets;
    this.#targets = [...others, target];
    const { method, url: path, headers } = asked;
    const sent = request(target, { method, path, headers, agent: false }, (answered) => {
      answer.writeHead(answered.statusCode ?? 0, answered.rawHeaders);
      answered.on('error', () => answer.destroy());
      answered.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    asked.pipe(sent);
  }
}
