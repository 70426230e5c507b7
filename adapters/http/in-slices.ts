/** In milliseconds: for how long something is done before the connections are looked at again. */
export const SLICE = 2;

/** Does later what comes in thousands at once, a little at a time: in between the connections are read. The clock is in milliseconds, from any start. */
export function inSlices(now = () => performance.now()): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  const workOff = (): void => {
    const end = now() + SLICE;
    while (waiting.length > 0 && now() < end) waiting.shift()?.();
    if (waiting.length > 0) setImmediate(workOff);
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(workOff);
  };
}
