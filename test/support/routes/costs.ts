import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exchange, type Response } from './exchange.js';
import type { Cost } from './table.js';

/** The client, in a process of its own: what it does is no cost of the service. */
export class Client {
  private constructor(private readonly child: ChildProcess) {}

  static open(): Client {
    return new Client(fork(fileURLToPath(import.meta.url), { serialization: 'advanced' }));
  }

  close(): void {
    this.child.kill();
  }

  /** Sends a request, and returns the response with its cost for the service, which is in this process. */
  async cost(port: number, request: string): Promise<Cost & Pick<Response, 'status'>> {
    await this.#ask({ port, request });
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    await setTimeout(5);
    delays.reset();
    const [cpu, loop] = [process.cpuUsage(), loopMsSoFar()];
    const { status, bytes } = (await this.#ask({ port: 0, request: '' })) as Response;
    const loopMs = loopMsSoFar() - loop;
    const { user, system } = process.cpuUsage(cpu);
    await setTimeout(5);
    delays.disable();
    const turnMs = Math.min(loopMs, Math.max(0, delays.max / 1e6 - 1));
    return { status, bytes, loopMs, turnMs, threadsMs: Math.max(0, (user + system) / 1_000 - loopMs) };
  }

  async #ask(order: Order): Promise<unknown> {
    const reply = once(this.child, 'message');
    this.child.send(order);
    return ((await reply) as [unknown])[0];
  }
}

/** Returns the processor time of the thread of the event loop: other work on the machine does not count (Linux). */
function loopMsSoFar(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** The response to no request, by which the measurement itself is measured. */
const NOTHING: Response = { status: 0, bytes: 0, text: '' };

/** A request to send with the next order; without a port, the order to send it. */
interface Order {
  readonly port: number;
  readonly request: string;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let next: Order = { port: 0, request: '' };
  const reply = (value: unknown) => process.send?.(value);
  process.on('message', (order: Order) => {
    if (order.port === 0 && next.request === '') reply(NOTHING);
    else if (order.port === 0) void exchange(next.port, next.request).then(reply);
    else reply('ready');
    next = order;
  });
}
