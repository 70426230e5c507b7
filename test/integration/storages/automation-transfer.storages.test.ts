import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import {
  AuditTrail,
  AutomationTransfer,
  DomainError,
  Marketplace,
  type Automation,
  type AutomationRepository,
  type CategoryId,
  type ImportOutcome,
  type ImportSession,
  type UncheckedAutomation,
} from '../../../application/index.js';
import { decorated } from '../../../adapters/storage/decorated.js';
import { OPERATOR } from '../../../domain/access.js';
import { importKey } from '../../../domain/idempotency.js';
import { inMajorUnits } from '../../../domain/price.js';
import { at, automation, automationIdOf, BOB, numbers, offer, revise, USD } from '../../contracts/offers.js';
import type { Repositories } from '../../support/repositories.js';
import { STORAGES } from '../../support/storages.js';

const GONE = new DomainError('unavailable', 'store-unavailable', 'gone');

/** As another store wrote it down. */
function written({ price, createdAt, updatedAt, ...rest }: Automation): UncheckedAutomation {
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { ...rest, ...times, price: inMajorUnits(price), currency: price.currency };
}

for (const [storage, open] of Object.entries(STORAGES))
  describe(`A transfer of automations, on ${storage}`, () => {
    let repositories: Repositories;
    let transfer: AutomationTransfer;
    beforeEach(async () => {
      repositories = await open();
      await repositories.prepare({ currency: USD });
      await repositories.categories.save([automation(1).categoryId].map((id) => ({ id, name: 'Tools' })));
      transfer = transferWith({});
    });
    afterEach(() => repositories.close());

    /** Returns the transfer into the store, with other methods in front of those of its automations. */
    const transferWith = (methods: Partial<AutomationRepository>): AutomationTransfer => {
      const { automations, archive, categories } = repositories;
      const ports = { automations: decorated(automations, methods), archive };
      return new AutomationTransfer(
        new Marketplace(ports.automations, categories),
        ports,
        new AuditTrail(repositories.auditLog),
      );
    };
    const everything = async (): Promise<readonly Automation[]> => {
      const found: Automation[] = [];
      for await (const part of transfer.everything(OPERATOR)) found.push(...part);
      return found;
    };
    const outcomesOf = async (moved: readonly UncheckedAutomation[]) => {
      const outcomes: ImportOutcome[] = [];
      await transfer.import(OPERATOR, {}, async (session) => outcomes.push(...(await session.importBatch(moved))));
      return outcomes;
    };
    const bringIn = async (...moved: readonly UncheckedAutomation[]): Promise<readonly string[]> => {
      return (await outcomesOf(moved)).map((arrival) =>
        arrival.outcome === 'refused'
          ? `${arrival.error.kind}: ${arrival.error.fields.map(({ field }) => field).join()}`
          : arrival.outcome,
      );
    };

    it('reads everything out, oldest first, over many parts', async () => {
      const count = 2_500;
      const all = numbers(count).map((n) => automation(n));
      expect(await everything()).to.deep.equal([]);
      for (let start = 0; start < count; start += 1_000)
        await repositories.automations.add(all.slice(start, start + 1_000).map((one) => ({ automation: one })));
      const found = await everything();
      expect(found.map(({ id }) => id)).to.deep.equal(all.map(({ id }) => id));
    });

    it('ends, and has each once, also when the last part is full', async () => {
      await repositories.automations.add(numbers(1_000).map((n) => offer(n)));
      expect(new Set((await everything()).map(({ id }) => id)).size).to.equal(1_000);
    });

    it('stores what it is given as it was, in that order, whatever the dates', async () => {
      const moved = numbers(30).map((n) =>
        automation(n, { createdAt: at(-n), updatedAt: at(n), ...(n % 3 === 0 && { developerId: BOB }) }),
      );
      expect(await bringIn(...moved.map(written))).to.deep.equal(moved.map(() => 'stored'));
      expect(await everything()).to.deep.equal(moved);
    });

    it('hands a repository no more at once than it takes', async () => {
      const sizes: number[] = [];
      const { automations } = repositories;
      transfer = transferWith({
        add(offers) {
          sizes.push(offers.length);
          return automations.add(offers);
        },
      });
      const moved = numbers(1_001).map((n) => written(automation(n)));
      expect(await bringIn(...moved)).to.deep.equal(moved.map(() => 'stored'));
      expect(sizes).to.deep.equal([500, 500, 1]);
    });

    it('stores none twice, of one call or of several', async () => {
      const moved = numbers(5).map((n) => written(automation(n)));
      expect(await bringIn(...moved.slice(0, 3))).to.deep.equal(['stored', 'stored', 'stored']);
      expect(await bringIn(...moved, ...moved.slice(4))).to.deep.equal([
        ...Array<string>(3).fill('already-there'),
        'stored',
        'stored',
        'already-there',
      ]);
      expect(await everything()).to.have.length(5);
    });

    it("refuses an id that is another's, be it there before or in the same call, and stores the others", async () => {
      await bringIn(written(automation(1)));
      const others = [
        { title: 'x' },
        { description: 'x' },
        { price: 7 },
        { developerId: 'bob' },
        { createdAt: at(1).toISOString(), updatedAt: at(1).toISOString() },
      ];
      for (const other of others)
        expect(
          await bringIn({ ...written(automation(1)), ...other }, written(automation(1))),
          JSON.stringify(other),
        ).to.deep.equal(['conflict: id', 'already-there']);
      const [two, three] = [written(automation(2)), written(automation(3))];
      expect(await bringIn(two, { ...two, title: 'x' }, three)).to.deep.equal(['stored', 'conflict: id', 'stored']);
      expect(await everything()).to.deep.equal([1, 2, 3].map((n) => automation(n)));
    });

    it('refuses what was withdrawn here, and says so', async () => {
      await bringIn(...[1, 2].map((n) => written(automation(n))));
      await repositories.automations.withdraw(automationIdOf(1), { by: 'developer', at: at(1) });
      const [arrival] = await outcomesOf([written(automation(1))]);
      expect(arrival?.outcome === 'refused' && arrival.error.fields).to.deep.equal([
        { field: 'id', code: 'taken', detail: 'is that of an automation that was withdrawn from this store' },
      ]);
      expect(await everything()).to.deep.equal([automation(2)]);
    });

    it('refuses what breaks a rule, with every rule, and stores the others in their order', async () => {
      const broken = { ...written(automation(2)), id: 'X', currency: 'EUR', categoryId: 'games', createdAt: 'today' };
      const outcomes = await bringIn(written(automation(1)), broken, {}, written(automation(3)));
      expect(outcomes[1]).to.equal('invalid: id,categoryId,currency,createdAt');
      expect([outcomes[0], outcomes[3]]).to.deep.equal(['stored', 'stored']);
      expect(await everything()).to.deep.equal([automation(1), automation(3)]);
    });

    it('keeps the time of the last revision, and refuses what was revised here since', async () => {
      const [one, two] = [automation(1, { updatedAt: at(7) }), automation(2)];
      expect(await bringIn(written(one), written(two))).to.deep.equal(['stored', 'stored']);
      await revise(repositories.automations, two, { title: 'Revised here' });
      expect(await bringIn(written(one), written(two))).to.deep.equal(['already-there', 'conflict: id']);
      expect((await everything())[0]).to.deep.equal(one);
    });

    it('has an entry for its beginning and its end, with the counts, and none for an automation', async () => {
      const broken = { ...written(automation(2)), id: 'X' };
      const work = async (session: ImportSession) => {
        await session.importBatch([written(automation(1)), written(automation(1)), broken]);
        session.countUnreadable();
      };
      const counts = { stored: 1, present: 1, failed: 2 };
      expect(await transfer.import(OPERATOR, { file: '/srv/a b.jsonl' }, work)).to.deep.equal(counts);
      const entries = await repositories.auditLog.list({ limit: 10 });
      expect(entries.map(({ id: _id, at: _at, ...entry }) => entry)).to.deep.equal([
        { actor: 'operator', action: 'import-finished', counts, file: 'a b.jsonl' },
        { actor: 'operator', action: 'import-started', file: 'a b.jsonl' },
      ]);
    });

    it('stores the drafts of one developer, each once for its key', async () => {
      const outcomes: string[] = [];
      const { title, description, categoryId } = automation(1);
      const draft = { title, description, categoryId, price: 1 };
      await transfer.import(OPERATOR, { developer: 'bob' }, async (session) => {
        const drafts = [draft, draft, { ...draft, title: '' }].map((one) => ({
          draft: one,
          key: importKey('digest', 1),
        }));
        outcomes.push(...(await session.createBatch(drafts)).map(({ outcome }) => outcome));
      });
      expect(outcomes).to.deep.equal(['stored', 'already-there', 'refused']);
      const [entry] = await repositories.auditLog.list({ limit: 10 });
      const counts = { stored: 1, present: 1, failed: 1 };
      expect(entry).to.deep.include({ action: 'import-finished', developerId: BOB, counts });
      expect((await everything()).map(({ developerId }) => developerId)).to.deep.equal([BOB]);
    });

    it('stores the drafts of one developer in their order, however long each of them is checked', async () => {
      const { automations, archive, categories } = repositories;
      let checks = 0;
      const late = decorated(categories, {
        find: async (id) => {
          await setTimeout(10 - ((checks += 1) % 10));
          return categories.find(id);
        },
      });
      const marketplace = new Marketplace(automations, late);
      const importing = new AutomationTransfer(
        marketplace,
        { automations, archive },
        new AuditTrail(repositories.auditLog),
      );
      const { description, categoryId } = automation(1);
      const titles = numbers(700).map((n) => `Automation ${n}`);
      await importing.import(OPERATOR, { developer: 'bob' }, (session) =>
        session.createBatch(
          titles.map((title) => ({ draft: { title, description, categoryId, price: 1 }, key: importKey(title, 1) })),
        ),
      );
      expect((await everything()).map(({ title }) => title)).to.deep.equal(titles);
    });

    it('stores no draft behind one for which the store fails', async () => {
      const { categories } = repositories;
      let isAway = true;
      const marketplace = new Marketplace(
        repositories.automations,
        decorated(categories, { find: (id) => (id === 'away' && isAway ? Promise.reject(GONE) : categories.find(id)) }),
      );
      const importing = new AutomationTransfer(marketplace, repositories, new AuditTrail(repositories.auditLog));
      const { categoryId } = automation(1);
      await categories.save([{ id: 'away' as CategoryId, name: 'Away' }]);
      const drafts = [categoryId, 'away', categoryId].map((id, index) => ({
        draft: { title: `${index}`, description: 'x', categoryId: id, price: 1 },
        key: importKey('digest', index + 1),
      }));
      const outcomes: string[][] = [];
      const run = () =>
        importing.import(OPERATOR, { developer: 'bob' }, async (session) =>
          outcomes.push((await session.createBatch(drafts)).map(({ outcome }) => outcome)),
        );
      await run();
      isAway = false;
      await run();
      expect(outcomes).to.deep.equal([
        ['stored', 'failed'],
        ['already-there', 'stored', 'stored'],
      ]);
      expect((await everything()).map(({ title }) => title)).to.deep.equal(['0', '1', '2']);
    });

    it('stores the first batch where the store fails at the second', async () => {
      const { automations } = repositories;
      let adds = 0;
      transfer = transferWith({
        add: (offers) => ((adds += 1) === 2 ? Promise.reject(new Error('away')) : automations.add(offers)),
      });
      const moved = numbers(501).map((n) => written(automation(n)));
      const importing = bringIn(...moved);
      expect(await importing.catch(String)).to.equal('Error: away');
      expect(await everything()).to.have.length(500);
      expect(await bringIn(...moved.slice(499))).to.deep.equal(['already-there', 'stored']);
    });

    it('takes a file without the times of revisions, and refuses a revision before the creation', async () => {
      const without = { ...written(automation(1)), updatedAt: undefined };
      const early = { ...written(automation(2)), updatedAt: at(-1).toISOString() };
      expect(await bringIn(without, early)).to.deep.equal(['stored', 'invalid: updatedAt']);
      const [stored] = await everything();
      expect(stored?.updatedAt).to.deep.equal(stored?.createdAt);
    });
  });
