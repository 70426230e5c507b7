/** Calls a hook of a host, whose failure ends nobody's work. It may be an async function as well: what it answers is then a promise, which is not waited for. */
export function guarded(hook: () => unknown, onFailure: (error: unknown) => void = () => undefined): void {
  try {
    const answer = hook();
    if (answer instanceof Promise) answer.catch(onFailure);
  } catch (error) {
    onFailure(error);
  }
}
