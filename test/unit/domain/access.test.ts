import { expect } from 'chai';
import {
  callerOf,
  parseDeveloperId,
  requireCaller,
  requireOperator,
  requirePerson,
  requireScope,
  type Caller,
  type Operator,
  type Person,
} from '../../../domain/access.js';
import { parseScopes, SCOPES } from '../../../domain/scope.js';
import { brokenBy, failureOf } from './failure.js';

describe('the scopes of a key', () => {
  it('are two', () => {
    expect(SCOPES).to.deep.equal(['automations:read', 'automations:write']);
  });

  it('are told in one order, each once', () => {
    expect(parseScopes(['automations:write', 'automations:read', 'automations:write'])).to.deep.equal(SCOPES);
    expect(parseScopes(['automations:write'])).to.deep.equal(['automations:write']);
    expect(parseScopes(['automations:read'])).to.be.frozen;
  });

  for (const values of [
    [],
    [''],
    ['read'],
    ['automations:read', 'automations:delete'],
    ['Automations:read'],
    ['automations:read automations:write'],
  ])
    it(`are not ${JSON.stringify(values)}`, async () => {
      expect(await brokenBy(() => parseScopes(values))).to.deep.equal(['scopes: unknown-value']);
    });

  it('that are missing are named', async () => {
    const reader: Caller = { developerId: parseDeveloperId('ada'), scopes: ['automations:read'] };
    requireScope(reader, 'automations:read');
    const { kind, code } = await failureOf(() => requireScope(reader, 'automations:write'));
    expect([kind, code]).to.deep.equal(['forbidden', 'automations:write']);
  });
});

describe('the kinds of actors', () => {
  it('are told apart by the compiler', () => {
    type Is<One, Other> = One extends Other ? true : false;
    const none: readonly [Is<Caller, Person>, Is<Person, Caller>, Is<Caller, Operator>, Is<Person, Operator>] = [
      false,
      false,
      false,
      false,
    ];
    expect(none).not.to.include(true);
  });

  it('are told apart when the program runs: a caller is no person, and a person no caller', () => {
    const caller: Caller = { developerId: parseDeveloperId('ada'), scopes: SCOPES };
    const person: Person = { isSignedIn: true, developerId: parseDeveloperId('ada'), role: 'operator' };
    expect(() => requirePerson(caller as unknown as Person)).to.throw(TypeError, 'not a key or a token');
    expect(() => requireCaller(person as unknown as Caller)).to.throw(TypeError, 'not a person; pass callerOf(person)');
    for (const by of [caller, person]) expect(() => requireOperator(by as unknown as Operator)).to.throw(TypeError);
  });

  it('meet where a person reads the market, with every scope of their role', () => {
    const person = {
      isSignedIn: true,
      developerId: parseDeveloperId('ada'),
      origin: { address: '192.0.2.1' },
    } as const;
    const { developerId, origin } = person;
    for (const role of ['developer', 'operator'] as const)
      expect(callerOf({ ...person, role })).to.deep.equal({
        developerId,
        origin,
        scopes: SCOPES,
        role,
        actor: { ...person, role },
      });
    expect(callerOf({ ...person, role: 'buyer' }).scopes).to.deep.equal(['automations:read']);
    expect(() => callerOf({ developerId, scopes: SCOPES } as unknown as Person)).to.throw(TypeError);
  });
});

describe('the id of a developer', () => {
  for (const text of ['ada', 'a', '0', 'ada-lovelace', 'x'.repeat(64)])
    it(`is ${text}`, () => {
      expect(parseDeveloperId(text)).to.equal(text);
    });

  for (const text of ['', 'Ada', 'ada lovelace', 'ada:b', 'oauth:ada', '-ada', 'ada-', 'a--b', 'ada\n', 'x'.repeat(65)])
    it(`is not ${JSON.stringify(text)}`, async () => {
      expect(await brokenBy(() => parseDeveloperId(text))).to.deep.equal(['developer: invalid-format']);
    });
});
