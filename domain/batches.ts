interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Does one piece of work at a time; what is asked for meanwhile waits, and goes together as the next one. So a request only ever
 * shares work that starts after it came: nobody is told what was so before they asked.
 */
export class Batches<Request, Answer> {
  readonly #waiting: Waiting<Request, Answer>[] = [];
  #working = false;

  constructor(
    /** Answers for each request, in the same order. When it fails, it fails for all of them. */
    private readonly work: (requests: readonly Request[]) => Promise<readonly Answer[]>,
    /** How much goes together at most. */
    private readonly most: number,
    private readonly sizeOf: (request: Request) => number = () => 1,
    /** Waited for before each batch is made up: what is asked for until then goes along. It does not fail. */
    private readonly ready?: () => Promise<void>,
  ) {}

  ask(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      if (!this.#working) void this.#workOff();
    });
  }

  async #workOff(): Promise<void> {
    this.#working = true;
    while (this.#waiting.length > 0) {
      if (this.ready !== undefined) await this.ready();
      await this.#workOn(this.#next());
    }
    this.#working = false;
  }

  #next(): readonly Waiting<Request, Answer>[] {
    let size = 0;
    const tooMany = this.#waiting.findIndex(({ request }, index) => (size += this.sizeOf(request)) > this.most && index > 0);
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

/** Batches of lists that go together as one list, of so many parts at most. Each list gets the answers to its own parts. */
export function batchesOfLists<Part, Answer>(
  work: (parts: readonly Part[]) => Promise<readonly Answer[]>,
  most: number,
  ready?: () => Promise<void>,
): Batches<readonly Part[], readonly Answer[]> {
  const together = async (lists: readonly (readonly Part[])[]) => dealtOut(await work(lists.flat()), lists);
  return new Batches(together, most, ({ length }) => length, ready);
}

function dealtOut<Answer>(answers: readonly Answer[], lists: readonly (readonly unknown[])[]): readonly (readonly Answer[])[] {
  let start = 0;
  return lists.map(({ length }) => answers.slice(start, (start += length)));
}
