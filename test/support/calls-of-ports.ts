import assert from 'node:assert';
import type { Storage } from '../../application/index.js';
import { activation, hashOfName, invitation, inviting } from '../contracts/developers.js';
import { apiKey, hashOf, keyIdOf } from '../contracts/keys.js';
import {
  ADA,
  at,
  auditEntry,
  automation,
  automationIdOf,
  offer,
  offerWithFile,
  query,
  revision,
  TOOLS,
} from '../contracts/offers.js';
import { OPTIONAL_FIELDS, record, recordIdOf } from '../contracts/records.js';
import { closing, report } from '../contracts/reports.js';
import { signIn } from '../contracts/sessions.js';

/**
 * A call of each method of a port, with each set of arguments that has a statement of its own, but for those that read
 * all developers: `count`, and a search for a part of a name.
 */
export const CALLS_OF_PORTS: Readonly<Record<string, (storage: Storage) => readonly Promise<unknown>[]>> = {
  automations: ({ automations }) => [
    automations.find(automationIdOf(1)),
    automations.readFile(automationIdOf(1)),
    automations.list(query(1, 10)),
    automations.list(query(1, 10, TOOLS)),
    ...[undefined, TOOLS].flatMap((category) => [
      automations.list({ page: { after: automationIdOf(1), limit: 10 }, category }),
      automations.list({ ...query(1, 10), category, whole: true, countCategories: true }),
    ]),
    automations.countByCategory(),
    automations.add([offer(4, { key: 'key 4' })]),
    automations.add([offerWithFile(6, new Uint8Array([1]))]),
    automations.add([offer(5, { key: 'key 1', createdAt: at(10) })]),
    automations.revise(revision(automation(1), { title: 'New' })),
    automations.revise(revision(automation(1), { title: 'Newer' })),
    automations.withdraw(automationIdOf(2), { by: 'operator', at: at(1) }),
    automations.freeIdempotencyKeys(at(1)),
    automations.withdrawAll({
      developerId: ADA,
      at: at(1),
      by: 'operator',
      entryIds: [auditEntry(1).id],
      auditEntry: auditEntry(1),
    }),
  ],
  archive: ({ archive }) => [
    archive.findAny(automationIdOf(1)),
    ...(['newest-first', 'oldest-first'] as const).flatMap((order) =>
      [undefined, 'on-sale', 'withdrawn'].flatMap((status) =>
        [undefined, ADA].flatMap((developerId) =>
          [undefined, automationIdOf(1)].map((after) =>
            archive.scan({ order, limit: 10, developerId, after, status: status as 'on-sale' | undefined }),
          ),
        ),
      ),
    ),
  ],
  categories: ({ categories }) => [
    categories.list(),
    categories.find(TOOLS),
    categories.save([{ id: TOOLS, name: 'Tools' }]),
    categories.remove(TOOLS),
  ],
  keys: ({ keys }) => [
    keys.add({ key: apiKey(1), entries: [] }),
    keys.add({ key: apiKey(9), max: 10, entries: [] }),
    keys.find(keyIdOf(1)),
    keys.findByHash(hashOf(1)),
    ...[undefined, ADA].flatMap((developerId) =>
      [undefined, keyIdOf(1)].map((before) => keys.list({ limit: 10, developerId, before })),
    ),
    keys.listActive(ADA, at(1)),
    keys.countActive(ADA, at(1)),
    keys.countEnded(ADA, at(1)),
    ...[undefined, keyIdOf(1)].map((before) => keys.listEnded({ developerId: ADA, asOf: at(1), limit: 10, before })),
    keys.replace(keyIdOf(1), { successor: apiKey(2), until: at(1), entries: [] }),
    keys.rename(keyIdOf(1), { name: 'new', entries: [] }),
    keys.revoke(keyIdOf(1), { at: at(1), entries: [] }),
    keys.noteUse(keyIdOf(1), at(1)),
    keys.removeEnded(at(1)),
  ],
  developers: ({ developers }) => [
    developers.register(ADA, { at: at(0), entries: [] }),
    developers.invite(ADA, inviting(invitation(1), at(0))),
    developers.find(ADA),
    developers.findBySignInName('ada'),
    developers.findByInvitation(hashOf(1)),
    developers.findShownAs(ADA),
    developers.identify({ issuer: 'host', subject: 'ada' }, { id: ADA, at: at(0), entries: [] }),
    developers.findByIdentity({ issuer: 'host', subject: 'ada' }),
    developers.listIdentities([ADA]),
    developers.list({ limit: 10 }),
    developers.list({ limit: 10, before: ADA }),
    developers.countOperators(),
    developers.activate(invitation(1).hash, activation('ada')),
    developers.signIn(ADA, signIn(1, { passwordHash: hashOfName('ada') })),
    developers.setProfile(ADA, { profile: { publicName: 'Ada' }, entries: [] }),
    developers.changeSignIn(ADA, { current: 'x', signInName: 'b', passwordHash: 'y', entries: [] }),
    developers.rename(ADA, { signInName: 'c', entries: [] }),
    developers.setRole(ADA, { role: 'operator', keepOneOperator: true, entries: [] }),
    developers.suspend(ADA, { at: at(1), keepOneOperator: true, entries: [] }),
    developers.restore({ id: ADA, entries: [] }),
  ],
  sessions: ({ sessions }) => [
    sessions.findByHash(hashOf(1)),
    sessions.list(ADA),
    sessions.renew(hashOf(1), at(2)),
    sessions.end({ hash: hashOf(1), entries: [] }),
    sessions.endAll({ developerId: ADA, entries: [] }),
    sessions.endExpired(at(1)),
  ],
  auditLog: ({ auditLog }) => [
    auditLog.append([auditEntry(1)]),
    ...[undefined, ADA].flatMap((developerId) =>
      [undefined, auditEntry(1).id].flatMap((before) =>
        [undefined, auditEntry(1).id].map((after) => auditLog.list({ limit: 10, developerId, before, after })),
      ),
    ),
  ],
  reports: ({ reports = assert.fail() }) => [
    reports.add({ report: report(1), entries: [] }),
    reports.add({ report: report(2, { developerId: ADA }), entries: [] }),
    ...[undefined, automationIdOf(1)].map((before) => reports.listReported({ limit: 10, before })),
    ...[undefined, report(2).id].map((before) => reports.list({ automationId: automationIdOf(1), limit: 10, before })),
    reports.isRefused('00'),
    reports.close(automationIdOf(1), closing(1, { refusedFile: '00' })),
    reports.removeClosed(at(1)),
    reports.removeAddresses(at(1)),
  ],
  oauthRecords: ({ oauthRecords: records = assert.fail() }) => [
    records.upsert(record(1, { ...OPTIONAL_FIELDS })),
    records.add({ record: { ...record(2), developerId: ADA }, max: 10, entries: [] }),
    records.replace(record(1, { ...OPTIONAL_FIELDS }), { from: record(1).content, entries: [] }),
    records.find('code', recordIdOf(1)),
    records.findByUid('code', 'uid'),
    records.findByUserCode('code', 'user-code'),
    ...[undefined, ADA].flatMap((developerId) =>
      [undefined, recordIdOf(1)].map((before) => records.list({ kind: 'code', developerId, before, limit: 10 })),
    ),
    records.count('code', ADA),
    records.consume('code', recordIdOf(1), at(1)),
    records.destroy({ kind: 'code', id: recordIdOf(1), entries: [] }),
    records.revokeByGrantId('grant'),
    records.revokeByClientId({ clientId: 'client', entries: [] }),
    records.removeExpired(at(1)),
  ],
};
