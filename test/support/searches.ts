import { ScanningSearch } from '../../application/scanning-search.js';
import type { Storage } from '../../domain/ports.js';
import { numbers, storeMany } from '../contracts/offers.js';
import { assertFound, sampleOffer, type SearchedStore } from '../contracts/searches.js';

/** Adds the first automations of the sample. */
export async function fill({ automations }: Pick<Storage, 'automations'>, count: number): Promise<void> {
  await storeMany(automations, numbers(count).map(sampleOffer));
}

/** Asserts that searches of all kinds find what is in the archive. */
export async function assertAsScanned({ search, archive }: SearchedStore & Pick<Storage, 'archive'>): Promise<void> {
  const all = await new ScanningSearch(archive).search({ page: { number: 1, limit: 1_000_000 }, order: 'newest' });
  await assertFound(search, all.items.toReversed());
}
