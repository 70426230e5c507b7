import type { Context, HttpMiddleware } from '../context.js';
import { EventLoopDelay, Turns } from './event-loop.js';
import { Problem } from '../problems/problem.js';
import { socketOf } from './socket.js';
import type { Limit, Load, PendingRequest } from './pending-request.js';
import { expectsBody } from './protocol-checks.js';
import { cutOff, cutOffSlowReader, sendInParts } from './slow-readers.js';

const MEBIBYTE = 1024 * 1024;

/**
 * At twice the capacity, a limit of 120 while delayed gives a p99 of 290 ms and serves 59 % of the capacity; 500 give
 * 680 ms and serve 73 %. A probe waits for the same turns of the event loop: 176 ms, and 417 ms.
 */
const ALL: Limit = { requests: 4_000, requestsDelayed: 120, unsentBytes: 64 * MEBIBYTE };
const CLIENT: Limit = { requests: 256, requestsDelayed: 32, unsentBytes: 16 * MEBIBYTE };

const MAX_DELAY_MS = 50;

const OVERLOADED = new Problem(
  'overloaded',
  'The service is receiving more requests than it can handle. Try again later.',
);

/**
 * Refuses requests while too many are in flight, in total and per client, and sooner while the event loop is delayed. A
 * POST is in flight from the last byte of its body, so that a slow sender takes no place; any other request from its
 * headers, as its body is not read. Both are until the end of the turn of the event loop in which they are answered, so
 * that requests of one client that arrive together count together.
 *
 * The bytes of a response count until the last of them has left. Above its own limit a client is refused. Above the
 * limit of all, the responses that have waited longest are cut off, so that slow readers keep no other client out.
 *
 * One can be handed to the API, the panel and the catalogue of a process, which then count together.
 */
export class Overload {
  readonly #loads = new Map<string, Load>();
  /** Requests whose response did not leave within the turn, oldest first. */
  readonly #unsent = new Set<PendingRequest>();
  #leaving: PendingRequest[] = [];
  readonly #turns = new Turns();
  readonly #delay = new EventLoopDelay(() => this.#loads.size === 0);

  /** Above a mean delay of `maxDelayMs`, 50 by default, the event loop counts as delayed. */
  constructor(private readonly maxDelayMs = MAX_DELAY_MS) {}

  /** Requests that are not answered yet. */
  get inFlight(): number {
    return this.#loads.get('')?.inFlight ?? 0;
  }

  /** Bytes of responses that have not left. */
  get unsentBytes(): number {
    return this.#loads.get('')?.unsentBytes ?? 0;
  }

  /** Limits the requests of all clients. @internal */
  forAll(): HttpMiddleware {
    const limitLoad: HttpMiddleware = async (ctx, next) => {
      this.#delay.measure();
      await this.#turns.end();
      const pending: PendingRequest = { req: ctx.req, res: ctx.res, loads: [], inFlight: 0, unsentBytes: 0 };
      this.#enter(pending, '', ALL);
      ctx.state.pending = pending;
      const count = () => countRequest(pending);
      const waits = ctx.method === 'POST' && expectsBody(ctx.req);
      if (waits) ctx.req.once('end', count);
      else count();
      try {
        await next();
        this.#countBody(ctx);
        sendInParts(ctx, pending.unsentBytes);
      } finally {
        if (waits) ctx.req.off('end', count);
        this.#leaveAtEndOfTurn(pending);
      }
    };
    return limitLoad;
  }

  /** Limits the requests of each client, behind `forAll`. @internal */
  perClient(clientOf: (ctx: Context) => string): HttpMiddleware {
    const limitLoadOfClient: HttpMiddleware = (ctx, next) => {
      this.#enter(ctx.state.pending, `client ${clientOf(ctx)}`, CLIENT);
      return next();
    };
    return limitLoadOfClient;
  }

  #enter(pending: PendingRequest, name: string, limit: Limit): void {
    const load = this.#loads.get(name) ?? { name, limit, pending: 0, inFlight: 0, unsentBytes: 0 };
    const isDelayed = this.#delay.meanMs > this.maxDelayMs;
    if (load.inFlight >= (isDelayed ? limit.requestsDelayed : limit.requests)) throw OVERLOADED;
    if ((load.pending += 1) === 1) this.#loads.set(name, load);
    load.inFlight += pending.inFlight;
    pending.loads.push(load);
  }

  /** Counts a body before it is sent. @throws Problem `overloaded` for a read alone. */
  #countBody(ctx: Context): void {
    const { pending } = ctx.state;
    if (ctx.method === 'HEAD') return;
    const bytes = Number(ctx.res.getHeader('Content-Length') ?? 0);
    if (ctx.method === 'GET' && !this.#hasRoom(pending.loads, bytes)) {
      for (const name of ['ETag', 'Link']) ctx.remove(name);
      throw OVERLOADED;
    }
    pending.unsentBytes = bytes;
    for (const load of pending.loads) load.unsentBytes += bytes;
  }

  /** Returns whether these bytes have room; what has waited longest is cut off for them. One response always has. */
  #hasRoom([all, ...ofClient]: readonly Load[], bytes: number): boolean {
    const fits = ({ limit, unsentBytes }: Load) => unsentBytes === 0 || unsentBytes + bytes <= limit.unsentBytes;
    if (all === undefined || !ofClient.every(fits)) return false;
    for (const pending of fits(all) ? [] : this.#unsent) {
      this.#end(pending);
      const socket = socketOf(pending.req);
      if (socket) cutOff(socket);
      if (fits(all)) break;
    }
    return fits(all);
  }

  /** By then most responses have been sent. */
  #leaveAtEndOfTurn(pending: PendingRequest): void {
    if (this.#leaving.push(pending) > 1) return;
    setImmediate(() => {
      for (const one of this.#leaving) this.#leave(one);
      this.#leaving = [];
    });
  }

  #leave(pending: PendingRequest): void {
    const { req, res, loads, inFlight } = pending;
    for (const load of loads) load.inFlight -= inFlight;
    if (res.writableFinished || res.destroyed) {
      this.#end(pending);
      return;
    }
    this.#unsent.add(pending);
    const socket = socketOf(req);
    const endWatch = socket && cutOffSlowReader(socket);
    res.once('close', () => {
      endWatch?.();
      this.#end(pending);
    });
  }

  #end(pending: PendingRequest): void {
    this.#unsent.delete(pending);
    for (const load of pending.loads.splice(0)) {
      load.unsentBytes -= pending.unsentBytes;
      if ((load.pending -= 1) === 0) this.#loads.delete(load.name);
    }
  }
}

function countRequest(pending: PendingRequest): void {
  pending.inFlight = 1;
  for (const load of pending.loads) load.inFlight += 1;
}
