import { expect } from 'chai';
import { Identities } from '../../../application/identities.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { AccountRightsVerifier } from '../../../application/account-rights.js';
import { AuditTrail } from '../../../application/audit-trail.js';
import { DeveloperAccounts } from '../../../application/developer-accounts.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { DeveloperProfiles } from '../../../application/developer-profiles.js';
import { StoredApiKeyVerifier } from '../../../application/stored-api-key-verifier.js';
import { OPERATOR, type DeveloperId } from '../../../domain/access.js';
import { SCOPES } from '../../../domain/scope.js';
import { ROLES } from '../../../domain/role.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { ada, caller } from './people.js';
import { allAccounts } from '../../support/lists.js';
import { signedIn } from '../../support/signed-in.js';

const READ = ['automations:read'];
const ROOT = { isOperator: true, operatorId: 'root' as DeveloperId, origin: { address: '192.0.2.7' } } as const;

function open() {
  const { keys: repository, ...storage } = inMemoryStorage();
  const { developers } = storage;
  const audit = new AuditTrail(storage.auditLog);
  const accounts = new DeveloperAccounts(storage, { audit });
  const keys = new DeveloperKeys(repository, { audit, developers });
  const verifier = new StoredApiKeyVerifier(repository, { developers });
  const profiles = new DeveloperProfiles(developers, { audit });
  const scopesOf = async (text: string) => (await verifier.verify(text))?.scopes;
  const history = async () =>
    (await audit.list(OPERATOR, { limit: 100 })).items.map(
      ({ actor, operatorId, action, developerId, role }) => [actor, operatorId, action, developerId, role] as const,
    );
  return { developers, accounts, keys, profiles, scopesOf, history };
}

describe('the role of a developer', () => {
  it('comes with an invitation, and a later one without a role keeps it', async () => {
    const { accounts } = open();
    for (const role of ROLES) await accounts.invite(OPERATOR, `a-${role}`, { role });
    await accounts.invite(OPERATOR, 'another');
    await accounts.invite(OPERATOR, 'a-buyer');
    await accounts.invite(OPERATOR, 'a-developer', { role: 'operator' });
    expect((await allAccounts(accounts)).map(({ role }) => role)).to.deep.equal([
      ...['buyer', 'operator', 'operator', 'developer'],
    ]);
    expect(await brokenBy(() => accounts.invite(OPERATOR, 'ada', { role: 'root' }))).to.deep.equal([
      'role: unknown-value',
    ]);
    expect(await brokenBy(() => accounts.setRole(OPERATOR, 'ada', 'Buyer'))).to.deep.equal(['role: unknown-value']);
  });

  it('bounds the scopes of new keys, which are those of the role by default', async () => {
    const { accounts, keys } = open();
    await accounts.invite(OPERATOR, 'eve', { role: 'buyer' });
    expect((await keys.issue(OPERATOR, { developer: 'eve' })).key.scopes).to.deep.equal(READ);
    expect((await keys.issue(OPERATOR, { developer: 'eve', scopes: READ })).key.scopes).to.deep.equal(READ);
    for (const scopes of [SCOPES, ['automations:write']])
      expect(await brokenBy(() => keys.issue(OPERATOR, { developer: 'eve', scopes }))).to.deep.equal([
        'scopes: unknown-value',
      ]);
    for (const developer of ['nobody', 'ada']) {
      if (developer === 'ada') await accounts.invite(OPERATOR, 'ada', { role: 'operator' });
      expect((await keys.issue(OPERATOR, { developer })).key.scopes).to.deep.equal(SCOPES);
    }
  });

  it('bounds the keys that there are, and a change back gives them all that they had', async () => {
    const { accounts, keys, scopesOf } = open();
    const both = await keys.issue(OPERATOR, { developer: 'ada' });
    const write = await keys.issue(OPERATOR, { developer: 'ada', scopes: ['automations:write'] });
    await accounts.setRole(OPERATOR, 'ada', 'buyer');
    expect([await scopesOf(both.text), await scopesOf(write.text)]).to.deep.equal([READ, []]);
    const rotated = await keys.rotate(OPERATOR, both.key.id, 1000);
    expect(rotated.key.scopes).to.deep.equal(READ);
    expect((await failureOf(() => keys.rotate(OPERATOR, write.key.id))).code).to.equal('key-has-ended');
    expect((await allAccounts(accounts))[0]).to.include({ id: 'ada', role: 'buyer' });
    await accounts.setRole(OPERATOR, 'ada', 'developer');
    expect([await scopesOf(both.text), await scopesOf(write.text)]).to.deep.equal([SCOPES, ['automations:write']]);
    expect((await allAccounts(accounts))[0]).to.include({ role: 'developer', status: 'no-sign-in' });
  });

  it('bounds the rights of an access token, and a suspension ends them', async () => {
    const { accounts, developers } = open();
    const id = await new Identities(developers).accountOf({ issuer: 'https://id.example', subject: 'ada' });
    const tokens = { verify: async () => ({ ...ada, developerId: id }) };
    const verifier = new AccountRightsVerifier(tokens, developers);
    expect((await verifier.verify('token'))?.scopes).to.deep.equal(SCOPES);
    await accounts.setRole(OPERATOR, id, 'buyer');
    expect((await verifier.verify('token'))?.scopes).to.deep.equal(READ);
    await accounts.suspend(OPERATOR, id);
    expect(await verifier.verify('token')).to.equal(undefined);
    await accounts.restore(OPERATOR, id);
    expect((await verifier.verify('token'))?.scopes).to.deep.equal(READ);
    const nobody = new AccountRightsVerifier({ verify: async () => undefined }, developers);
    expect(await nobody.verify('token')).to.equal(undefined);
  });

  it('is in the audit under the name of the operator who gave it, once', async () => {
    const { accounts, history } = open();
    await accounts.invite(ROOT, 'ada', { role: 'buyer' });
    await accounts.setRole(ROOT, 'ada', 'developer');
    await accounts.setRole(ROOT, 'ada', 'developer');
    await accounts.suspend(ROOT, 'ada');
    await accounts.restore(ROOT, 'ada');
    await accounts.setRole(OPERATOR, 'ada', 'operator');
    expect(await history()).to.deep.equal([
      ['operator', undefined, 'developer-role-changed', 'ada', 'operator'],
      ['operator', 'root', 'developer-restored', 'ada', undefined],
      ['operator', 'root', 'developer-suspended', 'ada', undefined],
      ['operator', 'root', 'developer-role-changed', 'ada', 'developer'],
      ['operator', 'root', 'developer-invited', 'ada', 'buyer'],
    ]);
  });

  it('is not for whom nobody knows', async () => {
    expect((await failureOf(() => open().accounts.setRole(OPERATOR, 'ada', 'buyer'))).code).to.equal(
      'no-such-developer',
    );
  });
});

