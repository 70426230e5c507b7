import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { newKeyText } from '../../../domain/api-key.js';
import { Client, draft } from '../../support/service/client.js';
import { preloaded, Workplace, type ServiceProcess, type Settings } from '../../support/process.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { elsewhere } from './load/elsewhere.js';
import { closedLoop, LOADS, openLoop, type Asked, type Outcome, type Target } from './load/loads.js';
import { idleSockets, SOCKETS } from './load/sockets.js';
import { MIB, scrape } from './scrape.js';
import { portOf } from '../../support/socket.js';

const PAGE = '/api/automations?limit=20';
const USUAL_CLIENTS = 64;
/** With one key, the limit of a client would decide. */
const KEYS = 20;
/** Through fewer connections, twice the capacity cannot be sent. */
const MANY_CLIENTS = 1_500;
const TOGETHER = 50;
const BLOCK_MS = 500;

/** How many automations there are, and what is asked for. */
interface Demand {
  readonly stored: number;
  readonly asked: (keys: readonly string[]) => readonly Asked[];
  /** The share of the capacity that is served at twice the capacity. */
  readonly goodput: number;
}

/** Lists that cost hardly more than a refusal. */
export const NEWEST_PAGE: Demand = {
  stored: 100,
  asked: (keys) => keys.map((key) => ({ key, path: PAGE })),
  goodput: 0.05,
};

/** Lists that cost a few times as much: in turn ten times the pages that the store keeps. */
export const SCATTERED_PAGES: Demand = {
  stored: 20_000,
  goodput: 0.3,
  asked: (keys) =>
    Array.from({ length: 9_800 }, (_, n) => {
      const path = `/api/automations?limit=${52 + (n % 49)}&page=${((n * 37) % 200) + 1}`;
      return { key: keys[n % keys.length] ?? '', path };
    }),
};

export function closed(target: Target, connections: number, seconds: number): Promise<Outcome> {
  return elsewhere(LOADS, closedLoop, { ...target, connections, seconds }).result;
}

/** Over so many connections at most. */
export function open(target: Target, perSecond: number, seconds: number, connections?: number): Promise<Outcome> {
  return elsewhere(LOADS, openLoop, { ...target, perSecond, seconds, ...(connections && { connections }) }).result;
}

/** F2: twice of what it can do, each request sent when it is due; the load is a process of its own. */
export async function overload(seconds: number, demand: Demand, settings: Settings = {}, idle = 0): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open(settings);
  const keys = await issue(place, KEYS);
  const service = await place.serve();
  try {
    const target = await filled(service, demand, keys);
    const standing = elsewhere(SOCKETS, idleSockets, { port: target.port, count: idle });
    await closed(target, USUAL_CLIENTS, Math.min(5, seconds));
    const unloaded = await closed(target, USUAL_CLIENTS, Math.min(10, seconds));
    const capacity = unloaded.fine / unloaded.seconds;
    findings.check(
      unloaded.refused + unloaded.failed === 0,
      `of the usual ${unloaded.refused + unloaded.failed} were refused`,
    );
    findings.set('capacity a second', capacity);
    const livez = open({ ...target, asked: [{ key: '', path: '/livez' }] }, 10, seconds);
    const over = await open(target, 2 * capacity, seconds, MANY_CLIENTS);
    judge(over, capacity, demand.goodput, unloaded, findings);
    await judgeAfterwards(target, await livez, unloaded, findings);
    findings.atMost('RSS, MiB', await residentMib(service), idle > 0 ? 512 : 1_024);
    standing.tell('leave');
  } finally {
    await place.clear();
  }
  return findings;
}

function judge(over: Outcome, capacity: number, goodput: number, unloaded: Outcome, findings: Findings): void {
  findings.check(over.failed === 0, `${over.failed} were neither served nor shed: ${over.firstFailure}`);
  findings.set('sent a second', (over.fine + over.refused) / over.seconds);
  findings.set('not sent, all connections being busy', over.unsent);
  findings.atLeast('goodput to capacity', over.fine / over.seconds / capacity, goodput);
  findings.set('unloaded p99, ms', unloaded.fineP99);
  findings.atMost('accepted p99, ms', over.fineP99, 500);
  findings.set('shed p99, ms', over.refusedP99);
}

