import { expect } from 'chai';
import { sha256 } from '../../../application/defaults.js';
import { HOME, openAccounts, PASSWORD, welcome, type Accounts } from './accounts.js';
import { ada, MINUTE } from './people.js';
import { OPERATOR } from '../../../domain/access.js';

const HOUR = 60 * MINUTE;
const WRONG = 'wrong wrong wrong';

async function openWithAda() {
  const open = openAccounts();
  const session = await welcome(open, 'ada', 'Ada');
  const attempt = async (name: string, password: string, address?: string) =>
    (await open.sessions.signIn(name, password, address === undefined ? {} : { address })).outcome;
  return { ...open, session, attempt };
}

async function reset({ accounts, sessions }: Accounts): Promise<void> {
  await sessions.accept((await accounts.invite(OPERATOR, 'ada')).token, {
    name: 'Ada',
    password: 'another-violin-7-moss',
  });
}

const suspend = ({ accounts }: Accounts) => accounts.suspend(OPERATOR, 'ada');
const CHANGES: readonly ((open: Accounts) => Promise<unknown>)[] = [reset, suspend];

describe('a sign-in for which an issuer vouches', () => {
  it('lasts 12 hours, and use does not make it longer; there is none while suspended', async () => {
    const open = openAccounts();
    const id = ada.developerId;
    await open.developers.register(id, { at: open.clock.now(), entries: [] });
    const token = (await open.sessions.start({ ...OPERATOR, origin: HOME }, id, '')) ?? '';
    expect(await open.sessions.find(token)).to.include({ id, status: 'active' });
    open.clock.set(12 * HOUR - 1);
    expect(await open.sessions.find(token)).to.include({ id });
    open.clock.set(12 * HOUR);
    expect(await open.sessions.find(token)).to.equal(undefined);
    await open.accounts.suspend(OPERATOR, id);
    expect(await open.sessions.start(OPERATOR, id, 'sid')).to.equal(undefined);
  });
});

describe('signing in', () => {
  it('takes the name in any case and the password as it is', async () => {
    const { attempt } = await openWithAda();
    for (const name of ['Ada', ' ADA ', 'ada']) expect(await attempt(name, PASSWORD)).to.equal('signed-in');
    for (const password of [PASSWORD.toUpperCase(), `${PASSWORD} `, '', WRONG, 'x'.repeat(10_000)])
      expect(await attempt('Ada', password)).to.equal('refused');
    for (const name of ['Eve', '', 'x'.repeat(10_000), '%']) expect(await attempt(name, PASSWORD)).to.equal('refused');
  });

  it('is refused when the password was reset, or its owner suspended, while it was looked at', async () => {
    for (const change of CHANGES) {
      const open = await openWithAda();
      const verify = open.passwords.verifySignIn.bind(open.passwords);
      open.passwords.verifySignIn = async (password, hash) => {
        open.passwords.verifySignIn = verify;
        await change(open);
        return verify(password, hash);
      };
      expect(await open.attempt('Ada', PASSWORD), change.name).to.equal('refused');
    }
  });

  it('leaves no session behind when either happens as it begins', async () => {
    for (const change of CHANGES) {
      const open = await openWithAda();
      const added: string[] = [];
      const signIn = open.developers.signIn.bind(open.developers);
      open.developers.signIn = async (id, started) => {
        open.developers.signIn = signIn;
        await change(open);
        added.push(started.session.hash);
        return signIn(id, started);
      };
      expect(await open.attempt('Ada', PASSWORD), change.name).to.equal('refused');
      expect(added).to.have.length(1);
      expect(await open.sessionRepository.findByHash(added[0] ?? '')).to.equal(undefined);
    }
  });

  it('counts no attempt that could not be looked at', async () => {
    const { developers, attempt } = await openWithAda();
    const find = developers.findBySignInName.bind(developers);
    developers.findBySignInName = () => Promise.reject(new Error('the store is away'));
    for (let n = 0; n < 7; n += 1)
      expect(await attempt('Ada', PASSWORD, '192.0.2.77').catch(String)).to.include('the store is away');
    developers.findBySignInName = find;
    expect(await attempt('Ada', PASSWORD, '192.0.2.77')).to.equal('signed-in');
  });

  it('looks at no password that is too long for one, nor at any for a name that is', async () => {
    const { passwords, attempt } = await openWithAda();
    passwords.verifySignIn = () => Promise.reject(new Error('looked at'));
    for (const [name, password] of [
      ['Ada', 'x'.repeat(10_000)],
      ['x'.repeat(10_000), PASSWORD],
    ] as const)
      expect(await attempt(name, password)).to.equal('refused');
  });

  it('takes a password that another keyboard composes otherwise', async () => {
    const open = openAccounts();
    await welcome(open, 'ada', 'Ada', 'schöner Tag im Moor');
    expect((await open.sessions.signIn('Ada', 'scho\u0308ner Tag im Moor')).outcome).to.equal('signed-in');
  });

  it('makes a session of its own each time', async () => {
    const { sessions, session } = await openWithAda();
    const answer = await sessions.signIn('Ada', PASSWORD, HOME);
    const token = answer.outcome === 'signed-in' ? answer.token : '';
    expect(token).not.to.equal(session);
    expect([(await sessions.find(token))?.id, (await sessions.find(session))?.id]).to.deep.equal(['ada', 'ada']);
  });

  it('is refused for one who was invited and has not accepted', async () => {
    const { accounts, attempt } = await openWithAda();
    await accounts.invite(OPERATOR, 'bob');
    for (const name of ['bob', '']) expect(await attempt(name, PASSWORD)).to.equal('refused');
  });
});

