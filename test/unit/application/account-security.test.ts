import { expect } from 'chai';
import { AccountSecurity } from '../../../application/account-security.js';
import { brokenBy, failureOf } from '../domain/failure.js';
import { HOME, openAccounts, PASSWORD, welcome } from './accounts.js';
import { ada, bob } from './people.js';
import { signedIn } from '../../support/signed-in.js';

const NEW = 'tulip-harbour-9-slate';

async function open() {
  const accounts = openAccounts();
  const { developers, sessionRepository, passwords, audit, clock, sessions } = accounts;
  const security = new AccountSecurity(developers, sessionRepository, { passwords, audit, now: clock.now });
  const token = await welcome(accounts, 'ada', 'Ada');
  await welcome(accounts, 'bob', 'Bob');
  const signIn = async (password = PASSWORD) => {
    const answer = await sessions.signIn('Ada', password, HOME);
    return answer.outcome === 'signed-in' ? answer.token : '';
  };
  return { ...accounts, security, token, signIn };
}

describe('a changed password', () => {
  it('signs in from then on, and ends all sessions but the one in use', async () => {
    const { security, sessions, token, signIn, history } = await open();
    const other = await signIn();
    const change = { current: PASSWORD, password: NEW };
    expect(await security.changeSignIn(signedIn(ada), change, token)).to.deep.equal({ outcome: 'changed' });
    expect(await sessions.find(token)).to.include({ id: 'ada' });
    expect(await sessions.find(other)).to.equal(undefined);
    expect([await signIn(), (await signIn(NEW)).length]).to.deep.equal(['', 32]);
    expect(await history()).to.include('developer password-changed ada');
  });

  it('leaves no session of the old password to a sign-in that races it', async () => {
    const { security, sessions, token, signIn } = await open();
    const racing = Array.from({ length: 10 }, () => signIn());
    await security.changeSignIn(signedIn(ada), { current: PASSWORD, password: NEW }, token);
    for (const other of await Promise.all(racing)) expect(await sessions.find(other)).to.equal(undefined);
    expect(await sessions.find(token)).to.include({ id: 'ada' });
  });

  it('needs the right one, and a good one; else nothing changes', async () => {
    const { security, token, signIn } = await open();
    const attempt = (current: string, password: string) => () =>
      security.changeSignIn(signedIn(ada), { current, password }, token);
    expect(await brokenBy(attempt('wrong', 'short'))).to.deep.equal(['current: unknown-value', 'password: too-short']);
    expect(await brokenBy(attempt(NEW, NEW))).to.deep.equal(['current: unknown-value']);
    expect(await brokenBy(attempt(PASSWORD, 'ada-123456789'))).to.deep.equal(['password: too-common']);
    expect(await signIn()).to.have.length(32);
  });

  it('is slowed down after too many wrong ones', async () => {
    const { security, token } = await open();
    const change = { current: 'wrong', password: NEW };
    for (let n = 0; n < 5; n += 1) await brokenBy(() => security.changeSignIn(signedIn(ada), change, token));
    const right = { current: PASSWORD, password: NEW };
    expect(await security.changeSignIn(signedIn(ada), right, token)).to.deep.include({ outcome: 'slowed' });
  });

  it('is one of two that are changed at once', async () => {
    const { security, token } = await open();
    const outcomes = await Promise.allSettled(
      [NEW, 'onion-castle-3-river']
        .map((password) => ({ current: PASSWORD, password }))
        .map((change) => security.changeSignIn(signedIn(ada), change, token)),
    );
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
  });
});

describe('a changed sign-in name', () => {
  it('signs in, and sessions go on', async () => {
    const { security, sessions, token } = await open();
    await security.changeSignIn(signedIn(ada), { current: PASSWORD, name: ' Countess ' }, token);
    expect(await sessions.find(token)).to.include({ signInName: 'Countess' });
    expect(await sessions.signIn('countess', PASSWORD)).to.include({ outcome: 'signed-in' });
    const taken = await failureOf(() =>
      security.changeSignIn(signedIn(ada), { current: PASSWORD, name: 'BOB' }, token),
    );
    expect(taken.code).to.equal('sign-in-name-taken');
  });
});

describe("one's own sessions", () => {
  it('are listed, the latest first, without those that are over', async () => {
    const { security, token, signIn, clock } = await open();
    clock.set(1_000);
    await signIn();
    const listed = await security.listSessions(signedIn(ada), token);
    expect(listed.map(({ isCurrent, address }) => [isCurrent, address])).to.deep.equal([
      [false, '192.0.2.1'],
      [true, undefined],
    ]);
    expect(JSON.stringify(listed)).not.to.include(token);
    clock.set(8 * 24 * 60 * 60 * 1000);
    expect(await security.listSessions(signedIn(ada), token)).to.deep.equal([]);
  });

  it('end one by one, and those of others do not', async () => {
    const { security, sessions, token, signIn } = await open();
    const other = await signIn();
    const [theirs] = (await security.listSessions(signedIn(ada), token)).filter(({ isCurrent }) => !isCurrent);
    const id = theirs?.id ?? expect.fail();
    expect((await failureOf(() => security.endSession(signedIn(bob), id))).code).to.equal('no-such-session');
    await security.endSession(signedIn(ada), id);
    expect(await sessions.find(other)).to.equal(undefined);
    expect(await sessions.find(token)).to.include({ id: 'ada' });
    expect((await failureOf(() => security.endSession(signedIn(ada), id))).code).to.equal('no-such-session');
  });

  it('end everywhere', async () => {
    const { security, sessions, token, signIn, history } = await open();
    const other = await signIn();
    await security.signOutEverywhere(signedIn(ada));
    expect([await sessions.find(token), await sessions.find(other)]).to.deep.equal([undefined, undefined]);
    expect(await history()).to.include('developer sessions-ended ada');
  });
});
