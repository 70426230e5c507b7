import { expect } from 'chai';
import { holderName, planAdd, type AddContext, type KeyHolder } from '../../../domain/add-plan.js';
import type { Currency } from '../../../domain/currency.js';
import type { NewAutomation } from '../../../domain/ports.js';
import { ADA, at, auditEntry, automation, automationIdOf, BOB, offer, USD } from '../../contracts/offers.js';

const NOTHING: AddContext = { currency: USD, holders: new Map(), takenIds: new Set() };

const EUR = 'EUR' as Currency;

/** A store in which automation 1 holds the key `key` of Ada. */
function heldBy1(fields: Partial<KeyHolder> = {}): AddContext {
  const holder = { automation: automation(1), ...fields };
  return {
    currency: USD,
    holders: new Map([[holderName(ADA, 'key'), holder]]),
    takenIds: new Set([automationIdOf(1)]),
  };
}

const outcomesOf = (offers: readonly NewAutomation[], context = NOTHING) =>
  planAdd(offers, context).outcomes.map(({ outcome }) => outcome);

describe('the plan of an add', () => {
  it('of nothing is nothing', () => {
    expect(planAdd([], NOTHING)).to.deep.equal({ outcomes: [], released: [], inserts: [] });
  });

  it('inserts what is new as it is, in order', () => {
    const offers = [
      offer(3, { key: 'key', until: at(9), hash: 'hash', auditEntry: auditEntry(1) }),
      offer(1),
      offer(2),
    ];
    expect(planAdd(offers, NOTHING)).to.deep.equal({
      outcomes: offers.map(() => ({ outcome: 'stored' })),
      released: [],
      inserts: offers,
    });
  });

  it('refuses a price in another currency than the recorded one, also with a key that was used', () => {
    const inEuro = { price: { ...automation(1).price, currency: EUR } };
    const offers = [offer(2, inEuro), offer(3), offer(4, { ...inEuro, key: 'key' })];
    const { outcomes, inserts } = planAdd(offers, heldBy1());
    const refused = { outcome: 'other-currency', currency: USD };
    expect(outcomes).to.deep.equal([refused, { outcome: 'stored' }, refused]);
    expect(inserts).to.deep.equal([offer(3)]);
  });

  it('where no currency is recorded, takes that of the first price for all', () => {
    const offers = [offer(1, { price: { ...automation(1).price, currency: EUR } }), offer(2)];
    expect(planAdd(offers, { ...NOTHING, currency: undefined }).outcomes).to.deep.equal([
      { outcome: 'stored' },
      { outcome: 'other-currency', currency: EUR },
    ]);
  });

  it('refuses an id that is taken, in the store or earlier in the call', () => {
    const { outcomes, inserts } = planAdd([offer(1), offer(2), offer(2)], heldBy1());
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['conflict', 'stored', 'conflict']);
    expect(inserts).to.deep.equal([offer(2)]);
  });

  it('answers a used key by its holder, with the hash that was stored', () => {
    const revised = automation(1, { title: 'Revised', updatedAt: at(5) });
    const { outcomes, released, inserts } = planAdd(
      [offer(2, { key: 'key', hash: 'other' })],
      heldBy1({ automation: revised, requestHash: 'hash' }),
    );
    expect(outcomes).to.deep.equal([{ outcome: 'earlier', automation: revised, requestHash: 'hash' }]);
    expect([released, inserts]).to.deep.equal([[], []]);
  });

  it('answers a used key also where the id is taken', () => {
    expect(outcomesOf([offer(1, { key: 'key' })], heldBy1())).to.deep.equal(['earlier']);
  });

  it('answers by an offer of the same call', () => {
    const { outcomes, inserts } = planAdd([offer(1, { key: 'key', hash: 'hash' }), offer(2, { key: 'key' })], NOTHING);
    expect(outcomes[1]).to.deep.equal({ outcome: 'earlier', automation: automation(1), requestHash: 'hash' });
    expect(inserts).to.have.length(1);
  });

  it('keeps the keys of developers apart', () => {
    expect(outcomesOf([offer(2, { key: 'key', developerId: BOB })], heldBy1())).to.deep.equal(['stored']);
    expect(holderName(ADA, 'b:k')).not.to.equal(holderName(`${ADA}b` as typeof ADA, ':k'));
  });

  for (const [createdAt, outcome] of [
    [9, 'earlier'],
    [10, 'stored'],
  ] as const)
    it(`passes a key that is good until 10 on at ${createdAt}: ${outcome}`, () => {
      const plan = planAdd(
        [offer(2, { key: 'key', createdAt: at(createdAt) })],
        heldBy1({ idempotencyKeyUntil: at(10) }),
      );
      expect(plan.outcomes[0]?.outcome).to.equal(outcome);
      expect(plan.released).to.deep.equal(outcome === 'stored' ? [automationIdOf(1)] : []);
    });

  it('never passes a key without an end on', () => {
    expect(outcomesOf([offer(2, { key: 'key', createdAt: at(1e12) })], heldBy1())).to.deep.equal(['earlier']);
  });

  it('passes no key on to a conflict', () => {
    const offers = [offer(1, { key: 'key', createdAt: at(10) }), offer(2, { key: 'key', createdAt: at(9) })];
    const { outcomes, released } = planAdd(offers, heldBy1({ idempotencyKeyUntil: at(10) }));
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['conflict', 'earlier']);
    expect(released).to.deep.equal([]);
  });

  it('passes a key on within the call: the last has it, and each keeps its audit entry', () => {
    const offers = [2, 3, 4].map((n) =>
      offer(n, { key: 'key', hash: 'hash', createdAt: at(n), until: at(n + 1), auditEntry: auditEntry(n) }),
    );
    const { outcomes, released, inserts } = planAdd(offers, heldBy1({ idempotencyKeyUntil: at(2) }));
    expect(outcomes).to.deep.equal(offers.map(() => ({ outcome: 'stored' })));
    expect(released).to.deep.equal([automationIdOf(1)]);
    expect(inserts).to.deep.equal([
      offer(2, { createdAt: at(2), auditEntry: auditEntry(2) }),
      offer(3, { createdAt: at(3), auditEntry: auditEntry(3) }),
      offers[2],
    ]);
  });
});