describe('a suspended developer', () => {
  it('is told so for the right password, and for no other', async () => {
    const open = await openWithAda();
    await open.accounts.suspend(OPERATOR, 'ada');
    expect(await open.attempt('Ada', WRONG)).to.equal('refused');
    expect(await open.attempt('Ada', PASSWORD)).to.equal('suspended');
    await open.accounts.restore(OPERATOR, 'ada');
    expect(await open.attempt('Ada', PASSWORD)).to.equal('signed-in');
  });
});

describe('a session of a developer', () => {
  it('ends 7 days after the sign-in, however it is used', async () => {
    const { sessions, session, clock } = await openWithAda();
    const week = 7 * 24 * HOUR;
    for (let time = 0; time < week; time += 11 * HOUR) {
      clock.set(time);
      expect(await sessions.find(session), `at ${time}`).to.include({ id: 'ada' });
    }
    clock.set(week - 1);
    expect(await sessions.find(session)).to.include({ id: 'ada' });
    clock.set(week);
    expect(await sessions.find(session)).to.equal(undefined);
  });

  it('that an earlier version kept open for longer ends all the same', async () => {
    const { sessions, sessionRepository, session, clock } = await openWithAda();
    const week = 7 * 24 * HOUR;
    await sessionRepository.renew(sha256(session), new Date(clock.now().getTime() + week + HOUR));
    clock.set(week);
    expect(await sessions.find(session)).to.equal(undefined);
  });

  it('ends after 12 hours without use, and each use keeps it open', async () => {
    const { sessions, session, clock } = await openWithAda();
    clock.set(12 * HOUR - 1);
    expect(await sessions.find(session)).to.include({ id: 'ada' });
    clock.set(24 * HOUR - 2);
    expect(await sessions.find(session)).to.include({ id: 'ada' });
    clock.set(36 * HOUR - 2);
    expect(await sessions.find(session)).to.equal(undefined);
  });

  it('is renewed at most once a minute', async () => {
    const { sessions, sessionRepository, session, clock } = await openWithAda();
    const renewals: Date[] = [];
    const renew = sessionRepository.renew.bind(sessionRepository);
    sessionRepository.renew = (hash, until) => {
      renewals.push(until);
      return renew(hash, until);
    };
    for (const time of [1, MINUTE - 1, MINUTE, MINUTE + 1, 2 * MINUTE]) {
      clock.set(time);
      await sessions.find(session);
    }
    expect(renewals).to.have.length(2);
  });

  it('does not fail because it could not be renewed', async () => {
    const { sessions, sessionRepository, session, clock } = await openWithAda();
    sessionRepository.renew = () => Promise.reject(new Error('out of reach'));
    clock.set(HOUR);
    expect(await sessions.find(session)).to.include({ id: 'ada' });
  });

  it('ends by signing out, and no other does', async () => {
    const { sessions, session } = await openWithAda();
    const answer = await sessions.signIn('Ada', PASSWORD, HOME);
    await sessions.signOut(session);
    expect(await sessions.find(session)).to.equal(undefined);
    expect(answer.outcome === 'signed-in' && (await sessions.find(answer.token))).to.include({ id: 'ada' });
  });

  it('is none for tokens that are nearly right', async () => {
    const { sessions, session } = await openWithAda();
    for (const token of ['', session.slice(1), `${session}A`, session.toLowerCase() + ' ', 'x'.repeat(100_000)])
      expect(await sessions.find(token)).to.equal(undefined);
  });
});

