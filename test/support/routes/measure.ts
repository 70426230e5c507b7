import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '../../../bench/temporary.js';
import { Passwords } from '../../../application/accounts.js';
import { DomainError, SCOPES } from '../../../application/index.js';
import { overSqlite } from '../repositories.js';
import { portOf } from '../socket.js';
import { NAMES, TEXTS } from './contents.js';
import { Client } from './costs.js';
import { WITHOUT_ROUTE, WORST } from './requests.js';
import { requestText, type Who } from './send.js';
import { Stage } from './stage.js';
import { isUncounted, type Cost, type Row } from './table.js';

/** Of the same kind of text. The least counts: other work on the machine, and garbage, are none of the request's. */
const ROUNDS = 3;
/** Of requests that cost so little that the code must be compiled for them. */
const MORE_ROUNDS = 30;
const KINDS = TEXTS.length;

/** Measures the worst request of each row, one after the other, on SQLite; those last that nothing counts. */
export async function measuredRows(rows: readonly Row[], automations: number): Promise<readonly Row[]> {
  const repositories = overSqlite(join(temporaryFolder(), 'routes.db'));
  const stage = await Stage.open({ repositories, automations, accounts: automations, passwords: new Passwords() });
  await untilSearchable(stage);
  const client = Client.open();
  const own = await costOfNothing(client);
  const costs = new Map<string, Cost>();
  for (const row of [...rows.filter((one) => !isUncounted(one)), ...rows.filter(isUncounted)]) {
    const cost = await costOf(stage, client, row);
    const [loopMs, threadsMs] = [Math.max(0, cost.loopMs - own.loopMs), Math.max(0, cost.threadsMs - own.threadsMs)];
    costs.set(row.name, { ...cost, loopMs, threadsMs, turnMs: Math.min(cost.turnMs, loopMs) });
  }
  client.close();
  await stage.close();
  return rows.map((row) => ({ ...row, cost: costs.get(row.name) ?? row.cost }));
}

/** Returns what a request costs with the kind of text with which it costs most. */
async function costOf(stage: Stage, client: Client, row: Row): Promise<Cost> {
  const { name, who } = row;
  const costs: Cost[][] = TEXTS.map(() => []);
  const make = WORST[name] ?? WITHOUT_ROUTE[name];
  if (make === undefined) throw new Error(`${name} has no worst request`);
  // In the first rounds the code is compiled.
  for (let n = -KINDS; n < KINDS * (isUncounted(row) ? MORE_ROUNDS : ROUNDS); n += 1) {
    const request = await make(stage, n + KINDS);
    const text = requestText(stage, name, request, who as Who);
    await stage.offer();
    let answer = await client.cost(portOf(stage.service), text);
    if (answer.status === 429) {
      // Of bodies above 64 KiB, a developer has 20 a minute.
      await setTimeout(60_000);
      answer = await client.cost(portOf(stage.service), text);
    }
    const { status, ...cost } = answer;
    const isExpected = request.status === undefined ? status >= 200 && status <= 303 : status === request.status;
    if (!isExpected) throw new Error(`${name} was answered ${status}`);
    if (n >= 0) costs[n % KINDS]?.push(cost);
  }
  const most = (part: keyof Cost) => Math.max(...costs.map((ofKind) => Math.min(...ofKind.map((cost) => cost[part]))));
  return { loopMs: most('loopMs'), turnMs: most('turnMs'), threadsMs: most('threadsMs'), bytes: most('bytes') };
}

/** Returns what the measurement itself costs. */
async function costOfNothing(client: Client): Promise<Cost> {
  const costs: Cost[] = [];
  for (let n = 0; n < KINDS * ROUNDS; n += 1) costs.push(await client.cost(0, ''));
  return costs.reduce((least, cost) => (cost.loopMs < least.loopMs ? cost : least));
}

/** Waits for the index of words. */
async function untilSearchable({ core: { marketplace } }: Stage): Promise<void> {
  for (;;)
    try {
      await marketplace.listAutomations({ developerId: NAMES.seller, scopes: SCOPES }, { q: 'w' });
      return;
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'unavailable') throw error;
      await setTimeout(200);
    }
}
