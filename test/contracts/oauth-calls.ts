import type { OAuthRecords, OwnedRecord } from '../../domain/ports.js';
import { ADA, at } from './offers.js';
import { record, recordIdOf } from './records.js';

type Calls<Name extends string> = Readonly<Record<Name, (records: OAuthRecords) => Promise<unknown>>>;

const READS = {
  find: (records) => records.find('app', recordIdOf(1)),
  findByUid: (records) => records.findByUid('app', 'uid'),
  findByUserCode: (records) => records.findByUserCode('app', 'user-code'),
  list: (records) => records.list({ kind: 'app', limit: 10 }),
  count: (records) => records.count('app', ADA),
} satisfies Partial<Calls<keyof OAuthRecords>>;

/** One call of each method that writes. All but `upsert` change nothing in a new store. */
export const RECORD_WRITES: Calls<Exclude<keyof OAuthRecords, keyof typeof READS>> = {
  upsert: (records) => records.upsert(record(1)),
  add: (records) => records.add({ record: record(2, { developerId: ADA }) as OwnedRecord, max: 0, entries: [] }),
  replace: (records) => records.replace(record(2), { from: record(2).content, entries: [] }),
  consume: (records) => records.consume('app', recordIdOf(2), at(1)),
  destroy: (records) => records.destroy({ kind: 'app', id: recordIdOf(2), entries: [] }),
  revokeByGrantId: (records) => records.revokeByGrantId('grant'),
  revokeByClientId: (records) => records.revokeByClientId({ clientId: 'client', entries: [] }),
  removeExpired: (records) => records.removeExpired(at(1)),
};

/** One call of each method. */
export const RECORD_CALLS: Calls<keyof OAuthRecords> = { ...READS, ...RECORD_WRITES };
