import { expect } from 'chai';
import type { App } from '../../../domain/app.js';
import { OPERATOR, parseDeveloperId } from '../../../domain/access.js';
import { signedIn } from '../../support/signed-in.js';
import { Program } from './harness.js';

const REDIRECT = 'https://ledger.example/back';

async function register(program: Program, developer: string, name: string): Promise<App> {
  const by = signedIn({ developerId: parseDeveloperId(developer) });
  const made = await program.session.apps?.register(by, { name, kind: 'web', redirectUris: [REDIRECT] });
  if (made === undefined) throw new Error('there are no apps');
  return made.app;
}

/** Returns a program on a storage without records of an authorization server. */
function withoutRecords(): Program {
  const program = new Program();
  Object.assign(program.session, { apps: undefined });
  return program;
}

describe('The command apps list', () => {
  it('is a table, the latest first, of all developers or of one', async () => {
    const program = new Program();
    const first = await register(program, 'acme', 'Ledger');
    const second = await register(program, 'other', 'Books');
    const { code, stdout, stderr } = await program.run('apps', 'list');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: [] });
    expect(stdout.map((line) => line.split(/ {2,}/).slice(0, 5))).to.deep.equal([
      ['id', 'developer', 'name', 'kind', 'redirect addresses'],
      [second.id, 'other', 'Books', 'web', REDIRECT],
      [first.id, 'acme', 'Ledger', 'web', REDIRECT],
    ]);
    const own = await program.run('apps', 'list', '--developer', 'acme');
    expect(own.stdout.slice(1).map((line) => line.split(/ {2,}/)[0])).to.deep.equal([first.id]);
  });

  it('is JSON on demand: snake case, RFC 3339, no secret and no hash', async () => {
    const program = new Program();
    const app = await register(program, 'acme', 'Ledger');
    const { stdout } = await program.run('apps', 'list', '--json');
    expect(JSON.parse(stdout.join('\n'))).to.deep.equal([
      {
        id: app.id,
        developer: 'acme',
        name: 'Ledger',
        kind: 'web',
        redirect_uris: [REDIRECT],
        scopes: ['automations:read', 'automations:write'],
        created_at: app.createdAt.toISOString(),
      },
    ]);
  });

  it('lists 120 apps in one array', async () => {
    const program = new Program();
    for (let n = 0; n < 120; n += 1) await register(program, `dev-${n % 3}`, `app ${n}`);
    const apps = JSON.parse((await program.run('apps', 'list', '--json')).stdout.join('\n')) as { name: string }[];
    expect(apps.map(({ name }) => name)).to.deep.equal(Array.from({ length: 120 }, (_, n) => `app ${119 - n}`));
  });

  it('says that a developer is unknown, and refuses one that cannot be', async () => {
    const unknown = await new Program().run('apps', 'list', '--developer', 'nobody');
    expect(unknown).to.deep.include({ code: 0, stderr: ['no developer named nobody'] });
    const wrong = await new Program().run('apps', 'list', '--developer', 'Not A Slug');
    expect([wrong.code, wrong.stderr[0]?.startsWith('--developer must be')]).to.deep.equal([2, true]);
  });
});

describe('The command apps revoke', () => {
  it('revokes an app as the operator, with an entry in the audit', async () => {
    const program = new Program();
    const app = await register(program, 'acme', 'Ledger');
    const { code, stdout } = await program.run('apps', 'revoke', app.id);
    expect([code, stdout]).to.deep.equal([0, [`app ${app.id} is revoked`]]);
    expect((await program.run('apps', 'list', '--json')).stdout).to.deep.equal(['[]']);
    const [entry] = (await program.audit.list(OPERATOR)).items;
    expect(entry).to.include({ actor: 'operator', action: 'app-revoked', developerId: 'acme', subject: app.id });
    expect((await program.run('audit')).stdout[1])
      .to.include('app-revoked')
      .and.include(app.id);
  });

  it('fails for an id that no app has', async () => {
    for (const id of ['01900000-0000-7000-8000-000000000000', 'nothing']) {
      const { code, stderr } = await new Program().run('apps', 'revoke', id);
      expect([code, stderr]).to.deep.equal([1, ['there is no app with this id']]);
    }
  });
});

describe('The command apps rotate-keys', () => {
  it('prints the id of the new key alone on stdout, and says what it means', async () => {
    const { code, stdout, stderr } = await new Program().run('apps', 'rotate-keys');
    expect([code, stdout]).to.deep.equal([0, ['a-new-key']]);
    expect(stderr.join()).to.include('The old one is accepted until its last token ends');
    expect((await new Program().run('apps', 'rotate-keys', '--help')).stdout.join('\n')).to.include('The old one');
  });
});

for (const words of [['list'], ['revoke', 'x'], ['rotate-keys']])
  describe(`The command apps ${words[0]} on a storage without records of an authorization server`, () => {
    it('fails with a sentence', async () => {
      expect(await withoutRecords().run('apps', ...words)).to.deep.equal({
        code: 1,
        stdout: [],
        stderr: ['This storage keeps no records of an authorization server: it has no apps.'],
      });
    });
  });
