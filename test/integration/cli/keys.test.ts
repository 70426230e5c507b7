import { expect } from 'chai';
import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/api-key-repository.js';
import { isKeyText, type ApiKey } from '../../../domain/api-key.js';
import { NOBODY, Program, type Outcome } from './harness.js';
import { OPERATOR } from '../../../domain/access.js';
import { issuedKeys } from '../../support/lists.js';

const DAY = 24 * 60 * 60 * 1000;

function idIn({ stderr }: Outcome): string {
  return stderr.at(-1)?.split(' ').at(-1) ?? '';
}

async function onlyKey(program: Program): Promise<ApiKey> {
  const [key, ...others] = await issuedKeys(program.session.keys);
  expect(others).to.have.length(0);
  if (key === undefined) throw new Error('there is no key');
  return key;
}

describe('The command keys issue', () => {
  it('prints the key alone on stdout, and its id last on stderr', async () => {
    const program = new Program();
    const issued = await program.run('keys', 'issue', '--developer', 'acme');
    expect(issued.code).to.equal(0);
    expect(issued.stdout).to.have.length(1);
    expect(issued.stdout[0]).to.satisfy(isKeyText);
    const key = await onlyKey(program);
    expect(issued.stderr).to.deep.equal([
      'acme is new here',
      `Key "API key" for acme, id ${key.id}; never expires. Store it now: it is not shown again.`,
      `id ${key.id}`,
    ]);
    expect(idIn(issued)).to.equal(key.id);
    expect(key).to.include({ developerId: 'acme', name: 'API key' }).and.not.have.property('expiresAt');
    expect(key.scopes).to.deep.equal(['automations:read', 'automations:write']);
  });

  it('fails when nobody took the key, and names the one to revoke; so does a rotation', async () => {
    const program = new Program();
    await program.run('developers', 'invite', 'acme');
    const lost = await program.runWith({ stdout: NOBODY }, 'keys', 'issue', '--developer', 'acme', '--name', 'Laptop');
    const [key] = await issuedKeys(program.session.keys);
    const why = (id = '') => [
      `The key "Laptop" of acme was created but could not be shown. Please revoke it; its id is ${id}`,
    ];
    expect(lost).to.deep.include({ code: 1, stderr: why(key?.id) });
    const rotated = await program.runWith({ stdout: NOBODY }, 'keys', 'rotate', idIn(lost));
    expect(rotated).to.deep.include({ code: 1, stderr: why(idIn(rotated)) });
    expect(idIn(rotated)).not.to.equal(idIn(lost));
    expect((await program.run('keys', 'revoke', idIn(rotated))).code).to.equal(0);
  });

  it('says beside the key that its developer is suspended, and so does a rotation', async () => {
    const program = new Program();
    const first = await program.run('keys', 'issue', '--developer', 'acme');
    await program.run('developers', 'suspend', 'acme');
    const rotated = await program.run('keys', 'rotate', idIn(first));
    const issued = await program.run('keys', 'issue', '--developer', 'acme');
    for (const { code, stdout, stderr } of [rotated, issued]) {
      expect(code).to.equal(0);
      expect(stdout[0]).to.satisfy(isKeyText);
      expect(stderr).to.have.length(3);
      expect(stderr[0]).to.equal('acme is suspended: this key works only after "developers restore acme"');
      expect(stderr[2]).to.match(/^id [0-9a-f-]{36}$/);
    }
  });

  it('takes a name, scopes and a lifetime', async () => {
    const program = new Program();
    const words = ['--developer=acme', '--name', 'for CI', '--scopes', 'automations:read', '--expires', '90d'];
    const issued = await program.run('keys', 'issue', ...words);
    const key = await onlyKey(program);
    expect(key).to.include({ developerId: 'acme', name: 'for CI' });
    expect(key.scopes).to.deep.equal(['automations:read']);
    expect(Number(key.expiresAt) - Number(key.createdAt)).to.equal(90 * DAY);
    expect(issued.stderr[1]).to.contain(`expires ${key.expiresAt?.toISOString() ?? ''}`);
  });

  const lifetimes: readonly (readonly [string, number])[] = [
    ['45s', 45_000],
    ['30m', 30 * 60_000],
    ['12h', DAY / 2],
    ['2d', 2 * DAY],
  ];
  for (const [text, milliseconds] of lifetimes)
    it(`reads ${text}`, async () => {
      const program = new Program();
      await program.run('keys', 'issue', '--developer', 'acme', '--expires', text);
      const { expiresAt, createdAt } = await onlyKey(program);
      expect(Number(expiresAt) - Number(createdAt)).to.equal(milliseconds);
    });

  it('refuses what the core refuses as wrong usage, says what is allowed, opens no store', async () => {
    const refusals: readonly (readonly [option: string, value: string, message: RegExp])[] = [
      ['developer', 'Not A Slug', /^(--developer|NAME) must be 1 to 64 lower-case letters/],
      [
        'scopes',
        'automations:delete',
        /^--scopes must be one or more of automations:read, automations:write, library:read$/,
      ],
      ['scopes', '', /^--scopes must be one or more of/],
      ['name', ' ', /^--name must have 1 to 100 characters$/],
      ['expires', '0s', /^--expires must be from 1 second to 100 years$/],
    ];
    for (const [option, value, message] of refusals) {
      const program = new Program();
      const developer = option === 'developer' ? [] : ['--developer', 'acme'];
      const { code, stdout, stderr } = await program.run('keys', 'issue', ...developer, `--${option}`, value);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: [] });
      expect(stderr[0]).to.match(message);
      expect(program.opened).to.equal(0);
    }
  });
});

