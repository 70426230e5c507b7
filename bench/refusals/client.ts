import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exchange } from '../../test/support/routes/exchange.js';

const CONNECTIONS = 16;
/** What the other customer waits between two lists. */
const PAUSE_MS = 10;
/** No answer to a head by then waits for the body. */
const HEAD_MS = 2_000;
/** More than any limit of a minute lets pass. */
const MIN_REQUESTS = 620;
const MAX_FLOOD_MS = 60_000;

/** What a client of a bench is to do. */
interface Order {
  readonly kind: 'flood' | 'read' | 'head';
  readonly port: number;
  readonly request: string;
  readonly seconds: number;
  readonly localAddress: string;
}

export type Task = Omit<Order, 'kind' | 'seconds'>;

/** A client in a process of its own, so that its work is none of the service's. */
export class BenchClient {
  readonly #child: ChildProcess = fork(fileURLToPath(import.meta.url));

  /**
   * Sends a request on 16 connections, for so many seconds and more often than any limit allows. Returns whether it was
   * refused as too many.
   */
  flood(task: Task, seconds: number): Promise<boolean> {
    return this.#ask({ kind: 'flood', seconds, ...task }) as Promise<boolean>;
  }

  /** Sends a request again and again, for so many seconds. Returns the milliseconds that each took, ascending. */
  read(task: Task, seconds: number): Promise<readonly number[]> {
    return this.#ask({ kind: 'read', seconds, ...task }) as Promise<readonly number[]>;
  }

  /** Returns whether the head of a request is refused as too many before its body has come. */
  isRefusedUnread(task: Task): Promise<boolean> {
    return this.#ask({ kind: 'head', seconds: 0, ...task }) as Promise<boolean>;
  }

  close(): void {
    this.#child.kill();
  }

  async #ask(order: Order): Promise<unknown> {
    const reply = once(this.#child, 'message');
    this.#child.send(order);
    return ((await reply) as [unknown])[0];
  }
}

async function flood({ port, request, seconds, localAddress }: Order): Promise<boolean> {
  const begun = Date.now();
  let [sent, isRefused] = [0, false];
  const isOver = () => {
    const elapsed = Date.now() - begun;
    return elapsed > MAX_FLOOD_MS || (sent > MIN_REQUESTS && elapsed > seconds * 1_000);
  };
  const send = async () => {
    for (; !isOver(); sent += 1) {
      const { status } = await exchange(port, request, localAddress);
      isRefused ||= status === 429;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return isRefused;
}

async function read({ port, request, seconds, localAddress }: Order): Promise<readonly number[]> {
  const end = Date.now() + seconds * 1_000;
  const times: number[] = [];
  while (Date.now() < end) {
    const begun = performance.now();
    const { status } = await exchange(port, request, localAddress);
    if (status !== 200) throw new Error(`the list of another customer was answered ${status}`);
    times.push(performance.now() - begun);
    await setTimeout(PAUSE_MS);
  }
  return times.sort((one, other) => one - other);
}

async function head({ port, request, localAddress }: Order): Promise<boolean> {
  const [text = ''] = request.split('\r\n\r\n', 1);
  const answer = exchange(port, `${text}\r\n\r\n`, localAddress).then(({ status }) => status === 429);
  return Promise.race([answer, setTimeout(HEAD_MS, false)]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const work = { flood, read, head };
  process.on('message', (order: Order) => void work[order.kind](order).then((value) => process.send?.(value)));
}
