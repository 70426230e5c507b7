/** What the worst request of each route costs: `node dist/bench/routes.js [AUTOMATIONS]`. */
import { measuredRows } from '../test/support/routes/measure.js';
import { readRows, tablesOf } from '../test/support/routes/table.js';
import { machine, numbersGiven } from './figures.js';

const MAX_TURN_MS = 50;

const [automations = 2_000] = numbersGiven([2_000]);
const rows = await measuredRows(readRows(), automations);
console.log(tablesOf(rows));
console.log(`\n${machine()}`);
const missed = rows.filter(({ cost }) => cost.turnMs > MAX_TURN_MS).map(({ name }) => name);
console.log(missed.length === 0 ? 'none takes more than 50 ms without a turn' : `above 50 ms: ${missed.join(', ')}`);
process.exitCode = missed.length === 0 ? 0 : 1;
