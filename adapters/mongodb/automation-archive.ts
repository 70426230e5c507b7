import type { Db, Filter } from 'mongodb';
import type { AutomationId } from '../../domain/automation.js';
import type { ArchivedAutomation, AutomationArchive, ScanQuery } from '../../domain/ports.js';
import { archivedOf, CONTENT, uuid } from './automation-documents.js';
import { READ, READ_ALL, reading } from './commands.js';
import { collectionsOf, type Collections, type AutomationDocument } from './collections.js';

/** Automations in MongoDB, also withdrawn ones, in the order of their numbers. */
export class MongoAutomationArchive implements AutomationArchive {
  readonly #automations: Collections['automations'];

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(db: Db) {
    this.#automations = collectionsOf(db).automations;
  }

  scan(query: ScanQuery): Promise<readonly ArchivedAutomation[]> {
    const { developerId, order, after, limit } = query;
    const isForward = order === 'oldest-first';
    const owner = developerId === undefined ? {} : { developer_id: developerId };
    return reading(async (signal) => {
      const options = { ...READ, projection: { seq: 1 }, signal };
      const known =
        after === undefined ? undefined : await this.#automations.findOne({ _id: uuid(after), ...owner }, options);
      if (known === null) return [];
      const rest = known && { seq: isForward ? { $gt: known.seq } : { $lt: known.seq } };
      const documents = await this.#automations
        .find({ ...owner, ...filterOf(query), ...rest }, { ...READ_ALL, projection: CONTENT, signal })
        .sort({ seq: isForward ? 1 : -1 })
        .limit(limit)
        .toArray();
      return documents.map(archivedOf);
    });
  }

  async findAny(id: AutomationId): Promise<ArchivedAutomation | undefined> {
    const options = { ...READ, projection: CONTENT };
    const document = await reading((signal) => this.#automations.findOne({ _id: uuid(id) }, { ...options, signal }));
    return document === null ? undefined : archivedOf(document);
  }
}

function filterOf({ status }: ScanQuery): Filter<AutomationDocument> {
  if (status === undefined) return {};
  return status === 'on-sale' ? { on_sale: true } : { on_sale: { $exists: false } };
}
