import type { Command } from '@commander-js/extra-typings';
import type { Difference } from '../../../domain/ports.js';
import { exit, FAILED } from '../program.js';
import { say, withSession, type Host } from '../session.js';
import { counted } from '../terminal/words.js';

/** The commands that work on the store as a whole. */
export function addStore(program: Command, host: Host): void {
  program
    .command('check')
    .description('counts everything again that is derived from the automations, also while the service runs')
    .option('--repair', 'corrects what differs')
    .option('--json', 'prints a JSON array')
    .addHelpText('after', '\nIf something differs and is not repaired, the exit code is 1.')
    .action(async ({ repair = false, json }) => {
      const differences = await withSession(host, (session) => session.check({ repair }));
      for (const line of json ? jsonOf(differences) : reportOf(differences)) say(host.stdout, line);
      if (!differences.every(({ repaired }) => repaired)) exit(FAILED);
    });
  program
    .command('backup <FILE>')
    .description('copies the SQLite store to a new file, also while the service runs')
    .action(async (file) => {
      await withSession(host, (session) => session.backup(file));
      say(host.stderr, `${file} is a copy of the store; "restore ${file}" puts it in the place of the store`);
    });
  program
    .command('restore <FILE>')
    .description('puts a backup in the place of the SQLite store, which is kept; stop the service before')
    .action(async (file) => {
      const kept = await host.restore(file);
      say(host.stdout, `the store is now a copy of ${file}`);
      if (kept !== undefined) say(host.stdout, `the earlier store is kept as ${kept}`);
    });
}

function reportOf(differences: readonly Difference[]): readonly string[] {
  if (differences.length === 0) return ['nothing differs'];
  const repaired = differences.filter((difference) => difference.repaired).length;
  const total = `${counted(differences.length, 'difference')}, ${repaired} repaired`;
  const advice = repaired < differences.length ? '; "check --repair" corrects what differs' : '';
  return [...differences.map(lineOf), total + advice];
}

function lineOf({ description, repaired }: Difference): string {
  return `${description}; ${repaired ? 'repaired' : 'not repaired'}`;
}

function jsonOf(differences: readonly Difference[]): readonly string[] {
  const members = differences.map(({ description, repaired }) => ({ description, repaired }));
  return JSON.stringify(members, null, 2).split('\n');
}