describe('guessing passwords', () => {
  it('is slowed for a name from an address, after 5 failures, for longer each time', async () => {
    const { sessions, clock, attempt } = await openWithAda();
    for (let n = 0; n < 5; n += 1) expect(await attempt('Ada', WRONG, '192.0.2.9')).to.equal('refused');
    for (const time of [0, 900]) {
      clock.set(time);
      expect(await sessions.signIn('Ada', PASSWORD, { address: '192.0.2.9' })).to.deep.equal({
        outcome: 'slowed',
        seconds: 1,
      });
    }
    clock.set(1000);
    expect(await attempt('Ada', WRONG, '192.0.2.9')).to.equal('refused');
    expect(await sessions.signIn('Ada', PASSWORD, { address: '192.0.2.9' })).to.deep.equal({
      outcome: 'slowed',
      seconds: 2,
    });
    expect(await attempt('Ada', PASSWORD, '192.0.2.10')).to.equal('signed-in');
  });

  it('is as slow for a name that no developer has', async () => {
    const { attempt } = await openWithAda();
    for (let n = 0; n < 5; n += 1) expect(await attempt('Eve', WRONG, '192.0.2.9')).to.equal('refused');
    expect(await attempt('Eve', WRONG, '192.0.2.9')).to.equal('slowed');
  });

  it('is not counted where the password was right', async () => {
    const { attempt } = await openWithAda();
    for (let n = 0; n < 4; n += 1) await attempt('Ada', WRONG, '192.0.2.9');
    expect(await attempt('Ada', PASSWORD, '192.0.2.9')).to.equal('signed-in');
    for (let n = 0; n < 5; n += 1) expect(await attempt('Ada', WRONG, '192.0.2.9')).to.equal('refused');
  });

  it('is forgiven: a failure a minute', async () => {
    const { clock, attempt } = await openWithAda();
    for (let n = 0; n < 5; n += 1) await attempt('Ada', WRONG, '192.0.2.9');
    clock.set(MINUTE);
    expect(await attempt('Ada', PASSWORD, '192.0.2.9')).to.equal('signed-in');
  });

  it('gains nothing by many at once', async () => {
    const { attempt } = await openWithAda();
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => attempt('Ada', WRONG, '192.0.2.9')));
    expect(outcomes.filter((outcome) => outcome === 'refused')).to.have.length(5);
  });

  it("gains nothing by signing in to an account of one's own between", async () => {
    const open = await openWithAda();
    await welcome(open, 'eve', 'Eve');
    for (let n = 0; n < 5; n += 1) {
      await open.attempt('Ada', WRONG, '192.0.2.9');
      await open.attempt('Eve', PASSWORD, '192.0.2.9');
    }
    expect(await open.attempt('Ada', WRONG, '192.0.2.9')).to.equal('slowed');
  });

  it('gains nothing by the many addresses that one IPv6 network has', async () => {
    const { attempt } = await openWithAda();
    for (const address of [
      '2001:db8:0:2::1',
      '2001:db8:0:2:1:2:3:4',
      '2001:db8::2:1:2:3:5',
      '2001:DB8:0:2:a:b::1',
      '2001:db8:0:2:9::',
    ])
      expect(await attempt('Ada', WRONG, address), address).to.equal('refused');
    expect(await attempt('Ada', WRONG, '2001:0db8:0000:0002:0:0:0:77')).to.equal('slowed');
    expect(await attempt('Ada', WRONG, '2001:db8:0:3::1')).to.equal('refused');
  });

  it('does not keep out a person with a welcome link', async () => {
    const { accounts, sessions, attempt } = await openWithAda();
    for (let n = 1; n <= 20; n += 1) await sessions.signIn('Ada', WRONG, HOME);
    const { token } = await accounts.invite(OPERATOR, 'ada');
    await sessions.accept(token, { name: 'Ada', password: PASSWORD }, HOME);
    expect(await attempt('Ada', PASSWORD, HOME.address)).to.equal('signed-in');
  });
});
