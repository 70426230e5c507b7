/** The reason of a signal whose time is over. */
export class TimeIsOver extends Error {}

/**
 * Does work that gets a signal. The work ends, whether it listens or not, with the caller's signal or when its time is
 * over. What listens to the caller's signal is released with the work: one signal may serve any number of calls.
 */
export async function limited<Result>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason as Error));
  });
  const end = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new TimeIsOver()), milliseconds);
  signal?.addEventListener('abort', end);
  try {
    return await Promise.race([ended, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Waits. Rejects with the reason of the signal when that ends it. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}
