/** What a contract needs of a test runner; mocha, vitest and `node:test` have it. */
export interface Runner {
  /** Declares a suite, and runs what declares its tests at once. */
  readonly describe: (title: string, suite: () => void) => unknown;
  /** Declares a test, which failed when its promise rejects. */
  readonly it: (title: string, test: () => Promise<void>) => unknown;
}

/** The runner whose `describe` and `it` are global, as those of mocha are. @throws TypeError where there are none. */
export function globalRunner(): Runner {
  const { describe, it } = globalThis as Partial<Runner>;
  if (typeof describe === 'function' && typeof it === 'function') return { describe, it };
  throw new TypeError(
    'a contract suite needs describe and it of a test runner: run it by one that has them global, such as mocha, ' +
      'or hand them in as { describe, it }',
  );
}

/** Has something done when the test has ended, whether it passed or not; what came last is done first. */
export type OnEnd = (teardown: () => unknown) => void;

/** Makes a new and empty subject of one test. What it opens it closes by `onEnd`. */
export type Fresh<Subject> = (onEnd: OnEnd) => Subject | Promise<Subject>;

/** A runner whose cases are each handed a fresh subject. */
export interface Suite<Subject> {
  readonly describe: (title: string, suite: () => void) => void;
  readonly it: (title: string, test: (subject: Subject) => Promise<void>) => void;
}

/** Thrown for what the storage does not support, in place of a test. */
export class LeftOut extends Error {}

const printed = new Set<string>();

/** Prints once what was left out, and has mocha count the test as pending. */
function leaveOut({ message }: LeftOut, context: { readonly skip?: () => void } | undefined): void {
  if (!printed.has(message)) console.warn(`Left out: ${message}`);
  printed.add(message);
  context?.skip?.();
}

export function suiteOver<Subject>(fresh: Fresh<Subject>, runner: Runner): Suite<Subject> {
  async function run(this: unknown, test: (subject: Subject) => Promise<void>): Promise<void> {
    const teardowns: (() => unknown)[] = [];
    const end = async () => {
      for (const teardown of teardowns.toReversed()) await teardown();
    };
    try {
      await test(await fresh((teardown) => void teardowns.push(teardown)));
    } catch (error) {
      // The failure of the test says more than one of what comes after it.
      await end().catch(() => undefined);
      if (!(error instanceof LeftOut)) throw error;
      leaveOut(error, this as { readonly skip?: () => void } | undefined);
      return;
    }
    await end();
  }
  return {
    describe: (title, suite) => void runner.describe(title, suite),
    it: (title, test) =>
      void runner.it(title, function (this: unknown) {
        return run.call(this, test);
      }),
  };
}
