import assert from './assert.js';
import { auditPromises } from './archive-audit.js';
import { assertRecorded, type ArchivedStore } from './archives.js';
import { scanPromises } from './archive-scan.js';
import { tamper } from './handles.js';
import {
  at,
  auditEntry,
  automation,
  automationIdOf,
  GAMES,
  offer,
  offerWithFile,
  revise,
  store,
  withdrawal,
} from './offers.js';
import { globalRunner, suiteOver, type Fresh, type Runner, type Suite } from './runner.js';

type Archive = Suite<ArchivedStore>;

const REASONS = [
  undefined,
  '',
  "it's $over 🙂",
  'two\nlines\tand a tab',
  '🙂'.repeat(1_000),
  '$withdrawn_at',
  '__proto__',
];

/** Declares what every `AutomationArchive` promises. Left out is that all parts cost the same, which needs a clock. */
export function automationArchiveContract(fresh: Fresh<ArchivedStore>, runner: Runner = globalRunner()): void {
  const suite = suiteOver(fresh, runner);
  suite.describe('AutomationArchive', () => {
    suite.describe('scan', () => scanPromises(suite));
    suite.describe('findAny', () => findPromises(suite));
    suite.describe('the audit of automations', () => auditPromises(suite));
    handlePromises(suite);
  });
}

function findPromises({ describe, it }: Archive): void {
  const sentence =
    'Returns the automation, also a withdrawn one, with when, why and by whom it was withdrawn; undefined when the ' +
    'id is unknown';
  describe(sentence, () => {
    it('on sale', async ({ automations, archive }) => {
      const [one, two = automation(0)] = await store(automations, offer(1), offer(2, { key: 'key', hash: 'hash' }));
      assert.deepEqual(await archive.findAny(automationIdOf(1)), { automation: one });
      const changes = { title: 'Revised', categoryId: GAMES, url: 'https://ada.example/2', license: null };
      const { automation: revised } = await revise(automations, two, changes);
      assert.deepEqual(await archive.findAny(automationIdOf(2)), { automation: revised });
    });

    it('withdrawn, as it was last, with each reason and without', async ({ automations, archive }) => {
      const stored = await store(automations, ...REASONS.map((_, n) => offer(n)));
      for (const [n, reason] of REASONS.entries()) {
        const { automation: last } = await revise(automations, stored[n] ?? automation(0), { title: `Last ${n}` });
        const by = n % 2 === 0 ? 'developer' : 'operator';
        const withdrawn = { at: at(n), by, ...(reason !== undefined && { reason }) } as const;
        await automations.withdraw(last.id, withdrawn);
        assert.deepEqual(await archive.findAny(last.id), { automation: last, withdrawn });
      }
    });

    it('withdrawn, with what its file was', async ({ automations, archive }) => {
      const [one = automation(0)] = await store(automations, offerWithFile(1, new Uint8Array([1, 2])));
      const withdrawn = withdrawal(1);
      await automations.withdraw(one.id, withdrawn);
      assert.deepEqual(await archive.findAny(one.id), { automation: one, withdrawn });
      assert.equal(one.file?.size, 2);
    });

    it('withdrawn in 1969, 1970 and 9999', async ({ automations, archive }) => {
      const stored = await store(automations, offer(1), offer(2), offer(3));
      for (const [n, time] of [-999, 0, Date.parse('9999-12-31T23:59:59.999Z')].entries()) {
        const one = stored[n] ?? automation(0);
        const withdrawn = { at: new Date(time), by: 'developer' } as const;
        await automations.withdraw(one.id, withdrawn);
        assert.deepEqual(await archive.findAny(one.id), { automation: one, withdrawn });
      }
    });

    it('withdrawn twice: the first time, author and reason', async ({ automations, archive }) => {
      const [one] = await store(automations, offer(1));
      const withdrawn = withdrawal(1, { by: 'operator', reason: 'Reason 1' });
      await automations.withdraw(automationIdOf(1), withdrawn);
      await automations.withdraw(automationIdOf(1), withdrawal(2, { reason: 'Reason 2' }));
      assert.deepEqual(await archive.findAny(automationIdOf(1)), { automation: one, withdrawn });
    });

    it('undefined for an unknown id', async ({ automations, archive }) => {
      assert.equal(await archive.findAny(automationIdOf(1)), undefined);
      await store(automations, offer(1));
      assert.equal(await archive.findAny(automationIdOf(2)), undefined);
    });
  });
}

function handlePromises({ describe, it }: Archive): void {
  describe('Values that go in and come out are copies: changing them changes nothing in the store', () => {
    it('what was found and scanned', async ({ automations, archive }) => {
      await store(automations, offer(1));
      const withdrawn = withdrawal(1, { reason: 'Reason' });
      await automations.withdraw(automationIdOf(1), withdrawn);
      tamper(await archive.findAny(automationIdOf(1)));
      tamper(await archive.scan({ order: 'oldest-first', limit: 1 }));
      assert.deepEqual(await archive.scan({ order: 'oldest-first', limit: 1 }), [
        { automation: automation(1), withdrawn },
      ]);
      assert.deepEqual(await archive.findAny(automationIdOf(1)), { automation: automation(1), withdrawn });
    });

    it('the withdrawal', async ({ automations, archive }) => {
      await store(automations, offer(1));
      const sent = withdrawal(1, { reason: 'Reason' });
      await automations.withdraw(automationIdOf(1), sent);
      tamper(sent);
      assert.deepEqual((await archive.findAny(automationIdOf(1)))?.withdrawn, withdrawal(1, { reason: 'Reason' }));
    });

    it('the entries of the audit', async (subject) => {
      const entry = () => auditEntry(1, { changed: ['title'], subject: automationIdOf(1) });
      const given = entry();
      await store(subject.automations, offer(1, { auditEntry: given }));
      tamper(given);
      await assertRecorded(subject, entry());
    });
  });
}
