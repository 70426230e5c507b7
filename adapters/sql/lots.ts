import { setImmediate } from 'node:timers/promises';

/** The rows that one transaction changes, so that each stays short. */
export const LOT = 500;

/** Repeats a change of at most `LOT` rows until it finds fewer. Others come in between. Returns how many in all. */
export async function inLots(change: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let changed = LOT; changed === LOT; total += changed) {
    changed = await change();
    await setImmediate();
  }
  return total;
}
