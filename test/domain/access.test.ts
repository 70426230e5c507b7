import { expect } from 'chai';
import {
  developerOfSubject,
  parseDeveloperId,
  parseScopes,
  requireScope,
  SCOPES,
  type Caller,
} from '../../domain/access.js';
import { brokenBy, failureOf } from './failure.js';

describe('scopes', () => {
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

describe('the id of a developer', () => {
  for (const text of ['ada', 'a', '0', 'ada-lovelace', 'x'.repeat(64)])
    it(`is ${text}`, () => {
      expect(parseDeveloperId(text)).to.equal(text);
    });

  for (const text of ['', 'Ada', 'ada lovelace', 'ada:b', 'oauth:ada', '-ada', 'ada-', 'a--b', 'ada\n', 'x'.repeat(65)])
    it(`is not ${JSON.stringify(text)}`, async () => {
      expect(await brokenBy(() => parseDeveloperId(text))).to.deep.equal(['developer: invalid-format']);
    });

  it('of an issuer is no slug', async () => {
    expect(developerOfSubject('ada')).to.equal('oauth:ada');
    expect(await brokenBy(() => parseDeveloperId(developerOfSubject('ada')))).to.deep.equal([
      'developer: invalid-format',
    ]);
  });
});
