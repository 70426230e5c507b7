import type { Automation, Storage } from '../../../application/index.js';
import { activation, invitation, inviting, ONE_OPERATOR, operator } from '../../contracts/developers.js';
import { apiKey, keyIdOf } from '../../contracts/keys.js';
import {
  ADA,
  at,
  auditEntry,
  automationIdOf,
  BOB,
  bulkWithdrawal,
  fileOf,
  numbers,
  offer,
  offerWithFile,
  revision,
  withdrawal,
} from '../../contracts/offers.js';

/** Bytes of files, each of another length. */
const FILES = numbers(3).map((length) => new Uint8Array(length));
const [FIRST = new Uint8Array(), SECOND = FIRST, THIRD = FIRST] = FILES;
const GIVEN = offerWithFile(2, FIRST);

function otherFile(current: Automation) {
  const change = revision(current, { title: 'Other', file: fileOf(SECOND) }, auditEntry(1));
  return { ...change, fileContent: SECOND };
}

/** What is there before each of the writes. */
export async function storeFirst({ automations, keys, developers }: Storage): Promise<void> {
  await automations.add([GIVEN, offer(3)]);
  await keys.add({ key: apiKey(1), entries: [] });
  await operator(developers, ADA, 1);
  await operator(developers, BOB, 2);
  await developers.invite(ADA, inviting(invitation(3), at(0)));
}

/** Writes of one transaction each, by a name. They can be repeated only if they have stored nothing. */
export const WRITES: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  create: ({ automations }) => automations.add([offerWithFile(1, THIRD, { auditEntry: auditEntry(1), key: 'one' })]),
  revision: ({ automations }) => automations.revise(otherFile(GIVEN.automation)),
  withdrawal: ({ automations }) =>
    automations.withdraw(automationIdOf(2), withdrawal(1, { auditEntry: auditEntry(1) })),
  'withdrawal of all': ({ automations }) => automations.withdrawAll(bulkWithdrawal(2)),
  'rotation of a key': ({ keys }) => keys.replace(keyIdOf(1), { successor: apiKey(2), until: at(1), entries: [] }),
  'use of an invitation': ({ developers }) => developers.activate(invitation(3).hash, activation('ada')),
  suspension: ({ developers }) => developers.suspend(BOB, { at: at(1), ...ONE_OPERATOR }),
};

/** Returns everything that the store has. */
export async function everythingIn(storage: Storage): Promise<unknown> {
  return Promise.all([
    storage.automations.list({ page: { number: 1, limit: 20 } }).then(({ items, total }) => ({ items, total })),
    storage.automations.countByCategory(),
    Promise.all(numbers(3).map((n) => storage.automations.readFile(automationIdOf(n)))),
    storage.archive.scan({ order: 'newest-first', limit: 20 }),
    storage.keys.list({ limit: 20 }),
    storage.developers.list({ limit: 20 }),
    storage.auditLog.list({ limit: 20 }),
    storage.check({ repair: false }),
  ]);
}
