import type { Db, Filter } from 'mongodb';
import type { AutomationId } from '../../domain/automation.js';
import type { ArchivedAutomation, AutomationArchive, ScanQuery } from '../../domain/ports.js';
import { archivedOf, CONTENT, uuid, type AutomationDocument } from './automation-documents.js';
import { collectionsOf, type Collections } from './collections.js';
import { findAll, findOne } from './commands.js';

/** Automations in MongoDB, also withdrawn ones, in the order of their numbers. */
export class MongoAutomationArchive implements AutomationArchive {
  readonly #automations: Collections['automations'];

  /** Over a database that `prepareMongo` has prepared, by a client of the driver 7, which stays open. */
  constructor(db: Db) {
    this.#automations = collectionsOf(db).automations;
  }

  async scan(query: ScanQuery): Promise<readonly ArchivedAutomation[]> {
    const { developerId, order, after, limit } = query;
    const owner = developerId === undefined ? {} : { developer_id: developerId };
    const last =
      after === undefined
        ? undefined
        : await findOne(this.#automations, { _id: uuid(after), ...owner }, { projection: { seq: 1 } });
    if (last === null) return [];
    const isForward = order === 'oldest-first';
    const rest = last && { seq: isForward ? { $gt: last.seq } : { $lt: last.seq } };
    const options = { projection: CONTENT, sort: { seq: isForward ? 1 : -1 }, limit } as const;
    const found = await findAll(this.#automations, { ...owner, ...filterOf(query), ...rest }, options);
    return found.map(archivedOf);
  }

  async findAny(id: AutomationId): Promise<ArchivedAutomation | undefined> {
    const document = await findOne(this.#automations, { _id: uuid(id) }, { projection: CONTENT });
    return document === null ? undefined : archivedOf(document);
  }
}

function filterOf({ status }: ScanQuery): Filter<AutomationDocument> {
  if (status === undefined) return {};
  return status === 'on-sale' ? { on_sale: true } : { on_sale: { $exists: false } };
}
