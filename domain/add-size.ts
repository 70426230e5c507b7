import type { Automation } from './automation.js';

/** The size of one write of automations. That is 12 of the longest texts, whose words take up to 10 ms each. */
export const MAX_ADD_SIZE = 500;

const CHARACTERS_PER_UNIT = 256;

/** Returns the share of an automation in the size of a write: what its texts cost, however short they are. */
export function addSizeOf({ title, description }: Pick<Automation, 'title' | 'description'>): number {
  return 1 + Math.floor((title.length + description.length) / CHARACTERS_PER_UNIT);
}

/** Cuts automations into lists that are each one write, in their order. */
export function inWrites(automations: readonly Automation[]): readonly (readonly Automation[])[] {
  const writes: Automation[][] = [];
  let size = Infinity;
  for (const automation of automations) {
    size += addSizeOf(automation);
    if (size > MAX_ADD_SIZE) {
      writes.push([]);
      size = addSizeOf(automation);
    }
    writes.at(-1)?.push(automation);
  }
  return writes;
}
