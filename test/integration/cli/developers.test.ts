import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { Identities } from '../../../application/identities.js';
import { DeveloperSessions } from '../../../application/developer-sessions.js';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import { ACME, NOBODY, Program } from './harness.js';
import { activation, allDevelopers } from '../../contracts/developers.js';
import { allKeys } from '../../contracts/keys.js';

const HOUR = 60 * 60 * 1000;
const NOON = new Date('2026-01-01T12:00:00.000Z');
const LINK = /^https:\/\/market\.example\/panel\/welcome\/([\w-]{32})$/;
const PASSWORD = 'violet anchor 27 meadow';

const atNoon = (): Program => new Program({ now: () => NOON });

/** The token of the link that an invitation prints. */
async function invite(program: Program, name: string): Promise<string> {
  const { stdout } = await program.run('developers', 'invite', name);
  return LINK.exec(stdout[0] ?? '')?.[1] ?? expect.fail('there is no link');
}

function panelOf({ developers, sessions }: Program): DeveloperSessions {
  return new DeveloperSessions(developers, sessions, { now: () => NOON });
}

/** What the audit says that the operator did, the first first. */
async function deeds({ audit }: Program): Promise<readonly string[]> {
  const { items } = await audit.list(OPERATOR);
  return items.toReversed().map(({ actor, action, developerId }) => `${actor} ${action} ${developerId}`);
}

describe('The command developers invite', () => {
  it('prints the link alone on stdout, and until when it is good on stderr', async () => {
    const program = atNoon();
    const { code, stdout, stderr } = await program.run('developers', 'invite', 'ada');
    expect(code).to.equal(0);
    expect(stdout).to.have.length(1);
    expect(stderr).to.deep.equal([
      'This link for ada works once, until 2026-01-02T12:00:00.000Z. It is not shown again.',
    ]);
    const token = LINK.exec(stdout[0] ?? '')?.[1] ?? '';
    expect(await panelOf(program).readInvitation(token)).to.deep.include({
      id: 'ada',
      invitedUntil: new Date(NOON.getTime() + 24 * HOUR),
    });
    expect(await deeds(program)).to.deep.equal(['operator developer-invited ada']);
  });

  it('again, the link is another one and the first is good no more', async () => {
    const program = atNoon();
    const [first, second] = [await invite(program, 'ada'), await invite(program, 'ada')];
    expect(await panelOf(program).readInvitation(first)).to.equal(undefined);
    expect(await panelOf(program).readInvitation(second)).to.include({ id: 'ada' });
    expect(await allDevelopers(program.developers)).to.have.length(1);
  });

  it('or emergency, prints the link, and marks the account, which developers list --json shows', async () => {
    const program = atNoon();
    await invite(program, 'bob');
    const { code, stdout } = await program.run('developers', 'emergency', 'ada', '--new');
    expect([code, stdout.length, LINK.test(stdout[0] ?? '')]).to.deep.equal([0, 1, true]);
    const listed = JSON.parse((await program.run('developers', 'list', '--json')).stdout.join('')) as {
      readonly name: string;
      readonly emergency_since: string | null;
    }[];
    expect(listed.map(({ name, emergency_since }) => [name, emergency_since])).to.deep.equal([
      ['ada', NOON.toISOString()],
      ['bob', null],
    ]);
  });

  it('says who is already shown by a name that looks like it', async () => {
    const program = atNoon();
    await invite(program, 'bob');
    await program.developers.setProfile(parseDeveloperId('bob'), { profile: { publicName: 'EVE' }, entries: [] });
    const { code, stdout, stderr } = await program.run('developers', 'invite', 'eve');
    expect([code, stdout.length, stderr.length]).to.deep.equal([0, 1, 2]);
    expect(stderr[1]).to.equal('bob is already shown as "EVE", which looks like eve');
    expect((await program.run('developers', 'invite', 'bob')).stderr).to.have.length(1);
  });

  it('refuses a name that is probably misspelt, unless it is confirmed', async () => {
    const program = atNoon();
    await invite(program, 'operator');
    const { code, stdout, stderr } = await program.run('developers', 'invite', 'operatr', '--role', 'operator');
    expect([code, stdout]).to.deep.equal([2, []]);
    expect(stderr.join(' ')).to.include('no developer is named operatr, but one is operator; --new confirms the name');
    expect((await program.run('developers', 'invite', 'operatr', '--new')).code).to.equal(0);
  });

  it('fails when nobody took the link, and says what to do', async () => {
    const { code, stderr } = await atNoon().runWith({ stdout: NOBODY }, 'developers', 'invite', 'ada');
    expect(code).to.equal(1);
    expect(stderr).to.deep.equal(['The link for ada could not be shown. Please run "developers invite ada" again.']);
  });

  for (const name of ['Ada', 'a--b', '', 'oauth:ada', 'a'.repeat(65), 'ada lovelace', '../ada'])
    it(`refuses ${JSON.stringify(name.slice(0, 20))}, and opens no store for it`, async () => {
      const program = new Program();
      const { code, stdout, stderr } = await program.run('developers', 'invite', name);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: [] });
      expect(stderr[0]).to.match(/^NAME must be 1 to 64 lower-case letters/);
      expect(stderr.slice(1)).to.deep.equal(['See automation-marketplace developers invite --help']);
      expect(program.opened).to.equal(0);
    });
});

