import type { NewAutomation } from './ports.js';

/**
 * The size of one write of automations. That is 12 of the longest texts, whose words take up to 10 ms each, or 15 of
 * the largest files.
 */
export const MAX_ADD_SIZE = 500;

const CHARACTERS_PER_UNIT = 256;
const BYTES_PER_UNIT = 32_768;

/** Returns the share of an offer in the size of a write: what its texts and its file cost, however short they are. */
export function addSizeOf({ automation: { title, description }, fileContent }: Offered): number {
  const ofTexts = Math.floor((title.length + description.length) / CHARACTERS_PER_UNIT);
  return 1 + ofTexts + Math.floor((fileContent?.length ?? 0) / BYTES_PER_UNIT);
}

type Offered = Pick<NewAutomation, 'fileContent'> & {
  readonly automation: Pick<NewAutomation['automation'], 'title' | 'description'>;
};

/** Cuts offers into lists that are each one write, in their order. */
export function inWrites(offers: readonly NewAutomation[]): readonly (readonly NewAutomation[])[] {
  const writes: NewAutomation[][] = [];
  let size = Infinity;
  for (const offer of offers) {
    size += addSizeOf(offer);
    if (size > MAX_ADD_SIZE) {
      writes.push([]);
      size = addSizeOf(offer);
    }
    writes.at(-1)?.push(offer);
  }
  return writes;
}
