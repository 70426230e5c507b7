import { expect } from 'chai';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
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
    await run('sh', [place.path('backup.sh'), to], { env });
    const copies = readdirSync(to).sort();
    expect(copies).to.have.length(KEPT);
    expect(copies[0]).to.equal('marketplace-20260114T031700Z.db');
    expect(copies.at(-1)).to.match(/^marketplace-20(?!2601)\d{6}T\d{6}Z\.db$/);
    await place.clear();
  });
});
