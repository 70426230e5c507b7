/** In milliseconds: for how long work is done before Node may read from its connections again. */
export const SLICE = 2;

/** Runs what it is given in order, a slice of time in each turn of the event loop, so that work which comes by the thousand does not keep connections from being read. */
export function inSlices(): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  const workOff = (): void => {
    const end = performance.now() + SLICE;
    while (waiting.length > 0 && performance.now() < end) waiting.shift()?.();
    if (waiting.length > 0) setImmediate(workOff);
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(workOff);
  };
}