describe('the profile of a developer', () => {
  it('is theirs to change, and blank fields are none', async () => {
    const { accounts, profiles, history } = open();
    await accounts.invite(OPERATOR, 'ada');
    await profiles.change(signedIn(ada), { publicName: ' Ada Ltd ', website: 'https://ada.example' });
    const shown = { id: 'ada', name: 'Ada Ltd', website: 'https://ada.example' };
    expect(await profiles.show(ada.developerId)).to.deep.equal(shown);
    expect(await accounts.find(OPERATOR, 'ada')).to.include({ publicName: 'Ada Ltd', website: 'https://ada.example' });
    await profiles.change(signedIn(ada), { publicName: ' ', website: '' });
    expect(await profiles.show(ada.developerId)).to.deep.equal({ id: 'ada', name: '@ada' });
    expect((await history())[0]).to.deep.equal(['developer', undefined, 'profile-changed', 'ada', undefined]);
  });

  it('reports every broken rule at once, and changes nothing', async () => {
    const { accounts, profiles } = open();
    await accounts.invite(OPERATOR, 'ada');
    const attempt = () => profiles.change(signedIn(ada), { publicName: '🙂', website: 'http://x' });
    expect(await brokenBy(attempt)).to.deep.equal(['publicName: invalid-text', 'website: invalid-format']);
    expect(await profiles.show(ada.developerId)).to.deep.equal({ id: 'ada', name: '@ada' });
  });

  it('has no name that another developer has, and needs no account', async () => {
    const { accounts, profiles } = open();
    for (const id of ['ada', 'bob']) await accounts.invite(OPERATOR, id);
    await profiles.change(signedIn(ada), { publicName: 'Zoë' });
    const taken = await failureOf(() => profiles.change(signedIn(caller('bob')), { publicName: 'ZOË' }));
    expect([taken.code, taken.fields[0]?.field]).to.deep.equal(['public-name-taken', 'publicName']);
    await profiles.change(signedIn(caller('eve')), { publicName: 'Eva' });
    expect(await profiles.show(caller('eve').developerId)).to.include({ name: 'Eva' });
    expect((await allAccounts(accounts))[2]).to.include({ id: 'eve', status: 'no-sign-in', publicName: 'Eva' });
  });
});
