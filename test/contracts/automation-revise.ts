import assert from './assert.js';
import type { Automation } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { AutomationRepository, ReviseOutcome } from '../../domain/ports.js';
import {
  addOne,
  assertOnSale,
  at,
  automation,
  automationIdOf,
  EUR,
  GAMES,
  LONGEST_SLUG,
  mixedOffers,
  numbers,
  offer,
  query,
  readWhile,
  revise,
  revision,
  store,
  TOOLS,
  USD,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';
import { minorUnits } from '../../domain/price.js';

type Automations = Suite<AutomationRepository>;

const CHANGES: Readonly<Record<string, Partial<Automation>>> = {
  'the title': { title: 'A new title' },
  'the description': { description: 'A new\n\tdescription.' },
  'the price': { price: { minorUnits: minorUnits(0), currency: USD } },
  'the category': { categoryId: GAMES },
  'the address': { url: 'https://ada.example/new?$x' },
  'the licence, to none': { license: null },
  'address and licence, to none': { url: null, license: null },
  'everything, to the longest and highest': {
    title: '🙂'.repeat(200),
    description: '🙂'.repeat(10_000),
    price: { minorUnits: minorUnits(9_999_999_999), currency: USD },
    categoryId: LONGEST_SLUG as CategoryId,
    url: `https://ada.example/${'🙂'.repeat(480)}`,
    license: '🙂'.repeat(100),
    updatedAt: new Date('9999-12-31T23:59:59.999Z'),
  },
  'nothing but `updatedAt`': {},
};

export function revisePromises(suite: Automations): void {
  change(suite);
  conflict(suite);
  unknown(suite);
  race(suite);
  otherCurrency(suite);
  totals(suite);
}

function otherCurrency({ describe, it }: Automations): void {
  describe(
    'A price in another currency than the recorded one changes nothing and returns `other-currency`, ' +
      'whatever the id',
    () => {
      it('of one on sale and of an unknown one', async (repository) => {
        const [first = automation(0)] = await store(repository, offer(1));
        const inEuro = { price: { minorUnits: minorUnits(1), currency: EUR } };
        for (const current of [first, automation(2)])
          assert.deepEqual(await repository.revise(revision(current, inEuro)), {
            outcome: 'other-currency',
            currency: USD,
          });
        await assertOnSale(repository, [first]);
      });
    },
  );
}

function change({ describe, it }: Automations): void {
  describe(
    'Stores the changed content and `updatedAt` of an automation that is on sale, if its `updatedAt` is still ' +
      '`basedOn`; its place in the order stays',
    () => {
      for (const [what, fields] of Object.entries(CHANGES))
        it(what, async (repository) => {
          const before = offer(2, { url: 'https://ada.example/2', license: 'MIT' });
          const [first, second = automation(0), third] = await store(repository, offer(1), before, offer(3));
          const { automation: revised } = await revise(repository, second, fields);
          await assertOnSale(repository, [first ?? second, revised, third ?? second]);
        });

      it('the oldest, newest and middle one, into another category, whatever their `updatedAt`', async (repository) => {
        const stored = [...(await store(repository, ...mixedOffers(9)))];
        for (const [index, time] of [
          [8, 5],
          [0, 90],
          [4, 1],
        ] as const) {
          const sent = await revise(repository, stored[index] ?? automation(0), {
            categoryId: GAMES,
            updatedAt: at(time),
          });
          stored[index] = sent.automation;
          await assertOnSale(repository, stored);
        }
      });

      it('again and again, each based on the last', async (repository) => {
        let [current = automation(0)] = await store(repository, offer(1), offer(2));
        for (const n of numbers(5)) ({ automation: current } = await revise(repository, current, { title: `No ${n}` }));
        await assertOnSale(repository, [current, automation(2)]);
      });

      it('what is added afterwards stands above', async (repository) => {
        const [one = automation(0)] = await store(repository, offer(1));
        const { automation: revised } = await revise(repository, one, { title: 'Revised', updatedAt: at(50) });
        await assertOnSale(repository, [revised, ...(await store(repository, offer(2)))]);
      });

      it('its id and its idempotency key stay taken', async (repository) => {
        const [one = automation(0)] = await store(repository, offer(1, { key: 'key', until: at(20) }));
        await revise(repository, one, { title: 'Revised', updatedAt: at(50) });
        assert.deepEqual(await addOne(repository, offer(1)), { outcome: 'conflict' });
        assert.equal((await addOne(repository, offer(2, { key: 'key', createdAt: at(19) }))).outcome, 'earlier');
        await store(repository, offer(2, { key: 'key', createdAt: at(20) }));
      });
    },
  );
}

function conflict({ describe, it }: Automations): void {
  describe('Otherwise it changes nothing and returns the stored automation as a `conflict`', () => {
    it('a second revision of one state', async (repository) => {
      const [one = automation(0)] = await store(repository, offer(1), offer(2));
      const { automation: first } = await revise(repository, one, { title: 'First', categoryId: GAMES });
      const answer = await repository.revise(revision(one, { title: 'Second', updatedAt: at(9) }));
      assert.deepEqual(answer, { outcome: 'conflict', automation: first });
      await assertOnSale(repository, [first, automation(2)]);
    });

    it('based on a time a millisecond before and after', async (repository) => {
      const [one = automation(0)] = await store(repository, offer(1));
      for (const basedOn of [at(-1), at(1)]) {
        const answer = await repository.revise({ automation: { ...one, title: 'New', updatedAt: at(5) }, basedOn });
        assert.deepEqual(answer, { outcome: 'conflict', automation: one });
      }
      await assertOnSale(repository, [one]);
    });
  });
}

function unknown({ describe, it }: Automations): void {
  describe('Returns `unknown` for an id that is unknown or withdrawn', () => {
    it('unknown', async (repository) => {
      const stored = await store(repository, offer(1));
      assert.deepEqual(await repository.revise(revision(automation(2), { title: 'New' })), { outcome: 'unknown' });
      await assertOnSale(repository, stored);
    });

    it('withdrawn, also when another state was sent', async (repository) => {
      const [one = automation(0)] = await store(repository, offer(1));
      await repository.withdraw(one.id, withdrawal(5));
      for (const basedOn of [at(0), at(5)]) {
        const answer = await repository.revise({ ...revision(one, { title: 'New' }), basedOn });
        assert.deepEqual(answer, { outcome: 'unknown' });
      }
      await assertOnSale(repository, []);
    });
  });
}

function race({ describe, it }: Automations): void {
  describe('When raced, one call returns `revised`', () => {
    it('30 at once, of one state: the others return that one', async (repository) => {
      const [one = automation(0), ...more] = await store(repository, ...mixedOffers(3));
      const sent = numbers(30).map((n) => revision(one, { title: `No ${n}`, categoryId: n % 2 === 0 ? GAMES : TOOLS }));
      const answers = await Promise.all(sent.map((each) => repository.revise(each)));
      const winner = sent[answers.findIndex(({ outcome }) => outcome === 'revised')]?.automation ?? automation(0);
      assert.equal(countOf('revised', answers), 1);
      for (const answer of answers)
        if (answer.outcome !== 'revised') assert.deepEqual(answer, { outcome: 'conflict', automation: winner });
      await assertOnSale(repository, [winner, ...more]);
    });

    it('20 at once, of 20, while others are added', async (repository) => {
      const stored = await store(repository, ...mixedOffers(20));
      const sent = stored.map((one) => revision(one, { title: 'Revised', categoryId: GAMES }));
      const revising = sent.map((each) => repository.revise(each));
      const added = await store(repository, offer(21), offer(22));
      assert.equal(countOf('revised', await Promise.all(revising)), 20);
      await assertOnSale(repository, [...sent.map((each) => each.automation), ...added]);
    });

    it('20 and as many withdrawals at once: what was withdrawn stays withdrawn', async (repository) => {
      const stored = await store(repository, ...mixedOffers(20));
      const revising = stored.map((one) => repository.revise(revision(one, { categoryId: GAMES })));
      const withdrawn = await Promise.all(stored.map(({ id }) => repository.withdraw(id, withdrawal(9))));
      assert.deepEqual(new Set(withdrawn), new Set(['withdrawn']));
      assert.equal(countOf('conflict', await Promise.all(revising)), 0);
      await assertOnSale(repository, []);
    });
  });
}

function totals({ describe, it }: Automations): void {
  describe('Totals and counts follow a change of category at once', () => {
    it('to a category with others, to a new one, and back', async (repository) => {
      const stored = await store(repository, ...mixedOffers(6));
      let current = stored[2] ?? automation(0);
      for (const categoryId of [GAMES, 'new', TOOLS].map((id) => id as CategoryId)) {
        ({ automation: current } = await revise(repository, current, { categoryId }));
        const onSale = stored.map((one) => (one.id === current.id ? current : one));
        await assertOnSale(repository, onSale);
        const counts = await repository.countByCategory();
        assert.equal(counts.get(categoryId), (await repository.list(query(1, 1, categoryId))).total);
      }
    });

    it('then withdrawn, it leaves the category that it had last', async (repository) => {
      const [one = automation(0), two] = await store(repository, offer(1), offer(2));
      await revise(repository, one, { categoryId: GAMES });
      await repository.withdraw(automationIdOf(1), withdrawal(9));
      await assertOnSale(repository, [two ?? one]);
    });

    it('300 of them, from one category to another', async (repository) => {
      const stored = await store(repository, ...numbers(300).map((n) => offer(n)));
      const sent = stored.map((one) => revision(one, { categoryId: GAMES }));
      for (const each of sent) await repository.revise(each);
      await assertOnSale(
        repository,
        sent.map((each) => each.automation),
        [100],
      );
    });

    it('read while all change in turn: each in one category', async (repository) => {
      const stored = await store(repository, ...numbers(12).map((n) => offer(n)));
      const read = async () => {
        const counts = await repository.countByCategory();
        assert.equal((counts.get(TOOLS) ?? 0) + (counts.get(GAMES) ?? 0), 12);
        const { items, total } = await repository.list(query(1, 100, GAMES));
        assert.equal(items.length, total);
      };
      for (const one of stored) await readWhile(read, revise(repository, one, { categoryId: GAMES }));
    });
  });
}

function countOf(wanted: ReviseOutcome['outcome'], answers: readonly ReviseOutcome[]): number {
  return answers.filter(({ outcome }) => outcome === wanted).length;
}
