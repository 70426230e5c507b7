import { measuredRows } from '../../support/routes/measure.js';
import { readRows } from '../../support/routes/table.js';
import { Findings, type Report } from '../../support/soak-report.js';

const MAX_TURN_MS = 50;
const MAX_FREE_MS = 1;

/** I15: no request keeps the event loop for long, and what nothing counts costs next to nothing. */
export async function routes(automations: number): Promise<Report> {
  const findings = new Findings();
  const most = { turnMs: 0, bytes: 0 };
  for (const { name, limits, cost } of await measuredRows(readRows(), automations)) {
    findings.count('routes');
    most.turnMs = Math.max(most.turnMs, cost.turnMs);
    most.bytes = Math.max(most.bytes, cost.bytes);
    if (cost.turnMs > MAX_TURN_MS) findings.atMost(`${name}: turn, ms`, cost.turnMs, MAX_TURN_MS);
    if (limits.includes('none')) findings.atMost(`${name}: CPU, ms`, cost.loopMs + cost.threadsMs, MAX_FREE_MS);
  }
  findings.set('longest turn, ms', most.turnMs);
  findings.set('longest response, bytes', most.bytes);
  return findings;
}