describe('The command keys issue for a developer who is not known', () => {
  it('issues the key and says that they are new, once', async () => {
    const program = new Program();
    expect((await program.run('keys', 'issue', '--developer', 'carol')).stderr[0]).to.equal('carol is new here');
    expect((await program.run('keys', 'issue', '--developer', 'carol')).stderr).to.have.length(2);
  });

  it('does not call a developer new when the key could not be stored', async () => {
    const apiKeys = new InMemoryApiKeyRepository();
    apiKeys.add = () => Promise.reject(new Error('the disk is full'));
    const program = new Program({ apiKeys });
    const { code, stderr } = await program.run('keys', 'issue', '--developer', 'carol');
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: ['the disk is full'] });
  });

  it('refuses a name that is one letter off another, unless --new confirms it', async () => {
    const program = new Program();
    await program.run('developers', 'invite', 'ada-lovelace');
    for (const name of ['ada-lovelac', 'ada-lovelaces', 'ada-lovelade']) {
      const refused = await program.run('keys', 'issue', '--developer', name);
      expect(refused).to.deep.equal({
        code: 2,
        stdout: [],
        stderr: [
          `no developer is named ${name}, but one is ada-lovelace; --new confirms the name`,
          'See automation-marketplace keys issue --help',
        ],
      });
      expect((await program.run('keys', 'issue', '--developer', name, '--new')).code).to.equal(0);
    }
  });

  it('takes the names of a series, which differ in a digit', async () => {
    const program = new Program();
    for (const name of ['client-1', 'client-2', 'client-10', 'client'])
      expect((await program.run('keys', 'issue', '--developer', name)).code, name).to.equal(name === 'client' ? 2 : 0);
  });
});

describe('The command keys list', () => {
  async function threeKeys(): Promise<Program> {
    let time = Date.now() - 2 * DAY;
    const program = new Program({ now: () => new Date(time) });
    await program.session.keys.issue(OPERATOR, { developer: 'acme', name: 'old', lifetime: DAY });
    time += 2 * DAY;
    const { key } = await program.session.keys.issue(OPERATOR, { developer: 'acme', name: 'lost' });
    await program.session.keys.revoke(OPERATOR, key.id);
    await program.session.keys.issue(OPERATOR, { developer: 'other', name: 'new', scopes: ['automations:read'] });
    return program;
  }

  it('is an aligned table with the state of each key', async () => {
    const { code, stdout, stderr } = await (await threeKeys()).run('keys', 'list');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: [] });
    expect(stdout.map((line) => line.split(/ {2,}/).at(-1))).to.deep.equal(['state', 'active', 'revoked', 'expired']);
    const places = stdout.map((line) => line.lastIndexOf('  '));
    expect(new Set(places)).to.have.property('size', 1);
  });

  it('aligns wide and combining characters, and escapes what could command a terminal', async () => {
    const program = new Program();
    for (const name of ['日本', 'e\u0301a', 'x'])
      await program.run('keys', 'issue', '--developer', 'acme', '--name', name);
    const [key] = await issuedKeys(program.session.keys);
    const strange = { id: 'x' as ApiKey['id'], hash: 'y', name: 'a\u001b[2J\nb\u202e' };
    if (key) await program.apiKeys.add({ key: { ...key, ...strange }, entries: [] });
    const { stdout } = await program.run('keys', 'list');
    expect(stdout).to.have.length(5);
    expect(stdout[1]).to.contain('a\\u001b[2J\\u000ab\\u202e  automations:read');
    const names = stdout.map((line) => line.slice(line.indexOf('acme') + 11, line.indexOf('automations:')));
    expect(names.slice(2)).to.deep.equal([`x${' '.repeat(24)}`, `e\u0301a${' '.repeat(23)}`, `日本${' '.repeat(21)}`]);
  });

  it('lists 250 keys, the latest first, in one table and in one array', async () => {
    let time = 0;
    const program = new Program({ now: () => new Date((time += 1000)) });
    for (let n = 0; n < 250; n += 1)
      await program.session.keys.issue(OPERATOR, { developer: `dev-${n % 25}`, name: `key ${n}` });
    const newestFirst = Array.from({ length: 250 }, (_, n) => `key ${249 - n}`);
    const table = (await program.run('keys', 'list')).stdout;
    expect(table.slice(1).map((line) => line.split(/ {2,}/)[3])).to.deep.equal(newestFirst);
    const json = (await program.run('keys', 'list', '--json')).stdout.join('\n');
    expect((JSON.parse(json) as { name: string }[]).map(({ name }) => name)).to.deep.equal(newestFirst);
  });

  it('is of one developer on demand', async () => {
    const { stdout } = await (await threeKeys()).run('keys', 'list', '--developer', 'other');
    expect(stdout).to.have.length(2);
    expect(stdout[1]).to.contain('other');
  });

  it('is JSON on demand: snake case, RFC 3339, null where there is none, no hash', async () => {
    const program = await threeKeys();
    const { stdout } = await program.run('keys', 'list', '--json');
    const [fresh, lost, old] = JSON.parse(stdout.join('\n')) as readonly Record<string, unknown>[];
    const keys = await issuedKeys(program.session.keys);
    expect(fresh).to.deep.equal({
      id: keys[2]?.id,
      prefix: keys[2]?.prefix,
      developer: 'other',
      name: 'new',
      scopes: ['automations:read'],
      created_at: keys[2]?.createdAt.toISOString(),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
      state: 'active',
    });
    expect(old).to.include({ state: 'expired', expires_at: keys[0]?.expiresAt?.toISOString() });
    expect(lost).to.include({ state: 'revoked', revoked_at: keys[1]?.revokedAt?.toISOString() });
  });

  it('is an empty JSON array without keys', async () => {
    expect((await new Program().run('keys', 'list', '--json')).stdout).to.deep.equal(['[]']);
  });

  it('never shows a key or its hash', async () => {
    const program = new Program();
    const { stdout: issued } = await program.run('keys', 'issue', '--developer', 'acme');
    const { hash } = await onlyKey(program);
    for (const words of [[], ['--json']]) {
      const text = (await program.run('keys', 'list', ...words)).stdout.join('\n');
      expect(text).to.contain('amk_').and.not.contain(issued[0]).and.not.contain(hash);
    }
  });

  it('says that a developer is unknown', async () => {
    const { code, stderr } = await new Program().run('keys', 'list', '--developer', 'nobody');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: ['no developer named nobody'] });
  });

  it('refuses a developer that cannot be', async () => {
    const { code, stderr } = await new Program().run('keys', 'list', '--developer', 'Not A Slug');
    expect(code).to.equal(2);
    expect(stderr[0]).to.match(/^(--developer|NAME) must be/);
  });
});

