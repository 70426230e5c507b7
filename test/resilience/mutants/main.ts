/**
 * Breaks every promise that the contract suites hold, one at a time: `npm run mutants`. Ends with 1 when a suite does
 * not notice.
 */
import { MUTANTS, verdictsOn, verdictsOnUnchanged } from './run.js';

const started = performance.now();
const verdicts = [...(await verdictsOnUnchanged()), ...(await verdictsOn(MUTANTS))];
for (const { name, promise, caughtBy, fault } of verdicts) {
  console.log(
    [fault === undefined ? 'ok  ' : 'FAIL', name, promise, fault ?? ''].filter((part) => part !== '').join(' · '),
  );
  for (const title of caughtBy) console.log(`       ${title}`);
}
const faults = verdicts.filter(({ fault }) => fault !== undefined);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(
  `\n${MUTANTS.length} mutants, ${MUTANTS.length - faults.length} caught, ${faults.length} faults, ${seconds} s`,
);
if (faults.length > 0) process.exitCode = 1;
