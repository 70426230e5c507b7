import { setTimeout } from 'node:timers/promises';
import {
  DomainError,
  newAutomation,
  newPage,
  type Automation,
  type AutomationId,
  type AutomationRepository,
  type DeveloperId,
} from '../../../application/index.js';
import { preloaded, Workplace, type ServiceProcess, type Settings } from '../process.js';
import { Findings, type Report } from '../soak-report.js';
import { TEST_CATEGORIES } from '../storages.js';
import { Client, draft, slugOf } from './client.js';

const RACERS = 100;

/**
 * D8: an id is added by many at once, through every handle on the store that there is; one gets it, the others a
 * conflict.
 */
export async function races(handles: readonly AutomationRepository[], count: number): Promise<Report> {
  const findings = new Findings();
  for (let n = 0; n < count; n += 1) {
    const offers = Array.from({ length: RACERS }, () => ({ automation: automationOf(n) }));
    const outcomes = await Promise.all(offers.map((offer, racer) => outcomeOf(handles[racer % handles.length], offer)));
    for (const outcome of outcomes) findings.count(outcome);
  }
  checkSums(findings, { stored: count, conflict: count * (RACERS - 1) });
  const total = (await handles[0]?.list({ page: newPage({}) }))?.total;
  findings.check(total === count, `the total is ${total}`);
  return findings;
}

/**
 * What gives two processes the same ids, one after the other: their randomness stands still, and with each SIGUSR2
 * their time is the next millisecond of another year.
 */
const SAME_ID = preloaded(
  'import crypto from "node:crypto";import{syncBuiltinESMExports}from"node:module";let round=0',
  'round+=1;const ' +
    'id="00000000-0000-4000-8000-"+String(round).padStart(12,"0");' +
    'const now=4e12+round;crypto.randomUUID=()=>id;Date.now=()=>now;syncBuiltinESMExports();' +
    'console.error("round "+round)',
);

/** D8 over HTTP: two processes are asked for many creates at once, and make the same ids for them. */
export async function racesOverHttp(count: number, settings: Settings = {}): Promise<Report> {
  const place = await Workplace.open({ ...settings, ...SAME_ID });
  try {
    const services = await Promise.all([place.serve(), place.serve()]);
    return await raceOverHttp(services, services.map(({ firstKey }) => firstKey).join(''), count);
  } finally {
    await place.clear();
  }
}

async function raceOverHttp(services: readonly ServiceProcess[], key: string, count: number): Promise<Report> {
  const findings = new Findings();
  const clients = services.map(({ url }) => new Client(url, key));
  const create = async (racer: number): Promise<void> => {
    const answer = await clients[racer % clients.length]?.post(draft(racer, { category_id: 'uncategorized' }));
    if (answer?.status === 201) findings.count('stored');
    else findings.count((answer && slugOf(answer)) ?? 'no answer');
  };
  for (let n = 1; n <= count; n += 1) {
    await Promise.all(services.map((service) => advance(service, n)));
    await Promise.all(Array.from({ length: RACERS }, (_, racer) => create(racer)));
  }
  const each = (count * RACERS) / services.length;
  checkSums(findings, { stored: each, conflict: each * (services.length - 1) });
  const total = await clients[0]?.total();
  findings.check(total === each, `the total is ${total}`);
  for (const client of clients) client.close();
  return findings;
}

async function advance(service: ServiceProcess, round: number): Promise<void> {
  service.signal('SIGUSR2');
  while (!service.stderr.includes(`round ${round}`)) await setTimeout(5);
}

function checkSums(findings: Findings, expected: Readonly<Record<'stored' | 'conflict', number>>): void {
  const { stored, conflict } = findings.figures;
  findings.check(stored === expected.stored, `${stored ?? 0} of ${expected.stored} were stored`);
  findings.check(conflict === expected.conflict, `${conflict ?? 0} of ${expected.conflict} were conflicts`);
}

async function outcomeOf(handle: AutomationRepository | undefined, offer: { automation: Automation }): Promise<string> {
  try {
    const [answer] = (await handle?.add([offer])) ?? [];
    return answer?.outcome ?? 'no answer';
  } catch (error) {
    return error instanceof DomainError ? error.kind : String(error);
  }
}

function automationOf(n: number): Automation {
  const id = `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}` as AutomationId;
  const draft = { title: 'One', description: 'Of many', price: 1, categoryId: 'communication' };
  const market = { currency: 'USD' as Parameters<typeof newAutomation>[1]['currency'], category: TEST_CATEGORIES[0] };
  return newAutomation(draft, market, { id, developerId: 'ada' as DeveloperId, createdAt: new Date(0) });
}
