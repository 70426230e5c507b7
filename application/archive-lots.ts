import type { ArchivedAutomation, AutomationArchive, ScanQuery } from '../domain/ports.js';

/** Some 5 ms of SQLite. */
const LOT_SIZE = 200;

/** Yields all automations that match, in lots. Between two lots other requests have their turn. */
export async function* archiveLots(
  archive: Pick<AutomationArchive, 'scan'>,
  { after: start, ...query }: Omit<ScanQuery, 'limit'>,
): AsyncGenerator<readonly ArchivedAutomation[]> {
  for (let after = start; ;) {
    const lot = await archive.scan({ ...query, limit: LOT_SIZE, ...(after !== undefined && { after }) });
    if (lot.length > 0) yield lot;
    if (lot.length < LOT_SIZE) return;
    after = lot.at(-1)?.automation.id;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
