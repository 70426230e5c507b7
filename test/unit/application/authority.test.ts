import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { DomainError, newCore, OPERATOR } from '../../../application/index.js';
import { ada, bob, reader, writer } from './people.js';
import { ASK_NO_ONE, openMarket, TABLE, type Market, type Row, type Who } from './use-cases.js';

/** Neither a caller nor the operator. */
const NO_ONE: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  'an empty object': {},
  'an account name': 'ada',
  'one who is no operator': { isOperator: false },
  'one whose isOperator is a text': { isOperator: 'true' },
  'an operator by id alone': { operatorId: 'ada' },
  'a caller without scopes': { developerId: 'ada' },
  'a caller whose scopes are a text': { developerId: 'ada', scopes: 'automations:read automations:write' },
  'a caller without an id': { scopes: ['automations:read', 'automations:write'] },
  'a caller whose id no developer can have': { ...ada, developerId: 'Ada Lovelace' },
};

const ACTORS = { reader, writer, other: bob, operator: OPERATOR };

/** Returns the owners that the call told, `done`, the kind of the failure, or `refused` for a TypeError. */
async function outcomeOf({ call }: Row, market: Market, by: unknown): Promise<string> {
  try {
    const told = await call(market, by as Who);
    return typeof told === 'string' ? told : 'done';
  } catch (error) {
    if (error instanceof DomainError) return error.kind;
    if (error instanceof TypeError && /^the (?:operator alone|\w+ of a caller)/.test(error.message)) return 'refused';
    throw error;
  }
}

describe('Authority', () => {
  it('is asked for by every use case of the core, or a reason is written down', () => {
    const methods = Object.entries(newCore(inMemoryStorage())).flatMap(([member, useCases]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(useCases))
        .filter((name) => name !== 'constructor')
        .map((name) => `${member}.${name}`),
    );
    expect(methods.toSorted()).to.deep.equal(Object.keys({ ...TABLE, ...ASK_NO_ONE }).toSorted());
    expect(Object.keys(TABLE).filter((method) => method in ASK_NO_ONE)).to.deep.equal([]);
  });

  for (const [method, row] of Object.entries(TABLE)) {
    for (const actor of Object.keys(ACTORS) as readonly (keyof typeof ACTORS)[])
      it(`of core.${method} for the actor "${actor}": ${row.outcomes[actor]}`, async () => {
        expect(await outcomeOf(row, await openMarket(), ACTORS[actor])).to.equal(row.outcomes[actor]);
      });

    it(`of core.${method} is refused to all that is no actor`, async () => {
      const expected = Object.fromEntries(Object.keys(NO_ONE).map((name) => [name, 'refused']));
      const market = await openMarket();
      const outcomes: Record<string, string> = {};
      for (const [name, by] of Object.entries(NO_ONE)) outcomes[name] = await outcomeOf(row, market, by);
      expect(outcomes).to.deep.equal(expected);
    });

    it(`of core.${method} for a caller who is said to be no operator is that of the caller`, async () => {
      expect(await outcomeOf(row, await openMarket(), { ...writer, isOperator: false })).to.equal(row.outcomes.writer);
    });

    it(`of core.${method} is refused to the key of a suspended developer`, async () => {
      const market = await openMarket();
      await market.accounts.suspend(OPERATOR, 'ada');
      expect(await outcomeOf(row, market, await market.verifier.verify(market.keyText))).to.equal('refused');
    });
  }
});
