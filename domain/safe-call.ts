/**
 * Calls a hook of a host. A failure of it, also of the promise that it returns, goes to `onFailure`; the promise is not
 * awaited.
 */
export function safeCall(hook: () => unknown, onFailure: (error: unknown) => void = () => undefined): void {
  try {
    const result = hook();
    if (result instanceof Promise) result.catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}
