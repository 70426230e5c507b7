import type { Result } from './run.js';

const MARKS = { held: '✔', broken: '✘', skipped: '–' } as const;

/** Of a group with more checks that hold, people see the number. */
const MAX_LISTED = 12;

/** Returns every check under its group, for people, with the reason if it is broken. */
export function textReport(results: readonly Result[]): readonly string[] {
  const groups = new Set(results.map(({ group }) => group));
  const lines = [...groups].flatMap((name) => [name, ...linesOf(results.filter(({ group }) => group === name)), '']);
  const { held, broken, skipped } = countsOf(results);
  return [...lines, `${held} held, ${broken} broken, ${skipped} skipped`];
}

function linesOf(results: readonly Result[]): readonly string[] {
  const held = results.filter(({ outcome }) => outcome === 'held');
  const isLong = held.length > MAX_LISTED;
  const listed = isLong ? results.filter(({ outcome }) => outcome !== 'held') : results;
  return [
    ...(isLong ? [`  ${MARKS.held} ${held.length} requests have the answers of the contract`] : []),
    ...listed.flatMap(({ outcome, title, reason }) => [
      `  ${MARKS[outcome]} ${title}`,
      ...(reason === undefined ? [] : [`      ${reason}`]),
    ]),
  ];
}

export function jsonReport(baseUrl: string, results: readonly Result[]): string {
  return JSON.stringify({ baseUrl, ...countsOf(results), results }, null, 2);
}

/** Returns the form that servers of continuous integration read. */
export function junitReport(results: readonly Result[]): string {
  const { broken, skipped } = countsOf(results);
  const cases = results.map(({ group, title, outcome, reason = '', duration }) => {
    const head = `  <testcase classname="${xml(group)}" name="${xml(title)}" time="${(duration / 1000).toFixed(3)}"`;
    if (outcome === 'held') return `${head}/>`;
    return `${head}>\n    <${outcome === 'broken' ? 'failure' : 'skipped'} message="${xml(reason)}"/>\n  </testcase>`;
  });
  const counts = `tests="${results.length}" failures="${broken}" skipped="${skipped}"`;
  const head = `<testsuite name="automation-marketplace conformance" ${counts}>`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...cases, '</testsuite>'].join('\n');
}

export function countsOf(results: readonly Result[]): Record<Result['outcome'], number> {
  const counts = { held: 0, broken: 0, skipped: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}

function xml(text: string): string {
  return text
    .replaceAll(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F]/g, '\uFFFD');
}
