/**
 * What refusals cost next to legal requests and to a list, when they are counted, and what another customer waits
 * meanwhile: `node dist/bench/refusals.js [SECONDS [AUTOMATIONS]]`.
 */
import { join } from 'node:path';
import { Passwords } from '../application/accounts.js';
import { Client } from '../test/support/routes/costs.js';
import { REFUSING, type RefusingRoute } from '../test/support/routes/refusals.js';
import type { WorstRequest } from '../test/support/routes/worst-request.js';
import { requestText } from '../test/support/routes/send.js';
import { Stage } from '../test/support/routes/stage.js';
import { overSqlite } from '../test/support/repositories.js';
import { portOf } from '../test/support/socket.js';
import { BenchClient, type Task } from './refusals/client.js';
import { machine, numbersGiven, table } from './figures.js';
import { temporaryFolder } from './temporary.js';

/** The least of them counts: other work on the machine is none of the request's. */
const ROUNDS = 6;
const LIST: WorstRequest = { path: '/api/automations?limit=20' };
/** The limits of a service that is set up as it comes. */
const LIMITS = { RATE_LIMIT_READS: '600', RATE_LIMIT_CREATES: '60', RATE_LIMIT_PAGES: '300' };

type Make = NonNullable<RefusingRoute['legal']>;

interface Costs {
  readonly legalMs: number | undefined;
  readonly refusedMs: number;
  /** The refusal that costs most. */
  readonly worst: string;
}

const [seconds = 3, automations = 1_000] = numbersGiven([3, 1_000]);
const { listMs, costs } = await measuredCosts();
const rows = await measuredFloods();
const head = ['request', 'for', 'its worst refusal', 'legal, ms', 'refused, ms', 'to a list', 'counted'];
console.log(table([...head, 'other p50, ms', 'other p99, ms'], rows, 3));
console.log(`\nA list of 20 costs ${listMs.toFixed(1)} ms of CPU.\n${machine()}`);
const missed = rows.filter((cells) => !/^(?:-|before)/.test(cells[6] ?? ''));
console.log(missed.length === 0 ? 'each is counted before its body is read' : `${missed.length} are not`);
process.exit(missed.length === 0 ? 0 : 1);

function newStage(settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const repositories = overSqlite(join(temporaryFolder(), 'refusals.db'));
  return Stage.open({ repositories, automations, accounts: 10, passwords: new Passwords(), settings });
}

/** Measures the processor time of each request, one after the other, without limits. */
async function measuredCosts() {
  const stage = await newStage();
  const client = Client.open();
  const cpuMs = async ({ name, who }: Pick<RefusingRoute, 'name' | 'who'>, make: Make) => {
    const all: number[] = [];
    for (let n = -2; n < ROUNDS; n += 1) {
      const text = requestText(stage, name, await make(stage, n + ROUNDS), who);
      const { loopMs, threadsMs } = await client.cost(portOf(stage.service), text);
      if (n >= 0) all.push(loopMs + threadsMs);
    }
    return Math.min(...all);
  };
  const listMs = await cpuMs({ name: 'GET /automations', who: 'reading key' }, () => LIST);
  const costs = new Map<string, Costs>();
  for (const route of REFUSING) {
    const refused: (readonly [string, number])[] = [];
    for (const [what, make] of Object.entries(route.refused)) refused.push([what, await cpuMs(route, make)]);
    const [worst = '', refusedMs = NaN] = refused.sort(([, one], [, other]) => other - one)[0] ?? [];
    costs.set(route.name, { worst, refusedMs, legalMs: route.legal && (await cpuMs(route, route.legal)) });
  }
  client.close();
  await stage.close();
  return { listMs, costs };
}

/** Has one client send the worst refusal of each route at its limits, while another customer lists. */
async function measuredFloods(): Promise<readonly (readonly string[])[]> {
  const stage = await newStage(LIMITS);
  const [attacker, customer] = [new BenchClient(), new BenchClient()];
  const listing = async (n: number): Promise<Task> => {
    const key = await stage.service.key(`customer-${n}`, ['automations:read']);
    return taskOf(stage, requestText(stage, 'GET', { ...LIST, key }, 'anyone'), '127.0.0.1');
  };
  const alone = await customer.read(await listing(0), seconds);
  const rows = [['(no other client)', '', '', '', '', '', '-', ...percentiles(alone)]];
  for (const [n, route] of REFUSING.entries()) {
    const { worst, refusedMs, legalMs } = costs.get(route.name) as Costs;
    const task = taskOf(stage, await attackOf(stage, route, worst, n), `127.0.0.${n + 2}`);
    const reading = customer.read(await listing(n + 1), seconds);
    const isCounted = await attacker.flood(task, seconds);
    const times = await reading;
    const counted = !isCounted
      ? 'never'
      : (await attacker.isRefusedUnread(task))
        ? 'before the body'
        : 'after the body';
    const ms = [legalMs?.toFixed(1) ?? '-', refusedMs.toFixed(1), (refusedMs / listMs).toFixed(1)];
    rows.push([`\`${route.name}\``, route.who, worst, ...ms, counted, ...percentiles(times)]);
  }
  attacker.close();
  customer.close();
  await stage.close();
  return rows;
}

/** Returns the refusal as a client sends it that has not sent anything in this minute. */
async function attackOf(stage: Stage, { name, who, refused }: RefusingRoute, worst: string, n: number) {
  const request = (await refused[worst]?.(stage, n)) ?? LIST;
  if (who === 'anyone') return requestText(stage, name, request, who);
  const scopes = who === 'reading key' ? ['automations:read'] : undefined;
  if (who.endsWith('key'))
    return requestText(stage, name, { ...request, key: await stage.service.key(`attacker-${n}`, scopes) }, who);
  return requestText(stage, name, { ...request, visitor: (await stage.newMember()).visitor }, 'member');
}

function taskOf(stage: Stage, request: string, localAddress: string): Task {
  return { port: portOf(stage.service), request, localAddress };
}

function percentiles(ascending: readonly number[]): readonly string[] {
  return [0.5, 0.99].map((share) => (ascending[Math.ceil(ascending.length * share) - 1] ?? NaN).toFixed(1));
}
