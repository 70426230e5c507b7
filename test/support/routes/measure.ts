import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '../../../bench/temporary.js';
import { DomainError, Passwords, SCOPES } from '../../../application/index.js';
import { overSqlite } from '../repositories.js';
import { portOf } from '../socket.js';
import { NAMES, TEXTS } from './contents.js';
import { Client } from './costs.js';
import { WITHOUT_ROUTE, WORST } from './requests.js';
import { requestText, type Who } from './send.js';
import { Stage } from './stage.js';
import type { Cost, Row } from './table.js';

/** Of the same kind of text. The least counts: other work on the machine, and garbage, are none of the request's. */
const ROUNDS = 3;
const KINDS = TEXTS.length;

/** Measures the worst request of each row, one after the other, on SQLite. */
export async function* measuredRows(rows: readonly Row[], automations: number): AsyncGenerator<Row> {
  const repositories = overSqlite(join(temporaryFolder(), 'routes.db'));
  const stage = await Stage.open({ repositories, automations, accounts: automations, passwords: new Passwords() });
  await untilSearchable(stage);
  const client = Client.open();
  for (const row of rows) yield { ...row, cost: await costOf(stage, client, row) };
  client.close();
  await stage.close();
}

/** Returns what a request costs with the kind of text with which it costs most. */
async function costOf(stage: Stage, client: Client, { name, who }: Row): Promise<Cost> {
  const costs: Cost[][] = TEXTS.map(() => []);
  const make = WORST[name] ?? WITHOUT_ROUTE[name];
  if (make === undefined) throw new Error(`${name} has no worst request`);
  // In the first rounds the code is compiled.
  for (let n = -KINDS; n < KINDS * ROUNDS; n += 1) {
    const request = await make(stage, n + KINDS);
    const text = requestText(stage, name, request, who as Who);
    await stage.offer();
    const { status, ...cost } = await client.cost(portOf(stage.service), text);
    if (status !== (request.status ?? status) || status >= 500) throw new Error(`${name} was answered ${status}`);
    if (n >= 0) costs[n % KINDS]?.push(cost);
  }
  const most = (part: keyof Cost) => Math.max(...costs.map((ofKind) => Math.min(...ofKind.map((cost) => cost[part]))));
  return { loopMs: most('loopMs'), turnMs: most('turnMs'), threadsMs: most('threadsMs'), bytes: most('bytes') };
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
