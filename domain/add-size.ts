import type { Automation } from './automation.js';
import type { NewAutomation } from './ports.js';

/** The size of one write of automations. That is 12 of the longest texts, whose words take up to 10 ms each. */
export const MAX_ADD_SIZE = 500;

const CHARACTERS_PER_UNIT = 256;

/** Returns the share of an automation in the size of a write: what its texts cost, however short they are. */
export function addSizeOf({ title, description }: Pick<Automation, 'title' | 'description'>): number {
  return 1 + Math.floor((title.length + description.length) / CHARACTERS_PER_UNIT);
}

/** Cuts offers into lists that are each one write, in their order. */
export function inWrites(offers: readonly NewAutomation[]): readonly (readonly NewAutomation[])[] {
  const writes: NewAutomation[][] = [];
  let size = Infinity;
  for (const offer of offers) {
    size += addSizeOf(offer.automation);
    if (size > MAX_ADD_SIZE) {
      writes.push([]);
      size = addSizeOf(offer.automation);
    }
    writes.at(-1)?.push(offer);
  }
  return writes;
}
