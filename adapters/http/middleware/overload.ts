import type { IncomingMessage } from 'node:http';
import type { Context, HttpMiddleware } from '../context.js';
import { Problem } from '../problems/problem.js';
import { expectsBody } from './protocol-checks.js';

/** How many requests may be in flight: usually, and while the event loop is delayed. */
interface Limit {
  readonly usual: number;
  readonly delayed: number;
}

/**
 * At twice the capacity, 120 while delayed answer in 290 ms (p99) and serve 0.59 of it; 500 answer in 680 and serve
 * 0.73. A probe waits for the same turns of the event loop: 176 ms, and 417.
 */
const ALL: Limit = { usual: 4_000, delayed: 120 };
const CLIENT: Limit = { usual: 256, delayed: 32 };

const MAX_DELAY_MS = 50;
const SAMPLE_MS = 20;
/** The weight of the newest sample in the mean. */
const NEWEST = 0.3;

const OVERLOADED = new Problem('overloaded', 'More requests came than can be served. Try again later.');

/**
 * Refuses requests while too many are in flight, in total and per client, and sooner while the event loop is delayed. A
 * POST is in flight from the last byte of its body, so that a slow sender takes no place; any other request from its
 * headers, as its body is not read. Both are until the end of the turn of the event loop in which they are answered, so
 * that requests of one client that arrive together count together.
 */
export class Overload {
  readonly #inFlight = new Map<string, number>();
  #leaving: string[] = [];
  #turn: Promise<void> | undefined;
  #delayMs = 0;
  readonly #sampling: NodeJS.Timeout;

  /**
   * Samples the event loop until it is stopped, without keeping the process alive. Above `maxDelayMs` it counts as
   * delayed.
   */
  constructor(private readonly maxDelayMs = MAX_DELAY_MS) {
    let due = performance.now() + SAMPLE_MS;
    this.#sampling = setInterval(() => {
      const now = performance.now();
      this.#delayMs += NEWEST * (now - due - this.#delayMs);
      due = now + SAMPLE_MS;
    }, SAMPLE_MS).unref();
  }

  /** Ends the sampling: from then on the usual limits hold. @hidden */
  stop(): void {
    clearInterval(this.#sampling);
    this.#delayMs = 0;
  }

  get inFlight(): number {
    return this.#inFlight.get('') ?? 0;
  }

  /** Limits the requests of all clients. @hidden */
  forAll(): HttpMiddleware {
    return async (ctx, next) => {
      await this.#endOfTurn();
      await this.#serve('', ALL, ctx.req, next);
    };
  }

  /** Limits the requests of each client. @hidden */
  perClient(clientOf: (ctx: Context) => string): HttpMiddleware {
    return (ctx, next) => this.#serve(`client ${clientOf(ctx)}`, CLIENT, ctx.req, next);
  }

  async #serve(name: string, limit: Limit, request: IncomingMessage, next: () => Promise<void>): Promise<void> {
    const most = this.#delayMs > this.maxDelayMs ? limit.delayed : limit.usual;
    if ((this.#inFlight.get(name) ?? 0) >= most) throw OVERLOADED;
    const enter = () => this.#add(name, 1);
    const waits = request.method === 'POST' && expectsBody(request);
    if (waits) request.once('end', enter);
    else enter();
    try {
      await next();
    } finally {
      if (!waits || request.readableEnded) this.#leaveAtEndOfTurn(name);
      else request.off('end', enter);
    }
  }

  /**
   * Resolves for all requests of one turn of the event loop together. They go on side by side, each step of all before
   * the next step of any, which keeps the code in the processor's caches: 1.5 times the lists and gets a second.
   * Refusals wait, too. Sent at once, they bring the next requests into the same turn, which then does not end: in an
   * experiment 2 % of the capacity was served, in place of 40 %.
   */
  #endOfTurn(): Promise<void> {
    this.#turn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = undefined;
        resolve();
      });
    });
    return this.#turn;
  }

  #leaveAtEndOfTurn(name: string): void {
    if (this.#leaving.push(name) > 1) return;
    setImmediate(() => {
      for (const one of this.#leaving) this.#add(one, -1);
      this.#leaving = [];
    });
  }

  #add(name: string, count: number): void {
    const sum = (this.#inFlight.get(name) ?? 0) + count;
    if (sum === 0) this.#inFlight.delete(name);
    else this.#inFlight.set(name, sum);
  }
}