/** Three developers: Ada who has been active, Bob who was only invited, Eve who is suspended. */
async function threeDevelopers(): Promise<Program> {
  const program = atNoon();
  await panelOf(program).accept(await invite(program, 'ada'), { name: 'Ada', password: PASSWORD });
  await invite(program, 'bob');
  await invite(program, 'eve');
  await program.run('developers', 'suspend', 'eve');
  return program;
}

describe('The command developers list', () => {
  it('is an aligned table with the state of each', async () => {
    const { code, stdout, stderr } = await (await threeDevelopers()).run('developers', 'list');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: [] });
    expect(stdout.map((line) => line.split(/ {2,}/))).to.deep.equal([
      ['name', 'role', 'signs in as', 'added', 'link until', 'active since', 'suspended', 'subject', 'state'],
      ['eve', 'developer', '-', '2026-01-01T12:00Z', '2026-01-02T12:00Z', '-', '2026-01-01T12:00Z', '-', 'suspended'],
      ['bob', 'developer', '-', '2026-01-01T12:00Z', '2026-01-02T12:00Z', '-', '-', '-', 'invited'],
      ['ada', 'developer', 'Ada', '2026-01-01T12:00Z', '-', '2026-01-01T12:00Z', '-', '-', 'active'],
    ]);
    expect(new Set(stdout.map((line) => line.lastIndexOf('  ')))).to.have.property('size', 1);
  });

  it('is JSON on demand: snake case, RFC 3339, null where there is none', async () => {
    const { stdout } = await (await threeDevelopers()).run('developers', 'list', '--json');
    const [eve, , ada] = JSON.parse(stdout.join('\n')) as readonly Record<string, unknown>[];
    const noon = NOON.toISOString();
    expect(ada).to.deep.equal({
      name: 'ada',
      role: 'developer',
      sign_in_name: 'Ada',
      added_at: noon,
      invited_until: null,
      active_since: noon,
      suspended_at: null,
      state: 'active',
      identities: [],
      emergency_since: null,
    });
    expect(eve).to.include({
      sign_in_name: null,
      suspended_at: noon,
      invited_until: '2026-01-02T12:00:00.000Z',
      state: 'suspended',
    });
  });

  it('shows to operators by which issuer a person is known, and finds them by the subject', async () => {
    const program = await threeDevelopers();
    const identity = { issuer: 'https://id.example', subject: 'auth0|5f7c' };
    const id = await new Identities(program.developers).accountOf(identity);
    const list = async (...words: readonly string[]) =>
      (await program.run('developers', 'list', ...words)).stdout.map((line) => line.split(/ {2,}/));
    expect((await list('--find', 'auth0|5f7c')).map((cells) => [cells[0], cells.at(-2)])).to.deep.equal([
      ['name', 'subject'],
      [id, 'auth0|5f7c'],
    ]);
    const { stdout } = await program.run('developers', 'list', '--find', 'auth0|5f7c', '--json');
    const [person] = JSON.parse(stdout.join('')) as readonly Record<string, unknown>[];
    expect(person).to.deep.include({ name: id, identities: [identity] });
    expect((await list('--find', 'AD')).map(([name]) => name)).to.deep.equal(['name', 'ada']);
    expect(await list('--find', 'auth0')).to.have.length(1);
  });

  it('is headings alone, or an empty array, without developers', async () => {
    expect((await new Program().run('developers', 'list')).stdout).to.have.length(1);
    expect((await new Program().run('developers', 'list', '--json')).stdout).to.deep.equal(['[]']);
  });

  it('shows no password, no token, and no hash of one', async () => {
    const program = await threeDevelopers();
    const token = await invite(program, 'ada');
    const [ada] = await allDevelopers(program.developers);
    const hash = createHash('sha256').update(token).digest('hex');
    expect(ada?.invitation?.hash).to.equal(hash);
    for (const words of [[], ['--json']]) {
      const text = (await program.run('developers', 'list', ...words)).stdout.join('\n');
      expect(text).to.include('ada');
      for (const secret of [token, hash, PASSWORD, ada?.passwordHash ?? expect.fail()])
        expect(text).not.to.include(secret);
      expect(text).not.to.match(/scrypt|\$/);
    }
  });
});

