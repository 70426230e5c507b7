import type { Storage } from '../../../application/index.js';
import { activation, invitation, inviting, ONE_OPERATOR, operator } from '../../contracts/developers.js';
import { apiKey, keyIdOf } from '../../contracts/keys.js';
import {
  ADA,
  at,
  auditEntry,
  automation,
  automationIdOf,
  BOB,
  bulkWithdrawal,
  offer,
  revision,
  withdrawal,
} from '../../contracts/offers.js';

/** What is there before each of the writes. */
export async function storeFirst({ automations, keys, developers }: Storage): Promise<void> {
  await automations.add([offer(2), offer(3)]);
  await keys.add({ key: apiKey(1), entries: [] });
  await operator(developers, ADA, 1);
  await operator(developers, BOB, 2);
  await developers.invite(ADA, inviting(invitation(3), at(0)));
}

/** Writes of one transaction each, by a name. They can be repeated only if they have stored nothing. */
export const WRITES: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  create: ({ automations }) => automations.add([offer(1, { auditEntry: auditEntry(1), key: 'one' })]),
  revision: ({ automations }) => automations.revise(revision(automation(2), { title: 'Other' }, auditEntry(1))),
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
    storage.archive.scan({ order: 'newest-first', limit: 20 }),
    storage.keys.list({ limit: 20 }),
    storage.developers.list({ limit: 20 }),
    storage.auditLog.list({ limit: 20 }),
    storage.check({ repair: false }),
  ]);
}
