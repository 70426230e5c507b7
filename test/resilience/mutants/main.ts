/**
 * Breaks every promise that the contract suites hold, one at a time: `npm run mutants`, or for some of the subjects
 * `npm run mutants -- archive storage`. Ends with 1 when a suite does not notice.
 */
import { MUTANTS, verdictsOn, verdictsOnUnchanged } from './run.js';

const started = performance.now();
const subjects = process.argv.slice(2);
const mutants = MUTANTS.filter(({ subject }) => subjects.length === 0 || subjects.includes(subject));
const verdicts = [...(await verdictsOnUnchanged()), ...(await verdictsOn(mutants))];
for (const { name, promise, caughtBy, fault } of verdicts) {
  console.log(
    [fault === undefined ? 'ok  ' : 'FAIL', name, promise, fault ?? ''].filter((part) => part !== '').join(' · '),
  );
  for (const title of caughtBy) console.log(`       ${title}`);
}
const faults = verdicts.filter(({ fault }) => fault !== undefined);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(
  `\n${mutants.length} mutants, ${mutants.length - faults.length} caught, ${faults.length} faults, ${seconds} s`,
);
if (faults.length > 0) process.exitCode = 1;
