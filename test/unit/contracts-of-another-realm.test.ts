import { expect } from 'chai';
import { runInNewContext } from 'node:vm';
import { InMemoryAuditLog, inMemoryStorage } from '../../adapters/in-memory/index.js';
import { apiKeyRepositoryContract, auditLogContract } from '../contracts/index.js';
import { tamper } from '../contracts/handles.js';

/** Copies dates, lists and objects into values of a realm of its own. */
const copyIntoRealm = runInNewContext(`(function copy(value) {
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.getTime === 'function') return new Date(value.getTime());
  if (typeof value.map === 'function') return Array.from(value, copy);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
})`) as (value: unknown) => unknown;

/** A port whose answers are of another realm, as those of a storage that uses `structuredClone` are under Jest. */
function ofAnotherRealm<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => copyIntoRealm(await member.apply(target, args));
    },
  });
}

describe('a suite over a storage whose answers are of another realm, as they are under Jest', () => {
  apiKeyRepositoryContract(() => {
    const { keys, auditLog } = inMemoryStorage();
    return { keys: ofAnotherRealm(keys), auditLog: ofAnotherRealm(auditLog) };
  });
  auditLogContract(() => ofAnotherRealm(new InMemoryAuditLog()));

  it('a date of another realm is tampered with, to see whether the store keeps it', () => {
    const date = copyIntoRealm(new Date(7)) as Date;
    tamper({ date });
    expect(date.getTime()).to.equal(0);
  });
});