async function judgeAfterwards(target: Target, livez: Outcome, unloaded: Outcome, findings: Findings): Promise<void> {
  findings.check(
    livez.refused + livez.failed === 0,
    `/livez: ${livez.refused + livez.failed} were not 200: ${livez.firstFailure}`,
  );
  findings.atMost('/livez p99, ms', livez.fineP99, 250);
  await setTimeout(3_000);
  const after = await closed(target, USUAL_CLIENTS, 3);
  findings.check(after.refused + after.failed === 0, `afterwards ${after.refused + after.failed} were refused`);
  findings.atMost('p99 afterwards to unloaded', after.fineP99 / unloaded.fineP99, 4);
}

async function residentMib(service: ServiceProcess): Promise<number> {
  const sample = await scrape(service.url);
  return sample('process_resident_memory_bytes') / MIB;
}

/** Issues the keys of a number of developers. */
async function issue(place: Workplace, count: number): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { stdout } = await place.run(['keys', 'issue', '--developer', `client-${n}`]);
    keys.push(/amk_\w{36}/.exec(stdout)?.[0] ?? '');
  }
  return keys;
}

/** Fills the service with as many automations as are asked for. */
async function filled(service: ServiceProcess, { stored, asked }: Demand, keys: readonly string[]): Promise<Target> {
  const client = new Client(service.url, keys[0]);
  const offered = () => client.post(draft(0, { category_id: 'uncategorized' }));
  for (let n = 0; n < stored; n += TOGETHER) await Promise.all(Array.from({ length: TOGETHER }, offered));
  client.close();
  return { port: portOf(service), asked: asked(keys) };
}

/** F4: the loop is blocked by half a second of work; what waited is shed, and only that. */
export async function standstill(): Promise<Report> {
  const findings = new Findings();
  const work = `const used=()=>process.cpuUsage().user+process.cpuUsage().system;
    const end=used()+${BLOCK_MS}e3;while(used()<end);`;
  const place = await Workplace.open({ STORAGE: 'memory', ...preloaded('', work) });
  const service = await place.serve();
  const clients = Array.from({ length: 60 }, () => new Client(service.url, service.firstKey));
  await Promise.all(clients.map((client) => client.get('/automations')));
  const began = performance.now();
  const shed: number[] = [];
  const asking = clients.map(async (client) => {
    while (performance.now() - began < 5_000) {
      const { status } = await client.get('/automations');
      if (status === 503) shed.push(performance.now() - began);
      else findings.check(status === 200, `${status}`);
      await setTimeout(20);
    }
    client.close();
  });
  service.signal('SIGUSR2');
  await Promise.all(asking);
  findings.set('shed', shed.length);
  findings.check(shed.length > 0, 'nothing was shed');
  findings.atMost('first shed after, ms', shed[0] ?? NaN, 1_000);
  findings.atMost('last shed after the end of the block, ms', (shed.at(-1) ?? NaN) - BLOCK_MS, 2_000);
  await place.clear();
  return findings;
}

/** Another key for each request, none of which was ever issued. */
export const MADE_UP_KEYS: Demand['asked'] = () =>
  Array.from({ length: 20_000 }, () => ({ key: newKeyText(randomBytes), path: PAGE, status: 401 }));

/** F5: one key, unless told otherwise, sends as much as it can, and another key a little. */
export async function noisyNeighbour(
  seconds: number,
  parallel: number,
  settings: Settings = {},
  asked = NEWEST_PAGE.asked,
): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open(settings);
  const service = await place.serve();
  const target = await filled(service, NEWEST_PAGE, [service.firstKey]);
  const quiet = { ...target, asked: NEWEST_PAGE.asked(await issue(place, 1)) };
  await open(quiet, 20, 2);
  const alone = await open(quiet, 20, seconds);
  const noise = closed({ ...target, asked: asked([service.firstKey]) }, parallel, seconds + 2);
  await setTimeout(1_000);
  const beside = await open(quiet, 20, seconds);
  const { fine, refused, failed, firstFailure } = await noise;
  findings.check(
    beside.refused + beside.failed === 0,
    `${beside.refused} refused, ${beside.failed} failed: ${beside.firstFailure}`,
  );
  findings.check(failed === 0, `the noise: ${firstFailure}`);
  findings.set('noise served', fine);
  findings.set('noise refused', refused);
  findings.set('alone p99, ms', alone.fineP99);
  findings.atMost('beside p99, ms', beside.fineP99, 50);
  await place.clear();
  return findings;
}
