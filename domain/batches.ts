interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** In milliseconds: about what clients who were answered together take to ask again. */
const GATHERING = 2;

export interface BatchesOptions<Request> {
  /** What a request counts; 1 by default. */
  readonly sizeOf?: (request: Request) => number;
  /** Waited for before each batch is made up: what is asked for until then goes along. It does not fail. */
  readonly ready?: () => Promise<void>;
  /**
   * Resolves after so many milliseconds. With it a batch waits, for a little while at most, until as many have asked as
   * went together last time; otherwise the first of them would go alone.
   */
  readonly later?: (milliseconds: number) => Promise<void>;
}

/**
 * Does one piece of work at a time; what is asked for meanwhile waits, and goes together as the next one. So a request
 * only ever shares work that starts after it came: nobody is told what was so before they asked.
 */
export class Batches<Request, Answer> {
  readonly #waiting: Waiting<Request, Answer>[] = [];
  #working = false;
  /** How many went together last time. */
  #together = 0;
  #gathered: (() => void) | undefined;

  constructor(
    /** Answers for each request, in the same order. When it fails, it fails for all of them. */
    private readonly work: (requests: readonly Request[]) => Promise<readonly Answer[]>,
    /** How much goes together at most. */
    private readonly most: number,
    private readonly options: BatchesOptions<Request> = {},
  ) {}

  ask(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (!this.#working) void this.#workOff();
      else if (this.#waiting.length === this.#together) this.#gathered?.();
    });
  }

  async #workOff(): Promise<void> {
    const { later, ready } = this.options;
    this.#working = true;
    while (this.#waiting.length > 0) {
      if (later !== undefined && this.#waiting.length < this.#together) await this.#gather(later);
      if (ready !== undefined) await ready();
      const batch = this.#next();
      this.#together = batch.length;
      await this.#workOn(batch);
    }
    this.#working = false;
  }

  async #gather(later: (milliseconds: number) => Promise<void>): Promise<void> {
    const gathered = new Promise<void>((resolve) => (this.#gathered = resolve));
    await Promise.race([gathered, later(GATHERING)]);
  }

  #next(): readonly Waiting<Request, Answer>[] {
    const { sizeOf = () => 1 } = this.options;
    let size = 0;
    const tooMany = this.#waiting.findIndex(({ request }, index) => (size += sizeOf(request)) > this.most && index > 0);
    return this.#waiting.splice(0, tooMany < 0 ? this.#waiting.length : tooMany);
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

/**
 * Batches of lists that go together as one list, of so many parts at most. Each list gets the answers to its own parts.
 */
export function batchesOfLists<Part, Answer>(
  work: (parts: readonly Part[]) => Promise<readonly Answer[]>,
  most: number,
  options: Omit<BatchesOptions<readonly Part[]>, 'sizeOf'> = {},
): Batches<readonly Part[], readonly Answer[]> {
  const together = async (lists: readonly (readonly Part[])[]) => dealtOut(await work(lists.flat()), lists);
  return new Batches(together, most, { ...options, sizeOf: ({ length }) => length });
}

function dealtOut<Answer>(
  answers: readonly Answer[],
  lists: readonly (readonly unknown[])[],
): readonly (readonly Answer[])[] {
  let start = 0;
  return lists.map(({ length }) => answers.slice(start, (start += length)));
}
