/** The place of a task among those that wait. */
export interface QueuePlace {
  /** One of those who share the queue; tasks without one are of one client. */
  readonly client?: string | undefined;
  /** Tasks of a lower rank come first. Default: 0. */
  readonly rank?: number | undefined;
  /** Tasks with the same key have the same result: when one starts, those that wait share it. Default: none. */
  readonly key?: string | undefined;
}

/** The bounds of a queue. */
export interface QueueLimits {
  /** The number of tasks that run at the same time. */
  readonly atOnce: number;
  /** The number of tasks that may wait. Default: any. */
  readonly maxWaiting?: number | undefined;
  /** Default: any time. */
  readonly maxWaitMs?: number | undefined;
  /** Returns the error for a task that finds no place, or waits too long. */
  readonly refusal?: (() => Error) | undefined;
}

interface Waiting {
  readonly client: string;
  readonly rank: number;
  readonly key: string | undefined;
  readonly task: () => Promise<unknown>;
  readonly resolve: (result: Promise<unknown>) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout | undefined;
}

/** The clients whose last turn is known. All others were served longer ago than these. */
const MAX_SERVED = 1_000;

/**
 * Runs a limited number of tasks at the same time. Of the others, those with the lowest rank come first, and of these
 * the client that was served longest ago: none waits for all tasks of another, and one alone may use everything. When
 * too many wait, the highest rank loses a task, and within it the client with the most tasks its latest one.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  /** When clients were served last, in this order. */
  readonly #servedAt = new Map<string, number>();
  #running = 0;
  #starts = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Runs a task in its turn, and returns its result, or that of an equal task. */
  run<Result>(task: () => Promise<Result>, { client = '', rank = 0, key }: QueuePlace = {}): Promise<Result> {
    const { atOnce, maxWaiting = Infinity, maxWaitMs } = this.#limits;
    if (this.#running < atOnce) return this.#start(task, client);
    return new Promise((resolve, reject) => {
      const timer = maxWaitMs === undefined ? undefined : setTimeout(() => this.#refuse(waiting), maxWaitMs);
      const settle = resolve as Waiting['resolve'];
      const waiting: Waiting = { client, rank, key, task, resolve: settle, reject, timer };
      this.#waiting.add(waiting);
      if (this.#waiting.size > maxWaiting) this.#refuse(this.#last());
    });
  }

  async #start<Result>(task: () => Promise<Result>, client: string): Promise<Result> {
    this.#running += 1;
    this.#noteServed(client);
    try {
      return await task();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  #startNext(): void {
    const next = this.#next();
    if (next === undefined) return;
    const result = this.#start(next.task, next.client);
    for (const one of this.#waiting) if (one === next || isEqual(one, next)) this.#leave(one).resolve(result);
  }

  #next(): Waiting | undefined {
    let first: Waiting | undefined;
    for (const one of this.#waiting) if (first === undefined || this.#isBefore(one, first)) first = one;
    return first;
  }

  #isBefore(one: Waiting, other: Waiting): boolean {
    const servedAt = ({ client }: Waiting) => this.#servedAt.get(client) ?? 0;
    return one.rank < other.rank || (one.rank === other.rank && servedAt(one) < servedAt(other));
  }

  /** Returns the task that has to go when there is one too many. */
  #last(): Waiting {
    const counts = new Map<string, number>();
    for (const { client } of this.#waiting) counts.set(client, (counts.get(client) ?? 0) + 1);
    const countOf = ({ client }: Waiting) => counts.get(client) ?? 0;
    return Array.from(this.#waiting).reduce((last, one) => {
      const isLater = one.rank === last.rank ? countOf(one) >= countOf(last) : one.rank > last.rank;
      return isLater ? one : last;
    });
  }

  #refuse(waiting: Waiting): void {
    this.#leave(waiting).reject(this.#limits.refusal?.() ?? new Error('the queue is full'));
  }

  #leave(waiting: Waiting): Waiting {
    this.#waiting.delete(waiting);
    clearTimeout(waiting.timer);
    return waiting;
  }

  #noteServed(client: string): void {
    this.#servedAt.delete(client);
    this.#servedAt.set(client, (this.#starts += 1));
    const [oldest = ''] = this.#servedAt.keys();
    if (this.#servedAt.size > MAX_SERVED) this.#servedAt.delete(oldest);
  }
}

function isEqual(one: Waiting, other: Waiting): boolean {
  return one.key !== undefined && one.key === other.key;
}