describe('The command keys rotate', () => {
  it('prints a successor as issue does, and lets the old key work on for the overlap', async () => {
    const program = new Program();
    const first = await program.run('keys', 'issue', '--developer', 'acme', '--name', 'CI');
    const second = await program.run('keys', 'rotate', idIn(first), '--overlap', '1h');
    expect(second.code).to.equal(0);
    expect(second.stdout[0]).to.satisfy(isKeyText).and.not.equal(first.stdout[0]);
    const [old, successor] = await issuedKeys(program.session.keys);
    expect(idIn(second)).to.equal(successor?.id);
    expect(successor).to.include({ name: 'CI', developerId: 'acme' });
    expect(Number(old?.expiresAt) - Date.now()).to.be.closeTo(DAY / 24, 60_000);
  });

  it('leaves a day without --overlap, and nothing with 0s', async () => {
    for (const [words, overlap] of [
      [[], DAY],
      [['--overlap', '0s'], 0],
    ] as const) {
      const program = new Program();
      await program.run('keys', 'rotate', idIn(await program.run('keys', 'issue', '--developer', 'acme')), ...words);
      const [old] = await issuedKeys(program.session.keys);
      expect(Number(old?.expiresAt) - Date.now()).to.be.closeTo(overlap, 60_000);
    }
  });

  it('fails for an unknown key and for one that has ended', async () => {
    const program = new Program();
    const id = idIn(await program.run('keys', 'issue', '--developer', 'acme'));
    await program.run('keys', 'revoke', id);
    for (const [key, message] of [
      ['unknown', 'there is no key with this id'],
      [id, 'this key is revoked or expired'],
    ] as const) {
      const { code, stdout, stderr } = await program.run('keys', 'rotate', key);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: [] });
      expect(stderr[0]).to.contain(message);
    }
  });
});

describe('The command keys revoke', () => {
  it('ends a key; again is no error', async () => {
    const program = new Program();
    const id = idIn(await program.run('keys', 'issue', '--developer', 'acme'));
    for (let time = 0; time < 2; time += 1) {
      const { code, stdout } = await program.run('keys', 'revoke', id);
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: [`key ${id} is revoked`] });
    }
    expect((await onlyKey(program)).revokedAt).to.be.instanceOf(Date);
  });

  it('fails for an unknown key', async () => {
    const { code, stderr } = await new Program().run('keys', 'revoke', 'unknown');
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: ['there is no key with this id'] });
  });
});
