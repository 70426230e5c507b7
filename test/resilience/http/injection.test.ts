import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { withdrawal } from '../../contracts/offers.js';
import type { AutomationId } from '../../../domain/automation.js';
import type { CategoryId } from '../../../domain/category.js';
import { strangeIn } from '../../integration/mongodb/injection.js';
import { Wire } from '../../integration/mongodb/plans.js';
import { openMongo } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';
import { overMemory, overSqlite, wrapped, type Repositories } from '../../support/repositories.js';
import { startService } from '../../support/service.js';
import { ask, offer } from '../../integration/http/hostile/ask.js';
import { fuzz } from '../../integration/http/hostile/fuzz.js';
import { DRAFT } from '../../integration/http/hostile/row.js';
import { ROWS } from '../../integration/http/hostile/rows.js';
import { openRun, runRows } from '../../integration/http/hostile/run.js';

/** Every value that stands anywhere in what a repository was given. */
function leaves(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [value];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name.startsWith('$') ? [{ name }] : []),
    ...leaves(member),
  ]);
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
  return wrapped(repositories, on);
}

describe('What hostile requests make the repositories see', () => {
  for (const [storage, open] of Object.entries({ memory: overMemory, SQLite: () => overSqlite() }))
    it(`is texts, numbers, times and null, over ${storage}`, async () => {
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

describeMongo('What hostile requests make MongoDB see', () => {
  const texts = ['$where', '$$ROOT', '$number', '{"$gt":""}', 'a$b.c', '__proto__', '$category_id'];
  let opened: Awaited<ReturnType<typeof openMongo>>;
  let wire: Wire;
  beforeEach(async () => {
    opened = await openMongo();
    wire = new Wire(opened.db.client);
  });

  const expectNothingStrange = (least: number): void => {
    /** `create` comes from the preparation of the store; its validators are ours. */
    const commands = wire.commands.filter(({ name }) => name !== 'endSessions' && name !== 'create');
    expect(commands.length).to.be.greaterThan(least);
    expect(commands.flatMap(strangeIn)).to.deep.equal([]);
  };

  it('is operators of ours, and values', async () => {
    const run = await openRun(opened);
    try {
      await runRows(
        run,
        ROWS.filter((_, n) => n % 2 === 0),
      );
    } finally {
      await run.service.close();
    }
    expectNothingStrange(500);
  });

  it('is that for requests at random too', async () => {
    await fuzz(30, { repositories: opened });
    expectNothingStrange(100);
  });

  it('is text, also where it looks like operators or expressions, stored or searched', async () => {
    const service = await startService({ repositories: opened });
    const key = await service.key();
    for (const text of texts) {
      const created = await offer(
        service.url,
        key,
        { ...DRAFT, title: text, description: text },
        { 'Idempotency-Key': text.replaceAll('"', '') },
      );
      expect(created.status).to.equal(201);
      const again = await offer(
        service.url,
        key,
        { ...DRAFT, title: text, description: text },
        { 'Idempotency-Key': text.replaceAll('"', '') },
      );
      expect(JSON.parse(again.body)).to.include({ title: text, description: text });
      await ask(`${service.url}/api/automations?category=${encodeURIComponent(text)}`, { key });
      await opened.keys.findByHash(text);
      await opened.automations.list({ page: { number: 1, limit: 5 }, category: text as CategoryId });
      expect(await opened.automations.withdraw(randomUUID() as AutomationId, withdrawal(0, { reason: text }))).to.equal(
        'unknown',
      );
    }
    await service.close();
    expectNothingStrange(40);
  });
});

function isPlain(leaf: unknown): boolean {
  return leaf == null || leaf instanceof Date || ['string', 'number', 'boolean'].includes(typeof leaf);
}
