import { setImmediate } from 'node:timers/promises';

/** The rows that one transaction changes, so that each stays short. */
export const LOT = 500;

/** Repeats a change of at most `LOT` rows until it finds fewer. Other calls come in between. Returns how many it found. */
export async function inLots(change: () => Promise<number>): Promise<number> {
  for (let total = 0; ; await setImmediate()) {
    const changed = await change();
    total += changed;
    if (changed < LOT) return total;
  }
}
