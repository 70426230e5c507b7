import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { cachedDevelopers } from '../../../adapters/storage/index.js';
import { DeveloperAccounts, type SuspendOptions } from '../../../application/developer-accounts.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { StoredApiKeyVerifier } from '../../../application/stored-api-key-verifier.js';
import { newPage } from '../../../domain/page.js';
import { automationIdOf, BOB, numbers, offer, store } from '../../contracts/offers.js';
import { replacing } from '../../support/service/spy.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { HOME, openAccounts, PASSWORD, welcome, type Accounts } from './accounts.js';
import { DAY, NOON } from './people.js';
import { OPERATOR, parseDeveloperId, type DeveloperId, type Operator } from '../../../domain/access.js';
import type { DomainError } from '../../../domain/errors.js';
import { allDevelopers, ANY_OPERATOR } from '../../contracts/developers.js';
import { allAccounts } from '../../support/lists.js';

/** An operator who is signed in. */
const OLGA: Operator = { isOperator: true, operatorId: parseDeveloperId('olga') };

const keysOf = ({ keys, clock, developers }: Accounts) => new DeveloperKeys(keys, { now: clock.now, developers });
const kindOf = async (attempt: () => unknown) => (await failureOf(attempt)).kind;

describe('inviting a developer', () => {
  it('tells a token once, good for 24 hours, and keeps its hash', async () => {
    const { accounts, developers } = openAccounts();
    const { token, until } = await accounts.invite(OPERATOR, 'ada');
    expect(token).to.match(/^[A-Za-z0-9_-]{32}$/);
    expect(until).to.deep.equal(new Date(NOON + DAY));
    const [ada] = await allDevelopers(developers);
    expect(ada?.invitation?.hash).to.equal(createHash('sha256').update(token).digest('hex'));
    expect(await allAccounts(accounts)).to.deep.equal([
      { id: 'ada', role: 'developer', status: 'invited', addedAt: new Date(NOON), invitedUntil: until },
    ]);
  });

  it('lists the accounts page by page, the latest first', async () => {
    const { accounts } = openAccounts();
    for (const n of numbers(5)) await accounts.invite(OPERATOR, `dev-${n}`);
    const first = await accounts.list(OPERATOR, { limit: 3 });
    const second = await accounts.list(OPERATOR, { limit: 3, before: first.next });
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(ids).to.deep.equal([5, 4, 3, 2, 1].map((n) => `dev-${n}`));
    expect([first.next, second.next]).to.deep.equal(['dev-3', undefined]);
    expect(await accounts.list(OPERATOR, { before: 'No Id' })).to.deep.equal({ items: [] });
    expect((await accounts.list(OPERATOR, { text: 'V-4' })).items.map(({ id }) => id)).to.deep.equal(['dev-4']);
    expect([await accounts.count(OPERATOR), await accounts.count(OPERATOR, 'V-4')]).to.deep.equal([5, 1]);
  });

  it('makes the earlier link good no more', async () => {
    const { accounts, sessions } = openAccounts();
    const [first, second] = [await accounts.invite(OPERATOR, 'ada'), await accounts.invite(OPERATOR, 'ada')];
    expect(first.token).not.to.equal(second.token);
    expect(await sessions.readInvitation(first.token)).to.equal(undefined);
    expect(await sessions.readInvitation(second.token)).to.include({ id: 'ada', status: 'invited' });
  });

  it('fails as invalid for what is no slug', async () => {
    expect(await brokenBy(() => openAccounts().accounts.invite(OPERATOR, 'Ada'))).to.deep.equal([
      'developer: invalid-format',
    ]);
  });
});

