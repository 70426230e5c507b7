import { expect } from 'chai';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { notRun } from '../../support/not-run.js';
import { MAIN, Workplace } from '../../support/process.js';

const run = promisify(execFile);
/** How many copies the script keeps. */
const KEPT = 14;

/** Declares a check of a file of deploy/ by a program; without it the check is left out. */
function itChecks(title: string, program: string, install: string, words: readonly string[]): void {
  const isThere = program.startsWith('/') ? existsSync(program) : spawnSync(program, ['--version']).error === undefined;
  if (!isThere) return void it(notRun(title, `${program}; ${install}`));
  it(title, async () => {
    const { stderr } = await run(program, words);
    expect(stderr).to.not.match(/\b(?:error|warning|ignoring|unknown)\b/i);
  });
}

describe('The files of deploy/', () => {
  itChecks('automation-marketplace.service is a unit, by systemd-analyze', 'systemd-analyze', 'install systemd', [
    'verify',
    'deploy/automation-marketplace.service',
  ]);
  itChecks('kubernetes.yaml has objects of Kubernetes, by their schemas', 'kubernetes-validate', 'pip has it', [
    '--strict',
    'deploy/kubernetes.yaml',
  ]);

  it('backup.sh copies the store and keeps the newest 14 copies', async () => {
    const place = await Workplace.open();
    await place.run(['keys', 'issue', '--developer', 'ada']);
    const to = place.path('copies');
    mkdirSync(to);
    for (let day = 10; day < 10 + KEPT + 3; day += 1)
      writeFileSync(join(to, `marketplace-202601${day}T031700Z.db`), '');
    cpSync('deploy/backup.sh', place.path('backup.sh'));
    const env = { PATH: process.env['PATH'], DATA_DIR: place.folder, MARKETPLACE: `${process.execPath} ${MAIN}` };
    const { stdout, stderr } = await run('sh', [place.path('backup.sh'), to], { env });
    expect([stdout, stderr]).to.deep.equal(['', '']);
    const copies = readdirSync(to).sort();
    expect(copies).to.have.length(KEPT);
    expect(copies[0]).to.equal('marketplace-20260114T031700Z.db');
    expect(copies.at(-1)).to.match(/^marketplace-20(?!2601)\d{6}T\d{6}Z\.db$/);
    await place.clear();
  });

  it('backup.sh tells where the copy is with --verbose, and what failed without it', async () => {
    const place = await Workplace.open();
    await place.run(['keys', 'issue', '--developer', 'ada']);
    cpSync('deploy/backup.sh', place.path('backup.sh'));
    const env = { PATH: process.env['PATH'], DATA_DIR: place.folder, MARKETPLACE: `${process.execPath} ${MAIN}` };
    mkdirSync(place.path('copies'));
    const { stdout } = await run('sh', [place.path('backup.sh'), '--verbose', place.path('copies')], { env });
    expect(stdout).to.match(/marketplace-\d{8}T\d{6}Z\.db is a copy of the store/);
    const failed = spawnSync('sh', [place.path('backup.sh'), place.path('nowhere')], { env, encoding: 'utf8' });
    expect([failed.status, failed.stdout]).to.deep.equal([1, '']);
    expect(failed.stderr).to.include('nowhere');
    await place.clear();
  });

  for (const file of ['compose.yaml', 'compose-postgresql.yaml', 'compose-mongodb.yaml'])
    it(`${file} does not start a service without its public address and the number of its proxies`, () => {
      const text = readFileSync(`deploy/${file}`, 'utf8');
      expect(text).to.match(/^ +PUBLIC_URL: \S*\$\{\w+:\?[^}]+\}$/m);
      expect(text).to.match(/^ +TRUSTED_PROXY_HOPS: (?:"1"|\$\{TRUSTED_PROXY_HOPS:-1\})$/m);
      const services = Array.from(text.matchAll(/^ {2}marketplace.*:\n(?: {4}.*\n)+/gm), ([service]) => service);
      expect(services.every((one) => one.includes('PUBLIC_URL') || one.includes('<<: *marketplace'))).to.equal(true);
      expect(services).to.not.have.length(0);
    });

  it('README.md gives the public address to each file that needs it', () => {
    const text = readFileSync('deploy/README.md', 'utf8');
    const lines = Array.from(text.matchAll(/^.*docker compose .*up --build$/gm), ([line]) => line);
    expect(lines).to.have.length(3);
    expect(lines.filter((line) => !/^(?:PUBLIC_URL=https:|DOMAIN=)/.test(line))).to.deep.equal([]);
  });

  it('kubernetes.yaml names the class of the ingress', () => {
    expect(readFileSync('deploy/kubernetes.yaml', 'utf8')).to.match(/^ {2}ingressClassName: \S+$/m);
  });
});
