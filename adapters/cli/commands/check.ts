import type { Difference } from '../../../domain/ports.js';
import { command } from '../command.js';
import { DONE, FAILED, say, withSession } from '../session.js';

export const check = command(
  {
    name: 'check',
    summary: 'counts everything again that is derived from the automations, also while the service runs',
    details: 'If something differs and is not repaired, the exit code is 1.',
    arguments: [],
    options: {
      repair: { summary: 'corrects what differs' },
      json: { summary: 'prints a JSON array' },
    },
  },
  async ({ options: { repair, json } }, host) => {
    const differences = await withSession(host, (session) => session.check({ repair }));
    for (const line of json ? jsonOf(differences) : reportOf(differences)) say(host.stdout, line);
    return differences.every(({ repaired }) => repaired) ? DONE : FAILED;
  },
);

function reportOf(differences: readonly Difference[]): readonly string[] {
  if (differences.length === 0) return ['nothing differs'];
  const repaired = differences.filter((difference) => difference.repaired).length;
  const noun = differences.length === 1 ? 'difference' : 'differences';
  const total = `${differences.length} ${noun}, ${repaired} repaired`;
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
