interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly since: number;
}

/** About the time after which clients that were answered together ask again. */
const LINGER_MS = 2;

export interface BatchQueueOptions<Request> {
  /** The size of a request; 1 by default. */
  readonly sizeOf?: ((request: Request) => number) | undefined;
  /**
   * Resolves after this number of milliseconds. With it, a batch lingers up to `LINGER_MS` until it has as many
   * requests as the last one; otherwise the first of them would go alone.
   */
  readonly later?: ((milliseconds: number) => Promise<void>) | undefined;
  /** Rejects a request that has waited too long when its batch would begin. Without it, requests wait for any time. */
  readonly waitLimit?: WaitLimit | undefined;
}

/** How long a request waits for the batches before its own. Work on it has not begun when it is rejected. */
export interface WaitLimit {
  readonly maxMs: number;
  /** Milliseconds. */
  readonly now: () => number;
  readonly tooLate: () => Error;
}

/**
 * Works on one batch at a time. Requests that arrive meanwhile wait and form the next batch. So a request only shares
 * work that starts after it arrived, and never gets a result that is older than the request.
 */
export class BatchQueue<Request, Answer> {
  readonly #waiting: Waiting<Request, Answer>[] = [];
  #working = false;
  #lastSize = 0;
  #full: (() => void) | undefined;

  constructor(
    /** Returns one answer for each request, in the same order. When it fails, it fails for all of them. */
    private readonly work: (requests: readonly Request[]) => Promise<readonly Answer[]>,
    private readonly maxSize: number,
    private readonly options: BatchQueueOptions<Request> = {},
  ) {}

  ask(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject, since: this.options.waitLimit?.now() ?? 0 });
      if (!this.#working) void this.#workOff();
      else if (this.#waiting.length === this.#lastSize) this.#full?.();
    });
  }

  async #workOff(): Promise<void> {
    const { later } = this.options;
    this.#working = true;
    while (this.#waiting.length > 0) {
      if (later !== undefined && this.#waiting.length < this.#lastSize) await this.#linger(later);
      this.#rejectLate();
      const batch = this.#next();
      this.#lastSize = batch.length;
      if (batch.length > 0) await this.#workOn(batch);
    }
    this.#working = false;
  }

  async #linger(later: (milliseconds: number) => Promise<void>): Promise<void> {
    const full = new Promise<void>((resolve) => (this.#full = resolve));
    await Promise.race([full, later(LINGER_MS)]);
  }

  #rejectLate(): void {
    const { waitLimit } = this.options;
    if (waitLimit === undefined) return;
    const oldest = waitLimit.now() - waitLimit.maxMs;
    const inTime = this.#waiting.findIndex(({ since }) => since >= oldest);
    const late = this.#waiting.splice(0, inTime < 0 ? this.#waiting.length : inTime);
    for (const { reject } of late) reject(waitLimit.tooLate());
  }

  #next(): readonly Waiting<Request, Answer>[] {
    const { sizeOf = () => 1 } = this.options;
    let size = 0;
    const end = this.#waiting.findIndex(({ request }, index) => (size += sizeOf(request)) > this.maxSize && index > 0);
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #workOn(batch: readonly Waiting<Request, Answer>[]): Promise<void> {
    try {
      const answers = await this.work(batch.map(({ request }) => request));
      batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
