import { expect } from 'chai';
import { STORAGES, type Repositories } from '../../../support/service.js';
import { ROWS } from './rows.js';
import { openRun, runRows } from './run.js';

/** Every value that stands anywhere in what a repository was given. */
function leaves(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [value];
  return Object.entries(value).flatMap(([name, member]) => [...(name.startsWith('$') ? [{ name }] : []), ...leaves(member)]);
}

/** The same repositories, which keep what they are given. */
function listening(repositories: Repositories, given: unknown[]): Repositories {
  const on = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name, object);
        if (typeof member !== 'function') return member;
        return (...values: unknown[]): unknown => {
          given.push(...values);
          return Reflect.apply(member, object, values);
        };
      },
    });
  const { automations, categories, apiKeys } = repositories;
  return { automations: on(automations), categories: on(categories), apiKeys: on(apiKeys), close: () => repositories.close() };
}

describe('What hostile requests make the repositories see', () => {
  for (const [storage, open] of Object.entries(STORAGES))
    it(`is texts, numbers and times, over ${storage}`, async () => {
      const given: unknown[] = [];
      const run = await openRun(listening(open(), given));
      try {
        await runRows(run, ROWS);
      } finally {
        await run.service.close();
      }
      expect(given.length).to.be.greaterThan(500);
      const strange = given.flatMap(leaves).filter((leaf) => !isPlain(leaf));
      expect(strange).to.deep.equal([]);
    });
});

function isPlain(leaf: unknown): boolean {
  return leaf === undefined || leaf instanceof Date || ['string', 'number', 'boolean'].includes(typeof leaf);
}
