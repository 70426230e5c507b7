/**
 * Calls a hook of a host. A failure of it, also of the promise that it returns, goes to `onFailure`; the promise is not
 * awaited. It may be a promise of another realm or library.
 */
export function safeCall(hook: () => unknown, onFailure: (error: unknown) => void = () => undefined): void {
  try {
    const result = hook();
    if (isThenable(result)) Promise.resolve(result).catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}

/** Returns whether `await` would wait for this. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}
