import type { Binary, Db, Document } from 'mongodb';
import type { Difference } from '../../domain/ports.js';
import { missingFiles, surplusFiles } from '../storage/file-differences.js';
import { idOf } from './automation-documents.js';
import { AUTOMATION_FILES, AUTOMATIONS, collectionsOf } from './collections.js';
import { READ, untilRead, WRITE } from './commands.js';
import { Snapshot } from './snapshot.js';
import { transaction } from './transactions.js';

const COMPARING = { maxTimeMS: 5 * 60_000 };
/** Automations that have a file. */
const OWNERS = { on_sale: true, file: { $type: 'object' } } as const;

/** Compares the files with the automations at one moment. With `repair` it removes those that belong to none. */
export async function checkFiles(db: Db, repair: boolean): Promise<readonly Difference[]> {
  const { without, left } = await untilRead(async () => {
    const snapshot = new Snapshot(db, COMPARING);
    return {
      without: await snapshot.aggregate<Found>(AUTOMATIONS, [{ $match: OWNERS }, ...withoutPartner(AUTOMATION_FILES)]),
      left: await snapshot.aggregate<Found>(AUTOMATION_FILES, withoutPartner(AUTOMATIONS, OWNERS)),
    };
  });
  if (repair) for (const { _id } of left) await removeSurplus(db, _id);
  return [...missingFiles(without.map(({ _id }) => idOf(_id))), ...surplusFiles(left.length, repair)];
}

interface Found {
  readonly _id: Binary;
}

/** Returns what leaves the ids of the documents for which another collection has none that matches. */
function withoutPartner(from: string, filter: Document = {}): readonly Document[] {
  const pipeline = [{ $match: filter }, { $project: { _id: 1 } }];
  return [
    { $project: { _id: 1 } },
    { $lookup: { from, localField: '_id', foreignField: '_id', pipeline, as: 'partners' } },
    { $match: { partners: [] } },
    { $project: { _id: 1 } },
  ];
}

/** A revision that has brought a file meanwhile keeps it: both write the same document. */
function removeSurplus(db: Db, _id: Binary): Promise<void> {
  const { automations, automationFiles } = collectionsOf(db);
  return transaction(db, async (session) => {
    const owner = await automations.findOne({ _id, ...OWNERS }, { ...READ, projection: { _id: 1 }, session });
    if (owner === null) await automationFiles.deleteOne({ _id }, { ...WRITE, session });
  });
}