describe('The command developers suspend and restore', () => {
  it('end the sessions, keep the account, and let it be again; again is no error', async () => {
    const program = await threeDevelopers();
    const panel = panelOf(program);
    const signedIn = await panel.signIn('ada', PASSWORD);
    const token = signedIn.outcome === 'signed-in' ? signedIn.token : expect.fail(signedIn.outcome);
    for (let time = 0; time < 2; time += 1)
      expect(await program.run('developers', 'suspend', 'ada')).to.deep.equal({
        code: 0,
        stdout: ['developer ada is suspended'],
        stderr: [],
      });
    expect(await panel.find(token)).to.equal(undefined);
    expect((await panel.signIn('ada', PASSWORD)).outcome).to.equal('suspended');
    for (let time = 0; time < 2; time += 1)
      expect(await program.run('developers', 'restore', 'ada')).to.deep.equal({
        code: 0,
        stdout: ['developer ada is restored'],
        stderr: [],
      });
    expect(await panel.find(token)).to.equal(undefined);
    expect((await panel.signIn('ada', PASSWORD)).outcome).to.equal('signed-in');
    expect(await deeds(program)).to.deep.equal(
      ['invited ada', 'invited bob', 'invited eve', 'suspended eve', 'suspended ada', 'restored ada'].map(
        (deed) => `operator developer-${deed}`,
      ),
    );
  });

  it('suspends a list of names and subjects, tells who is not known, and of no line that may mean two', async () => {
    const program = await threeDevelopers();
    const identities = new Identities(program.developers);
    const id = await identities.accountOf({ issuer: 'https://login.example', subject: 'S-1-5' });
    const twice = [];
    for (const issuer of ['https://one.example', 'https://other.example'])
      twice.push(await identities.accountOf({ issuer, subject: 'twice' }));
    await identities.accountOf({ issuer: 'https://login.example', subject: 'bob' });
    const list = 'ada\r\n\nS-1-5\nnobody\nEve and more\nS-1\ntwice\nbob';
    const { code, stdout, stderr } = await program.pipe(list, 'developers', 'suspend', '-');
    expect(code).to.equal(1);
    expect(stdout).to.deep.equal(['2 developers suspended; 3 lines with nobody here']);
    expect(stderr.map((line) => line.split(':')[0])).to.deep.equal(['line 7', 'line 8', '2 lines not done']);
    const suspended = (await allDevelopers(program.developers)).filter((one) => one.suspendedAt !== undefined);
    expect(suspended.map((one) => one.id)).to.have.members(['ada', 'eve', id]);
    const again = await program.pipe('ada\n', 'developers', 'suspend', '-');
    expect(again).to.deep.equal({ code: 0, stdout: ['1 developer suspended; 0 lines with nobody here'], stderr: [] });
  });

  it('are for one who has keys alone as well, who is then listed', async () => {
    const program = atNoon();
    await program.run('keys', 'issue', '--developer', 'ada');
    expect(await program.run('developers', 'restore', 'ada')).to.deep.equal({
      code: 0,
      stdout: ['developer ada is restored'],
      stderr: [],
    });
    expect(await program.run('developers', 'suspend', 'ada')).to.deep.equal({
      code: 0,
      stdout: ['developer ada is suspended'],
      stderr: [],
    });
    const [ada] = JSON.parse((await program.run('developers', 'list', '--json')).stdout.join('')) as readonly object[];
    const noon = NOON.toISOString();
    expect(ada).to.include({
      name: 'ada',
      added_at: noon,
      invited_until: null,
      suspended_at: noon,
      state: 'suspended',
    });
    await program.run('developers', 'restore', 'ada');
    expect((await program.run('developers', 'list')).stdout[1]).to.match(/^ada .* no-sign-in$/);
    expect(await allDevelopers(program.developers)).to.have.length(1);
    expect(await deeds(program)).to.deep.equal(
      ['developer-added', 'key-issued', 'developer-suspended', 'developer-restored'].map(
        (deed) => `operator ${deed} ada`,
      ),
    );
  });

  for (const verb of ['suspend', 'restore'])
    it(`${verb} fails for a name without invitation and key, and for a name that cannot be`, async () => {
      const program = new Program();
      for (const [name, exit, why] of [
        ['nobody', 1, /^there is no developer with this name$/],
        ['No Body', 2, /^(--developer|NAME) must be/],
      ] as const) {
        const { code, stdout, stderr } = await program.run('developers', verb, name);
        expect({ code, stdout }).to.deep.equal({ code: exit, stdout: [] });
        expect(stderr[0]).to.match(why);
      }
      expect(await deeds(program)).to.deep.equal([]);
    });
});

