import { expect } from 'chai';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { DomainError, newCore, OPERATOR, type Caller, type Operator, type Person } from '../../../application/index.js';
import { signedIn } from '../../support/signed-in.js';
import { ada, bob, reader, writer } from './people.js';
import { FOR_EVERYONE, openMarket, TABLE, type Kind, type Market, type Row, type Who } from './use-cases.js';

/** Neither a caller, nor a person who is signed in, nor the operator. */
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
  'a person without a role': { isSignedIn: true, developerId: 'ada' },
  'a person whose role is unknown': { ...signedIn(ada), role: 'owner' },
  'a person without an id': { isSignedIn: true, role: 'developer' },
  'a person whose id no developer can have': { ...signedIn(ada), developerId: 'Ada Lovelace' },
  'one who is not signed in': { ...signedIn(ada), isSignedIn: false },
  'one whose isSignedIn is a text': { ...signedIn(ada), isSignedIn: 'true' },
};

const ACTORS: Readonly<Record<Kind, Caller | Person | Operator>> = {
  'a key without scopes': { ...ada, scopes: [] },
  'a key that reads': reader,
  'a key that writes': writer,
  'a key with both scopes': ada,
  'a buyer': signedIn(ada, 'buyer'),
  'a developer': signedIn(ada),
  'an operator as a person': signedIn(ada, 'operator'),
  'another developer': signedIn(bob),
  'an operator who is signed in': { isOperator: true, operatorId: bob.developerId },
  OPERATOR,
};

/** Returns the owners that the call told, `done`, the kind of the failure, or `refused` for a TypeError. */
async function outcomeOf({ call }: Row, market: Market, by: unknown): Promise<string> {
  try {
    const told = await call(market, by as Who);
    return typeof told === 'string' ? told : 'done';
  } catch (error) {
    if (error instanceof DomainError) return error.kind;
    if (
      error instanceof TypeError &&
      /^(?:the operator alone|a caller is needed|the \w+ of a caller|a person who is signed in)/.test(error.message)
    )
      return 'refused';
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
    expect(methods.toSorted()).to.deep.equal(Object.keys({ ...TABLE, ...FOR_EVERYONE }).toSorted());
    expect(Object.keys(TABLE).filter((method) => method in FOR_EVERYONE)).to.deep.equal([]);
  });

  for (const [method, row] of Object.entries(TABLE)) {
    for (const actor of Object.keys(ACTORS) as readonly Kind[])
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

    it(`of core.${method} is not widened or narrowed by an isOperator that is false`, async () => {
      for (const actor of ['a key with both scopes', 'a developer'] as const)
        expect(await outcomeOf(row, await openMarket(), { ...ACTORS[actor], isOperator: false })).to.equal(
          row.outcomes[actor],
        );
    });

    it(`of core.${method} is refused to the key and to the session of a suspended developer`, async () => {
      const market = await openMarket();
      await market.accounts.suspend(OPERATOR, 'ada');
      const gone = [await market.verifier.verify(market.keyText), await market.sessions.find(market.sessionToken)];
      for (const by of gone) expect(await outcomeOf(row, market, by)).to.equal('refused');
    });
  }
});
