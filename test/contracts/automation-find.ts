import assert from './assert.js';
import type { DeveloperId } from '../../domain/access.js';
import type { Automation, AutomationId } from '../../domain/automation.js';
import type { CategoryId } from '../../domain/category.js';
import type { AutomationRepository } from '../../domain/ports.js';
import {
  at,
  auditEntry,
  automation,
  automationIdOf,
  LONGEST_DEVELOPER,
  LONGEST_SLUG,
  offer,
  query,
  store,
  summary,
  USD,
  withdrawal,
} from './offers.js';
import type { Suite } from './runner.js';
import { minorUnits } from '../../domain/price.js';

type Automations = Suite<AutomationRepository>;

const TEXTS: Readonly<Record<string, string>> = {
  'emoji with joiners': '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 1️⃣',
  'composed and decomposed accents, each as it was': 'é e\u0301 Å A\u030A',
  'right-to-left scripts': 'שלום مرحبا ދިވެހި',
  'letters beyond the BMP': '𝕏 𠮷 𐍈 \u{10FFFD}',
  'dollars and dots': '$set $$ROOT {"$ne": null} a.b.$.c',
  HTML: '<script>alert("x")</script> &amp; <b>',
  'quotes, percent signs and backslashes': `' " \` '' ; -- % _ \\ \\0 \\u0041 ?1 :x`,
  'names that objects have': '__proto__ constructor toString',
  'spaces within': 'a  b\u00A0c\u3000d',
};

const OPTIONAL: Readonly<Record<string, Pick<Automation, 'url' | 'license'>>> = {
  both: { url: 'https://ada.example/$x?a=1&b=%20#c', license: 'GPL-3.0-or-later WITH Classpath-exception-2.0' },
  neither: { url: null, license: null },
  'an address alone': { url: 'https://zoë.example:8443/', license: null },
  'a licence alone': { url: null, license: '$license: "free", e\u0301 שלום' },
  'the longest': { url: `https://ada.example/${'🙂'.repeat(480)}`, license: '🙂'.repeat(100) },
};

const PRICES: Readonly<Record<string, number>> = {
  nothing: 0,
  'one cent': 1,
  'seven cents': 7,
  'the highest in cents': 9_999_999_999,
  'the highest in thousandths, such as those of a dinar': 99_999_999_990,
};

const TIMES: Readonly<Record<string, string>> = {
  'a millisecond': '2026-02-28T23:59:59.999Z',
  'a whole second': '2026-02-28T23:59:59.000Z',
  'the start of 1970': '1970-01-01T00:00:00.000Z',
  'before 1970': '1969-12-31T23:59:59.001Z',
  'the end of 9999': '9999-12-31T23:59:59.999Z',
};

export function findPromises({ describe, it }: Automations): void {
  describe('Returns the automation, field for field; undefined when the id is unknown or withdrawn', () => {
    for (const [what, text] of Object.entries(TEXTS))
      it(`texts: ${what}`, (repository) => assertRoundTrip(repository, { title: text, description: text }));

    it('texts: line feeds and tabs', (repository) =>
      assertRoundTrip(repository, { description: 'one\n\n\ttwo\n three' }));

    it('texts: the longest', (repository) =>
      assertRoundTrip(repository, { title: '🙂'.repeat(200), description: '🙂'.repeat(10_000) }));

    for (const [what, texts] of Object.entries(OPTIONAL))
      it(`address and licence: ${what}`, (repository) => assertRoundTrip(repository, texts));

    for (const [what, count] of Object.entries(PRICES))
      it(`prices: ${what}`, (repository) =>
        assertRoundTrip(repository, { price: { minorUnits: minorUnits(count), currency: USD } }));

    for (const [what, time] of Object.entries(TIMES))
      it(`times: ${what}`, (repository) => assertRoundTrip(repository, { createdAt: new Date(time) }));

    it('times: revised in another store', (repository) =>
      assertRoundTrip(repository, { createdAt: new Date(0), updatedAt: new Date('9999-12-31T23:59:59.999Z') }));

    it('a category named as objects name their members', (repository) =>
      assertRoundTrip(repository, { categoryId: 'constructor' as CategoryId }));

    it('a developer with a random id', (repository) =>
      assertRoundTrip(repository, { developerId: 'person-0123456789' as DeveloperId }));

    it('the longest ids of a category and of a developer', (repository) =>
      assertRoundTrip(repository, { categoryId: LONGEST_SLUG as CategoryId, developerId: LONGEST_DEVELOPER }));

    it('each by its own id', async (repository) => {
      const stored = await store(repository, ...[1, 2, 3, 4, 5].map((n) => offer(n)));
      for (const one of stored) assert.deepEqual(await repository.find(one.id), one);
    });

    it('without the idempotency key, the hash and the entry of the audit', async (repository) => {
      await store(repository, offer(1, { key: 'key', until: at(5), hash: 'a'.repeat(64), auditEntry: auditEntry(1) }));
      assert.deepEqual(await repository.find(automationIdOf(1)), automation(1));
    });

    it('unknown, in an empty store and in one that is not', async (repository) => {
      assert.equal(await repository.find(automationIdOf(2)), undefined);
      await store(repository, offer(1));
      assert.equal(await repository.find(automationIdOf(2)), undefined);
      assert.equal(await repository.find(automationIdOf(1).toUpperCase() as AutomationId), undefined);
    });

    it('withdrawn', async (repository) => {
      await store(repository, offer(1), offer(2));
      await repository.withdraw(automationIdOf(1), withdrawal(1));
      assert.equal(await repository.find(automationIdOf(1)), undefined);
      assert.deepEqual(await repository.find(automationIdOf(2)), automation(2));
    });
  });
}

/** Found, listed, and answered as the earlier one. */
async function assertRoundTrip(repository: AutomationRepository, fields: Partial<Automation>): Promise<void> {
  const [stored = automation(0)] = await store(repository, offer(1, { ...fields, key: 'key' }));
  assert.deepEqual(await repository.find(stored.id), stored);
  const { items } = await repository.list(query(1, 1, stored.categoryId));
  assert.deepEqual(items, [summary(stored)]);
  const again = await repository.add([
    offer(2, { ...fields, price: { minorUnits: minorUnits(5), currency: USD }, key: 'key' }),
  ]);
  assert.deepEqual(again, [{ outcome: 'earlier', automation: stored }]);
}