describe('The command developers rename', () => {
  it('changes the name to sign in with, and says so', async () => {
    const program = atNoon();
    await program.run('developers', 'invite', 'ada');
    const refused = await program.run('developers', 'rename', 'ada', 'Countess');
    expect(refused).to.deep.include({ code: 1, stdout: [] });
    expect(refused.stderr.join('')).to.include('has not signed in yet');
    const [invited] = await allDevelopers(program.developers);
    await program.developers.activate(invited?.invitation?.hash ?? '', activation('Ada', { at: NOON }));
    const { code, stdout } = await program.run('developers', 'rename', 'ada', 'Countess');
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: ['ada signs in as "Countess"'] });
    expect((await allDevelopers(program.developers))[0]).to.include({ id: 'ada', signInName: 'Countess' });
  });
});

describe('The command developers role', () => {
  it('changes what a developer may do, and an invitation does so only with --role', async () => {
    const program = atNoon();
    await program.run('developers', 'invite', 'ada', '--role', 'buyer');
    await invite(program, 'ada');
    expect((await allDevelopers(program.developers))[0]).to.include({ role: 'buyer' });
    const issued = await program.run('keys', 'issue', '--developer', 'ada');
    expect(issued.code).to.equal(0);
    expect((await allKeys(program.apiKeys))[0]?.scopes).to.deep.equal(['automations:read']);
    const refused = await program.run('keys', 'issue', '--developer', 'ada', '--scopes', 'automations:write');
    expect(refused.stdout).to.deep.equal([]);
    expect(refused.stderr[0]).to.include('must be among those of a buyer: automations:read');
    const { code, stdout } = await program.run('developers', 'role', 'ada', 'operator');
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: ['ada has the role operator'] });
    expect((await program.run('developers', 'list', '--json')).stdout.join('')).to.include('"role":"operator"');
    expect((await program.run('audit')).stdout.join('\n'))
      .to.include('role operator')
      .and.to.include('role buyer');
  });

  it('is refused for another role, which opens no store, and for whom nobody knows', async () => {
    const program = atNoon();
    for (const words of [
      ['role', 'ada', 'root'],
      ['role', 'ada'],
      ['invite', 'ada', '--role', 'Buyer'],
    ])
      expect((await program.run('developers', ...words)).code).to.equal(2);
    expect(program.opened).to.equal(0);
    expect((await program.run('developers', 'role', 'ada', 'buyer')).code).to.equal(1);
  });
});

describe('The command developers suspend --withdraw', () => {
  it('withdraws all that one developer sells, with the reason', async () => {
    const program = atNoon();
    const draft = { title: 'One', description: 'Two', price: 3, categoryId: 'sales' };
    const { marketplace } = program.session;
    for (let n = 0; n < 101; n += 1) await marketplace.createAutomation(ACME, draft);
    const bob = { ...ACME, developerId: parseDeveloperId('bob') };
    const { id } = await marketplace.createAutomation(bob, draft);
    await program.run('keys', 'issue', '--developer', 'acme');
    const words = ['developers', 'suspend', 'acme', '--withdraw', '--reason', 'Fraud'];
    expect(await program.run(...words)).to.deep.include({
      code: 0,
      stdout: ['developer acme is suspended; 101 automations withdrawn permanently'],
    });
    expect((await marketplace.listAutomations(bob)).items.map((item) => item.id)).to.deep.equal([id]);
    expect((await program.run(...words)).stdout[0]).to.include('; 0 automations withdrawn');
    for (const wrong of [
      ['--reason', 'Fraud'],
      ['--withdraw', '--reason', ''],
    ])
      expect((await program.run('developers', 'suspend', 'bob', ...wrong)).code).to.equal(2);
  });
});
