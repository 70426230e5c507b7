import { expect } from 'chai';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isKeyText } from '../../../domain/api-key.js';
import { instructionsOf } from '../../support/dockerfile.js';
import { LOCK, placesOfProgram } from '../../support/lock.js';

const {
  scripts: { start: START },
} = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----\n[A-Za-z0-9+/=\n]{100,}/;
/** In milliseconds: what is told for longer may no longer be true (RFC 9116, section 2.5.5). */
const YEAR = 365 * 24 * 60 * 60 * 1000;
const URI_WITH_PASSWORD = /\b[a-z][a-z+]*:\/\/[^\s:/@"'`]+:([^\s:/@"'`]{3,})@[a-z0-9.-]+/gi;
/** Of examples, tests and places where a word stands for one; a number is a port before a hostile host. */
/** Those by which the checksum itself is tested. */
const EXAMPLES = /^amk_(0{20}|ABCDEFGHIJ)/;
const NO_PASSWORD =
  /^(\d+([?#].*)?$|\$|Abc$|\.\.\.|secret|pass|pw|canary|hunter2|plant|[a-z]+-[a-z-]+|p@?ss|market|<|%|encodeURI)/i;

function tool(program: string, words: readonly string[]): string {
  return execFileSync(program, words, {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 60_000,
  });
}

/** The reason goes with the title: what was not looked at must not look as if it had passed. */
function skip(test: Mocha.Context, why: string): never {
  console.log(`    skipped: ${why}`);
  return test.skip();
}

describe('The supply chain, by its tools', () => {
  it('takes no package younger than a week', () => {
    expect(readFileSync('.npmrc', 'utf8')).to.match(/^min-release-age=7$/m);
  });

  it('has a bill of materials (CycloneDX) that lists the whole lock', () => {
    const { components } = JSON.parse(tool('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'])) as {
      components: { name: string; group?: string; version: string }[];
    };
    const listed = new Set(
      components.map(({ name, group, version }) => `${group ? `${group}/` : ''}${name}@${version}`),
    );
    const locked = Object.entries(LOCK).filter(([path]) => path !== '');
    const missing = locked
      .map(([path, { version = '' }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
      .filter((one) => !listed.has(one));
    expect(locked.length).to.be.greaterThan(100);
    expect(missing).to.deep.equal([]);
  });

  it('has no known hole of high or critical severity in what the program runs', function () {
    const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', timeout: 60_000 });
    const report = (stdout.startsWith('{') ? JSON.parse(stdout) : {}) as {
      vulnerabilities?: Record<string, { severity: string; nodes: string[] }>;
    };
    if (report.vulnerabilities === undefined) skip(this, 'npm audit has no registry to ask here');
    const places = placesOfProgram();
    const holes = Object.values(report.vulnerabilities).filter(
      ({ severity, nodes }) => /^(high|critical)$/.test(severity) && nodes.some((place) => places.has(place)),
    );
    expect(holes).to.deep.equal([]);
  });

  it('has no secret in its history', function () {
    if (!existsSync('.git')) skip(this, 'there is no history beside this package');
    const history = tool('git', ['log', '-p', '--no-color', '--max-count=500', '--', '.', ':!package-lock.json']);
    expect(history.length).to.be.greaterThan(10_000);
    expect(
      Array.from(history.matchAll(/amk_[0-9A-Za-z]{36}/g), ([key]) => key).filter(
        (key) => isKeyText(key) && !EXAMPLES.test(key),
      ),
    ).to.deep.equal([]);
    expect(PEM.exec(history)?.[0]).to.equal(undefined);
    const uris = Array.from(history.matchAll(URI_WITH_PASSWORD)).filter(
      ([, password = '']) => !NO_PASSWORD.test(password),
    );
    expect(uris.map(([uri]) => uri)).to.deep.equal([]);
  });

  it('has somebody to tell of holes, and says until when, less than a year ahead', () => {
    const page = readFileSync('SECURITY.md', 'utf8');
    expect(page).to.match(/^Contact: \S+/m);
    const [, expires = ''] = /^Expires: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/m.exec(page) ?? [];
    expect(Date.parse(expires)).to.be.within(Date.now(), Date.now() + YEAR);
  });
});

describe('The container image', () => {
  const steps = instructionsOf(readFileSync('deploy/Dockerfile', 'utf8'));
  const all = (name: string) => steps.filter((step) => step.name === name).map(({ rest }) => rest);
  const last = steps.slice(steps.findLastIndex(({ name }) => name === 'FROM'));

  it('is built on a version of Node that is pinned and maintained', () => {
    expect(all('FROM')).to.have.length(2);
    for (const from of all('FROM')) expect(from).to.match(/^node:2[2-9]\.\d+\.\d+-(slim|alpine)\b/);
  });

  it('has the program and what its lock names, ran no script, and has nothing of the build', () => {
    const [, installs = ''] = all('RUN');
    expect(installs).to.match(/^cp -r \S+\/automation-marketplace-server\/\. \. && npm ci --ignore-scripts /);
    expect(last.filter(({ name }) => name === 'COPY').map(({ rest }) => rest)).to.deep.equal([
      '--from=build /installed /app',
    ]);
  });

  it('runs as nobody special, gets signals itself, and is looked at', () => {
    expect(last.find(({ name }) => name === 'USER')?.rest).to.match(/^[1-9]\d*/);
    const command = [...all('ENTRYPOINT'), ...all('CMD')].flatMap((words) => JSON.parse(words) as string[]);
    expect(command).to.deep.equal(START.replace('dist/', '').split(' ').slice(1));
    expect(all('CMD').map((words) => JSON.parse(words) as string[])).to.deep.equal([['serve']]);
    expect(all('HEALTHCHECK').join()).to.match(/CMD \["node", "-e", ".*\/livez/);
    expect(all('ENV').join()).to.include('HOST=0.0.0.0');
  });

  it('is fed only with what it needs', () => {
    const [first, ...others] = readFileSync('.dockerignore', 'utf8').trim().split('\n');
    expect([first, others.filter((line) => !line.startsWith('!'))]).to.deep.equal(['*', []]);
    expect(others.join()).not.to.match(/test|bench|\.git|node_modules|data/);
  });
});

describe('The composition of containers', () => {
  const compose = readFileSync('deploy/compose-mongodb.yaml', 'utf8');

  it('is hardened, has two services and three servers, and no secret in it', () => {
    for (const line of [
      'read_only: true',
      'cap_drop: [ALL]',
      'no-new-privileges:true',
      'MONGODB_URL_FILE: /run/secrets/mongodb_url',
    ])
      expect(compose).to.include(line);
    expect(compose.match(/<<: \*marketplace$/gm)).to.have.length(2);
    expect(compose.match(/<<: \*mongo$/gm)).to.have.length(3);
    expect(compose.match(/^ {2}\w+: \{ file: \.\/secrets\//gm)).to.have.length(4);
    expect(compose).not.to.match(/:latest|password: \w/i);
  });

  it('over PostgreSQL is hardened, has two services and a server, and no secret in it', () => {
    const other = readFileSync('deploy/compose-postgresql.yaml', 'utf8');
    for (const line of [
      'read_only: true',
      'cap_drop: [ALL]',
      'no-new-privileges:true',
      'POSTGRES_URL_FILE: /run/secrets/postgres_url',
    ])
      expect(other).to.include(line);
    expect(other.match(/<<: \*marketplace$/gm)).to.have.length(2);
    expect(other.match(/<<: \*hardened$/gm)).to.have.length(2);
    expect(other.match(/^ {2}\w+: \{ file: \.\/secrets\//gm)).to.have.length(3);
    expect(other).not.to.match(/:latest|password: \w/i);
  });
});