describe('accepting an invitation', () => {
  it('signs in, once', async () => {
    const open = openAccounts();
    const { token } = await open.accounts.invite(OPERATOR, 'ada');
    const { developer, token: session } = await open.sessions.accept(
      token,
      { name: ' Ada ', password: PASSWORD },
      HOME,
    );
    expect(developer).to.deep.equal({
      id: 'ada',
      role: 'developer',
      status: 'active',
      signInName: 'Ada',
      addedAt: new Date(NOON),
      activeSince: new Date(NOON),
    });
    expect(await open.sessions.find(session)).to.deep.equal(developer);
    expect(await open.sessions.readInvitation(token)).to.equal(undefined);
    expect(await kindOf(() => open.sessions.accept(token, { name: 'Eve', password: PASSWORD }))).to.equal('not-found');
    expect(JSON.stringify(await allAccounts(open.accounts))).not.to.include('scrypt');
  });

  it('raced, signs in one', async () => {
    const { accounts, sessions } = openAccounts();
    const { token } = await accounts.invite(OPERATOR, 'ada');
    const names = Array.from({ length: 20 }, (_, n) => `Ada ${n}`);
    const settled = await Promise.allSettled(names.map((name) => sessions.accept(token, { name, password: PASSWORD })));
    expect(settled.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
  });

  it('raced, keeps the session of the one, whichever step of the other it comes before', async () => {
    for (const step of numbers(12)) {
      let [left, second] = [Infinity, undefined as string | undefined];
      const { accounts, sessions } = openAccounts((port) =>
        replacing(port, async (_method, run) => {
          if ((left -= 1) === 0) second = await accept();
          return run();
        }),
      );
      const { token } = await accounts.invite(OPERATOR, 'ada');
      const accept = async () =>
        sessions.accept(token, { name: 'Ada', password: PASSWORD }).then(
          (signedIn) => signedIn.token,
          () => undefined,
        );
      left = step;
      const tokens = [await accept(), second].filter((each) => each !== undefined);
      expect(tokens, `step ${step}`).to.have.length(1);
      expect(await sessions.find(tokens[0] ?? ''), `step ${step}`).to.include({ id: 'ada' });
    }
  });

  it('reports every broken rule, and the link stays good', async () => {
    const { accounts, sessions } = openAccounts();
    const { token } = await accounts.invite(OPERATOR, 'ada');
    expect(await brokenBy(() => sessions.accept(token, { name: '', password: 'short' }))).to.deep.equal([
      'name: too-short',
      'password: too-short',
    ]);
    expect(await brokenBy(() => sessions.accept(token, { name: 'Lovelace', password: 'lovelace 1815' }))).to.deep.equal(
      ['password: too-common'],
    );
    expect(await brokenBy(() => sessions.accept(token, {}))).to.deep.equal(['name: required', 'password: required']);
    expect(await sessions.readInvitation(token)).to.include({ id: 'ada' });
  });

  it("fails as conflict for another's name, and the link stays good", async () => {
    const open = openAccounts();
    await welcome(open, 'ada', 'Zoë');
    const { token } = await open.accounts.invite(OPERATOR, 'bob');
    const failure = await failureOf(() => open.sessions.accept(token, { name: 'ZOË', password: PASSWORD }));
    expect([failure.kind, failure.code, failure.fields[0]?.field]).to.deep.equal([
      'conflict',
      'sign-in-name-taken',
      'name',
    ]);
    await open.sessions.accept(token, { name: 'Bob', password: PASSWORD });
  });

  it('is over after 24 hours', async () => {
    const { accounts, sessions, clock } = openAccounts();
    const { token } = await accounts.invite(OPERATOR, 'ada');
    clock.set(DAY - 1);
    expect(await sessions.readInvitation(token)).to.include({ id: 'ada' });
    clock.set(DAY);
    expect(await sessions.readInvitation(token)).to.equal(undefined);
    expect(await kindOf(() => sessions.accept(token, { name: 'Ada', password: PASSWORD }))).to.equal('not-found');
  });

  it('changes nothing when the store fails: the old password and its sessions stay', async () => {
    const open = openAccounts();
    const before = await welcome(open, 'ada', 'Ada');
    const { token } = await open.accounts.invite(OPERATOR, 'ada');
    const activate = open.developers.activate.bind(open.developers);
    open.developers.activate = () => Promise.reject(new Error('out of reach'));
    const accept = () => open.sessions.accept(token, { name: 'Ada', password: 'another-violin-7-moss' });
    expect(await accept().catch(String)).to.include('out of reach');
    expect(await open.sessions.find(before)).to.include({ id: 'ada' });
    expect((await open.sessions.signIn('Ada', PASSWORD)).outcome).to.equal('signed-in');
    open.developers.activate = activate;
    await accept();
    expect(await open.sessions.find(before)).to.equal(undefined);
  });

  it('opens nothing to one who is suspended as it is used', async () => {
    const { accounts, developers, sessions, sessionRepository } = openAccounts();
    const { token } = await accounts.invite(OPERATOR, 'ada');
    const hashes: string[] = [];
    const activate = developers.activate.bind(developers);
    developers.activate = async (invitation, activation) => {
      hashes.push(activation.session.hash);
      await accounts.suspend(OPERATOR, 'ada');
      return activate(invitation, activation);
    };
    expect(await kindOf(() => sessions.accept(token, { name: 'Ada', password: PASSWORD }))).to.equal('not-found');
    expect(hashes).to.have.length(1);
    expect(await sessionRepository.findByHash(hashes[0] ?? '')).to.equal(undefined);
  });

  it('again resets the password and ends the sessions from before', async () => {
    const open = openAccounts();
    const before = await welcome(open, 'ada', 'Ada');
    await open.accounts.invite(OPERATOR, 'ada');
    expect((await open.sessions.signIn('Ada', PASSWORD)).outcome).to.equal('signed-in');
    await welcome(open, 'ada', 'Ada', 'another violin 9 crater');
    expect(await open.sessions.find(before)).to.equal(undefined);
    expect((await open.sessions.signIn('Ada', PASSWORD)).outcome).to.equal('refused');
    expect((await open.sessions.signIn('Ada', 'another violin 9 crater')).outcome).to.equal('signed-in');
  });
});

describe('suspending a developer', () => {
  it('ends what they have, until they are restored', async () => {
    const open = openAccounts();
    const session = await welcome(open, 'ada', 'Ada');
    await open.accounts.suspend(OPERATOR, 'ada');
    expect(await open.sessions.find(session)).to.equal(undefined);
    expect((await open.sessions.signIn('Ada', PASSWORD)).outcome).to.equal('suspended');
    const { token } = await open.accounts.invite(OPERATOR, 'ada');
    expect(await open.sessions.readInvitation(token)).to.equal(undefined);
    expect((await allAccounts(open.accounts))[0]).to.include({ status: 'suspended' });
    await open.accounts.restore(OPERATOR, 'ada');
    expect(await open.sessions.find(session)).to.equal(undefined);
    expect((await open.sessions.signIn('Ada', PASSWORD)).outcome).to.equal('signed-in');
  });

  it('ends the sessions in the store, also those that the restored developer would have again', async () => {
    const open = openAccounts();
    const session = await welcome(open, 'ada', 'Ada');
    const [ada = expect.fail()] = await allDevelopers(open.developers);
    await open.developers.suspend(ada.id, { at: new Date(NOON), ...ANY_OPERATOR });
    expect(await open.sessions.find(session)).to.equal(undefined);
    await open.accounts.restore(OPERATOR, 'ada');
    expect(await open.sessions.find(session)).to.equal(undefined);
  });

  it('ends no session of one who is restored without having been suspended', async () => {
    const open = openAccounts();
    const session = await welcome(open, 'ada', 'Ada');
    await open.accounts.restore(OPERATOR, 'ada');
    expect(await open.sessions.find(session)).to.include({ id: 'ada' });
  });

  it('shuts out one who has keys alone, whom nobody can then accept for, until they are restored', async () => {
    const open = openAccounts();
    const { text } = await keysOf(open).issue(OPERATOR, { developer: 'ada' });
    const verifier = new StoredApiKeyVerifier(open.keys, { now: open.clock.now, developers: open.developers });
    const ada = { id: 'ada', role: 'developer', status: 'no-sign-in', addedAt: new Date(NOON) } as const;
    expect(await open.accounts.find(OPERATOR, 'ada')).to.deep.equal(ada);
    await open.accounts.suspend(OPERATOR, 'ada');
    expect(await verifier.verify(text)).to.equal(undefined);
    const suspended = { ...ada, status: 'suspended', suspendedAt: new Date(NOON) };
    expect(await open.accounts.find(OPERATOR, 'ada')).to.deep.equal(suspended);
    await open.accounts.restore(OPERATOR, 'ada');
    expect(await verifier.verify(text)).to.include({ developerId: 'ada' });
    expect(await allAccounts(open.accounts)).to.deep.equal([ada]);
    await open.accounts.invite(OPERATOR, 'ada');
    expect((await allAccounts(open.accounts))[0]).to.include({ id: 'ada', status: 'invited' });
  });

  it('of one who was invited leaves their link to be good again', async () => {
    const open = openAccounts();
    const { token } = await open.accounts.invite(OPERATOR, 'ada');
    await open.accounts.suspend(OPERATOR, 'ada');
    await open.accounts.restore(OPERATOR, 'ada');
    expect(await open.sessions.readInvitation(token)).to.include({ id: 'ada' });
  });

  it('is noted once, and so is restoring', async () => {
    const { accounts, history } = openAccounts();
    await accounts.invite(OPERATOR, 'ada');
    await accounts.restore(OPERATOR, 'ada');
    for (let time = 0; time < 2; time += 1) await accounts.suspend(OPERATOR, 'ada');
    for (let time = 0; time < 2; time += 1) await accounts.restore(OPERATOR, 'ada');
    expect(await history()).to.deep.equal(
      ['invited', 'suspended', 'restored'].map((did) => `operator developer-${did} ada`),
    );
  });

  it('fails as not-found for one who is not there, as restoring does', async () => {
    const { accounts } = openAccounts();
    expect(await kindOf(() => accounts.suspend(OPERATOR, 'ada'))).to.equal('not-found');
    expect(await kindOf(() => accounts.restore(OPERATOR, 'ada'))).to.equal('not-found');
  });
});

describe('the sign-in name that the operator gives', () => {
  it('signs in with the same password from then on; id, session and public name stay; noted once', async () => {
    const open = openAccounts();
    const session = await welcome(open, 'ada', 'Ada');
    await open.developers.setProfile('ada' as DeveloperId, {
      profile: { publicName: 'Analytical Engines' },
      entries: [],
    });
    for (let time = 0; time < 2; time += 1) await open.accounts.rename(OPERATOR, 'ada', ' Countess ');
    expect(await open.accounts.find(OPERATOR, 'ada')).to.include({
      id: 'ada',
      signInName: 'Countess',
      publicName: 'Analytical Engines',
    });
    expect(await open.sessions.find(session)).to.include({ id: 'ada', signInName: 'Countess' });
    expect((await open.history()).filter((line) => line === 'operator sign-in-name-changed ada')).to.have.length(1);
  });

  it('is refused when another has it, when it breaks a rule, and for one who never signed in', async () => {
    const open = openAccounts();
    await welcome(open, 'ada', 'Ada');
    await welcome(open, 'bob', 'Zoë');
    await open.accounts.invite(OPERATOR, 'eve');
    const codeOf = async (id: string, name: string) =>
      (await failureOf(() => open.accounts.rename(OPERATOR, id, name))).code;
    expect(await codeOf('ada', 'zoe\u0308')).to.equal('sign-in-name-taken');
    expect(await codeOf('eve', 'Eve')).to.equal('no-sign-in');
    expect(await codeOf('nobody', 'Eve')).to.equal('no-such-developer');
    for (const name of ['', ' ', 'a\nb', 'a'.repeat(101)]) expect(await codeOf('ada', name)).to.equal('invalid-fields');
    expect((await open.history()).join()).not.to.include('sign-in-name-changed');
  });
});

describe('the last active operator', () => {
  const twoOperators = async () => {
    const open = openAccounts();
    for (const [id, name] of [
      ['ada', 'Ada'],
      ['bob', 'Bob'],
    ] as const) {
      await welcome(open, id, name);
      await open.accounts.setRole(OPERATOR, id, 'operator');
    }
    return open;
  };

  it('is left when two end each other at once, in whichever way', async () => {
    const ways = [
      ({ accounts }: Accounts, id: string) => accounts.suspend(OLGA, id),
      ({ accounts }: Accounts, id: string) => accounts.setRole(OLGA, id, 'buyer'),
      ({ accounts }: Accounts, id: string) => accounts.invite(OLGA, id, { role: 'developer' }),
    ];
    for (const one of ways)
      for (const other of ways) {
        const open = await twoOperators();
        const outcomes = await Promise.allSettled([one(open, 'ada'), other(open, 'bob')]);
        const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
        expect(refusals.map(({ reason }) => (reason as DomainError).code)).to.deep.equal(['last-operator']);
        expect(await open.developers.countOperators()).to.equal(1);
      }
  });

  it('keeps sessions and history when the suspension is refused', async () => {
    const open = openAccounts();
    const session = await welcome(open, 'ada', 'Ada');
    await open.accounts.setRole(OPERATOR, 'ada', 'operator');
    const failure = await failureOf(() => open.accounts.suspend(OLGA, 'ada'));
    expect([failure.kind, failure.code]).to.deep.equal(['conflict', 'last-operator']);
    expect(await open.sessions.find(session)).to.include({ id: 'ada', role: 'operator' });
    expect((await open.history()).at(-1)).to.equal('operator developer-role-changed ada');
  });

  it('may be ended by code that passes OPERATOR, since it can make another', async () => {
    const open = openAccounts();
    await welcome(open, 'ada', 'Ada');
    await open.accounts.setRole(OPERATOR, 'ada', 'operator');
    await open.accounts.invite(OPERATOR, 'ada', { role: 'buyer' });
    await open.accounts.setRole(OPERATOR, 'ada', 'operator');
    await open.accounts.suspend(OPERATOR, 'ada');
    expect(await open.developers.countOperators()).to.equal(0);
  });
});

describe('suspending a developer with everything that they sell', () => {
  const stored = async (count: number) => {
    const open = openAccounts();
    await welcome(open, 'ada', 'Ada');
    await store(open.automations, ...numbers(count).map((n) => offer(n)), offer(count + 1, { developerId: BOB }));
    return open;
  };
  const onSale = async ({ automations }: Accounts) => (await automations.list({ page: newPage({}) })).total;

  it('withdraws more than fit into one write, reports how many, and has an entry for each', async () => {
    const open = await stored(501);
    const done = await open.accounts.suspend(OLGA, 'ada', { withdraw: true, reason: ' Spam ' });
    expect([done, await onSale(open)]).to.deep.equal([{ withdrawn: 501 }, 1]);
    const entries = (await open.auditLog.list({ limit: 1_000 })).filter(({ action }) => action.endsWith('withdrawn'));
    expect(new Set(entries.map(({ subject }) => subject))).to.have.length(501);
    expect(entries[0]).to.include({ actor: 'operator', operatorId: 'olga', developerId: 'ada' });
    const withdrawn = (await open.automations.findAny(automationIdOf(501)))?.withdrawn;
    expect(withdrawn).to.include({ by: 'operator', reason: 'Spam' });
  });

  it('leaves everything on sale by default', async () => {
    const open = await stored(2);
    expect(await open.accounts.suspend(OLGA, 'ada')).to.deep.equal({});
    expect(await onSale(open)).to.equal(3);
  });

  it('may be repeated, which withdraws what the first time left', async () => {
    const open = await stored(2);
    await open.accounts.suspend(OLGA, 'ada');
    expect(await open.accounts.suspend(OLGA, 'ada', { withdraw: true })).to.deep.equal({ withdrawn: 2 });
    expect(await open.accounts.suspend(OLGA, 'ada', { withdraw: true })).to.deep.equal({ withdrawn: 0 });
    expect((await open.history()).filter((line) => line.includes('suspended'))).to.have.length(1);
  });

  it('does nothing when the reason is wrong, or given although nothing is withdrawn', async () => {
    const open = await stored(1);
    const suspend = (options: SuspendOptions) => brokenBy(() => open.accounts.suspend(OLGA, 'ada', options));
    expect(await suspend({ withdraw: true, reason: 'x'.repeat(1001) })).to.deep.equal(['reason: too-long']);
    expect(await suspend({ withdraw: true, reason: ' ' })).to.deep.equal(['reason: too-short']);
    expect(await suspend({ reason: 'Spam' })).to.deep.equal(['reason: unknown-value']);
    expect((await open.accounts.find(OPERATOR, 'ada'))?.status).to.equal('active');
    expect(await onSale(open)).to.equal(2);
  });
});

describe('the history of an account', () => {
  it('has a change of role and a restoring that follow a change by another process, once', async () => {
    const { accounts, developers, automations, audit, history } = openAccounts();
    const caching = new DeveloperAccounts({ developers: cachedDevelopers(developers), automations }, { audit });
    await accounts.invite(OPERATOR, 'ada');
    await caching.find(OPERATOR, 'ada');
    await accounts.setRole(OPERATOR, 'ada', 'buyer');
    await caching.setRole(OPERATOR, 'ada', 'developer');
    await caching.find(OPERATOR, 'ada');
    await accounts.suspend(OPERATOR, 'ada');
    await caching.restore(OPERATOR, 'ada');
    await caching.find(OPERATOR, 'ada');
    await accounts.suspend(OPERATOR, 'ada');
    await caching.suspend(OPERATOR, 'ada');
    expect(await history()).to.deep.equal(
      ['invited', 'role-changed', 'role-changed', 'suspended', 'restored', 'suspended'].map(
        (did) => `operator developer-${did} ada`,
      ),
    );
  });

  it('has one end of a session that is signed out of twice at once', async () => {
    const open = openAccounts();
    const session = await welcome(open, 'ada', 'Ada');
    await Promise.all([open.sessions.signOut(session, HOME), open.sessions.signOut(session, HOME)]);
    expect((await open.history()).filter((line) => line.includes('signed-out'))).to.have.length(1);
  });

  it('has who did what, in order, and never a secret', async () => {
    const open = openAccounts();
    const session = await welcome(open, 'ada', 'Ada');
    await open.sessions.signOut(session, HOME);
    await open.sessions.signOut(session, HOME);
    await open.sessions.signIn('Ada', 'wrong wrong wrong', HOME);
    await open.sessions.signIn('Eve', 'wrong wrong wrong', HOME);
    await open.sessions.signIn('Ada', PASSWORD, HOME);
    await open.accounts.suspend(OPERATOR, 'ada');
    await open.accounts.restore(OPERATOR, 'ada');
    expect(await open.history()).to.deep.equal([
      'operator developer-invited ada',
      'developer developer-activated ada',
      'developer signed-in ada',
      'developer signed-out ada',
      'anonymous sign-in-failed ada',
      'anonymous sign-in-failed',
      'developer signed-in ada',
      'operator developer-suspended ada',
      'operator developer-restored ada',
    ]);
  });
});
