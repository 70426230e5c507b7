import { setTimeout } from 'node:timers/promises';
import { percentile } from '../../../support/percentile.js';
import { Connection } from './connection.js';
import { requestText } from '../../../support/raw.js';

/** This module, for `elsewhere`. */
export const LOADS = import.meta.url;

/** A request that a load sends. */
export interface Asked {
  readonly key: string;
  readonly path: string;
  /** Of a create. */
  readonly body?: string;
  /** What it is answered by, if not by a status below 400. */
  readonly status?: number;
}

/** The services to load, and with what, in turn. */
export interface Target {
  readonly port: number;
  readonly asked: readonly Asked[];
}

/** What came of a load; times are in milliseconds. */
export interface Outcome {
  readonly seconds: number;
  /** Answered as it ought to be, by 429 or 503, and by anything else or not at all. */
  readonly fine: number;
  readonly refused: number;
  readonly failed: number;
  readonly fineP99: number;
  readonly refusedP99: number;
  /** Those for which no connection was free. */
  readonly unsent: number;
  /** The longest that the load itself was late. */
  readonly behind: number;
  readonly firstFailure: string;
}

/** In milliseconds. */
const TICK = 5;
const POOL = 512;

type Open = Target & { perSecond: number; seconds: number; connections?: number };

/** So many clients, each of which asks again as soon as it is answered. */
export async function closedLoop({
  port,
  asked,
  connections,
  seconds,
}: Target & { connections: number; seconds: number }): Promise<Outcome> {
  const tally = new Tally();
  const until = performance.now() + seconds * 1000;
  const requests = new Requests(asked);
  const client = async (): Promise<void> => {
    let connection = new Connection(port);
    while (performance.now() < until) {
      if (!connection.isOpen) connection = new Connection(port);
      const { text, status } = requests.next();
      await tally.measure(connection.ask(text), performance.now(), status);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, client));
  return tally.outcome();
}

/** So many requests a second, whether they are answered or not. How far the load itself is behind counts by itself. */
export async function openLoop({ port, asked, perSecond, seconds, connections = POOL }: Open): Promise<Outcome> {
  const pool = new Pool(port, Math.min(connections, perSecond));
  await pool.opened();
  const tally = new Tally();
  const requests = new Requests(asked);
  const began = performance.now();
  const pending = new Set<Promise<void>>();
  let sent = 0;
  while (performance.now() - began < seconds * 1000) {
    await setTimeout(TICK);
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
    tally.behind = Math.max(tally.behind, ((due - sent) / perSecond) * 1000);
    for (; sent < due; sent += 1) {
      const connection = pool.take();
      if (connection === undefined) tally.unsent += 1;
      else {
        const { text, status } = requests.next();
        const one = tally
          .measure(connection.ask(text), performance.now(), status)
          .then(() => pool.giveBack(connection));
        pending.add(one);
        void one.then(() => pending.delete(one));
      }
    }
  }
  await Promise.race([Promise.all(pending), setTimeout(10_000)]);
  pool.close();
  return tally.outcome();
}

class Requests {
  readonly #all: readonly { readonly text: string; readonly status?: number | undefined }[];
  #sent = 0;

  constructor(asked: readonly Asked[]) {
    this.#all = asked.map(({ status, ...one }) => ({ text: textOf(one), status }));
  }

  next(): { text: string; status?: number | undefined } {
    return this.#all[this.#sent++ % this.#all.length] ?? { text: '' };
  }
}

function textOf({ path, key, body }: Asked): string {
  return requestText(
    body === undefined ? 'GET' : 'POST',
    path,
    key === '' ? {} : { Authorization: `Bearer ${key}` },
    body,
  );
}

/**
 * Connections that are there before they are needed: to open one costs more than to ask for something. They take turns,
 * so that none is closed for being idle.
 */
class Pool {
  readonly #free: Connection[];

  constructor(
    private readonly port: number,
    size: number,
  ) {
    this.#free = Array.from({ length: size }, () => new Connection(port));
  }

  /** Each has asked once: a connection that never asks is soon closed. */
  async opened(): Promise<void> {
    await Promise.all(this.#free.map((connection) => connection.ask(requestText('GET', '/livez', {}))));
  }

  take(): Connection | undefined {
    const free = this.#free.shift();
    return free === undefined || free.isOpen ? free : new Connection(this.port);
  }

  giveBack(connection: Connection): void {
    this.#free.push(connection.isOpen ? connection : new Connection(this.port));
  }

  close(): void {
    for (const connection of this.#free) connection.close();
  }
}

class Tally {
  readonly #began = performance.now();
  readonly #fine: number[] = [];
  readonly #refused: number[] = [];
  #failed = 0;
  #firstFailure = '';
  unsent = 0;
  behind = 0;

  async measure(reply: Promise<{ status: number; body: string }>, from: number, expected?: number): Promise<void> {
    try {
      const { status, body } = await reply;
      const took = performance.now() - from;
      if (status === expected || (status < 400 && expected === undefined)) this.#fine.push(took);
      else if (status === 429 || status === 503) this.#refused.push(took);
      else throw new Error(`${status} ${body}`);
    } catch (error) {
      this.#failed += 1;
      this.#firstFailure ||= String(error);
    }
  }

  outcome(): Outcome {
    return {
      seconds: (performance.now() - this.#began) / 1000,
      fine: this.#fine.length,
      refused: this.#refused.length,
      failed: this.#failed,
      fineP99: percentile(this.#fine, 0.99),
      refusedP99: percentile(this.#refused, 0.99),
      unsent: this.unsent,
      behind: this.behind,
      firstFailure: this.#firstFailure,
    };
  }
}
