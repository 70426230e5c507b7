/**
 * Runs the reliability targets at full size: `npm run soak`, or `npm run soak -- D6` for one of them. Ends with 1 when
 * any fails.
 */
import { loadavg } from 'node:os';
import type { Report } from '../../support/soak-report.js';
import { hasMongo, HOW } from '../../support/mongod.js';
import { hasPostgres, POSTGRES_MISSING } from '../../support/postgres.js';
import { ROWS } from './rows.js';

const [wanted] = process.argv.slice(2);

if (!hasPostgres()) console.log(`skipped: what is on PostgreSQL. ${POSTGRES_MISSING}`);
if (!hasMongo()) console.log(`NOT RUN: what is on MongoDB, and E2 to E11. ${HOW}`);

if (wanted !== undefined && ROWS[wanted] === undefined) {
  console.error(`there is no ${wanted}; there are ${Object.keys(ROWS).join(', ')}`);
  process.exitCode = 2;
} else {
  for (const [row, runs] of Object.entries(ROWS))
    if (wanted === undefined || wanted === row)
      for (const [part, run] of Object.entries(runs)) if (!(await passes(`${row} ${part}`, run))) process.exitCode = 1;
}

async function passes(name: string, run: () => Promise<Report>): Promise<boolean> {
  const started = performance.now();
  const { figures, violations, excesses = [] } = await run().catch(failed);
  const told = Object.entries(figures).map(([figure, value]) => `${figure} ${value}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const passed = violations.length + excesses.length === 0;
  console.log(
    [
      `${passed ? 'pass' : 'FAIL'}  ${name}`,
      ...told,
      `${seconds} s`,
      `load average ${loadavg()[0]?.toFixed(1) ?? ''}`,
    ].join(' · '),
  );
  for (const violation of [...violations, ...excesses]) console.log(`      ${violation}`);
  return passed;
}

function failed(error: unknown): Report {
  return { figures: {}, violations: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
}
