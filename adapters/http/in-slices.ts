/** In milliseconds: for how long something is done before the connections are looked at again. */
export const SLICE = 2;

/** Does later what comes in thousands at once, a little at a time: in between the connections are read. */
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
