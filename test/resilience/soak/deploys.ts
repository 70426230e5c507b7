import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, created, draft } from '../../support/service/client.js';
import { preloaded, UNBUNDLED, Workplace, type ServiceProcess } from '../../support/process.js';
import { RawClient } from '../../support/raw.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { elsewhere } from './load/elsewhere.js';
import { BALANCED, balancedCreates } from './load/balanced.js';
import { open } from './overload.js';
import { portOf } from '../../support/socket.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
export const BY_NPM = ['npm', '--prefix', ROOT, 'start'];
const DRAIN_SECONDS = 2;

interface Deploys {
  readonly clients: number;
  readonly restarts: number;
  /** At least so many are created, however often it takes to restart. */
  readonly creates: number;
  readonly command?: readonly string[];
}

/** F6: two processes over one store are restarted in turn under load, and no client sees an error. */
export async function deploys({ clients, restarts, creates, command }: Deploys): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open({ DRAIN_SECONDS: String(DRAIN_SECONDS) });
  try {
    const services = [await place.serve({}, command), await place.serve({}, command)];
    const [first] = services as [ServiceProcess, ServiceProcess];
    const body = JSON.stringify(draft(1, { category_id: 'uncategorized' }));
    const ports = () => services.map(portOf);
    const load = elsewhere(BALANCED, balancedCreates, { ports: ports(), key: first.firstKey, clients, body });
    const reader = new Client(first.url, first.firstKey);
    await setTimeout(1_000);
    for (let n = 0; n < restarts; n += 1) {
      await stopped(services[n % 2] as ServiceProcess, findings);
      services[n % 2] = await place.serve({}, command);
      load.tell(ports());
      await setTimeout(1_500);
    }
    const total = async () => new Client((services[0] as ServiceProcess).url, first.firstKey).total();
    while ((await total()) < creates) await setTimeout(500);
    load.tell('end');
    const { created: acknowledged, failures } = await load.result;
    findings.set('restarts', restarts);
    findings.set('created', acknowledged);
    for (const failure of failures) findings.check(false, failure);
    findings.check((await total()) === acknowledged, `${await total()} are stored`);
    reader.close();
    for (const service of services) await stopped(service, findings);
  } finally {
    await place.clear();
  }
  return findings;
}

async function stopped(service: ServiceProcess, findings: Findings): Promise<void> {
  const began = performance.now();
  const code = await service.stop();
  findings.check(code === 0, `the exit code is ${String(code)}`);
  const took = Math.max(findings.figures['longest stop, s'] ?? 0, (performance.now() - began) / 1000);
  findings.atMost('longest stop, s', took, DRAIN_SECONDS + 5);
}

const urlOf = (path: string) => JSON.stringify(new URL(`../../../adapters/sql/${path}`, import.meta.url).href);
const STUCK = `import {SqlAutomationRepository as R} from ${urlOf('automations.js')};
  import {SqliteConnection as D} from ${urlOf('sqlite/connection.js')};
  R.prototype.find=()=>new Promise((go)=>setTimeout(go,30000));
  const close=D.prototype.close;
  D.prototype.close=function(){const closed=close.call(this);console.error('closed');return closed}`;

/**
 * F7: one request that takes 30 s, one half sent and one unused socket do not keep it from ending; the first is cut
 * off.
 */
export async function stuckAtShutdown(): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open(preloaded(STUCK));
  const service = await place.serve({}, UNBUNDLED);
  const client = new Client(service.url, service.firstKey);
  const stuck = client.get('/automations/01930000-0000-7000-8000-000000000000').then(
    () => 'answered',
    () => 'aborted',
  );
  const half = await RawClient.open(portOf(service));
  half.say('POST /api/automations HTTP/1.1\r\nHost: x\r\n');
  const unused = await RawClient.open(portOf(service));
  await setTimeout(500);
  const began = performance.now();
  const code = await service.stop();
  findings.atMost('exit after, s', (performance.now() - began) / 1000, 10);
  findings.check(code === 0, `the exit code is ${String(code)}`);
  findings.check((await stuck) === 'aborted', 'the stuck request was answered');
  const aborted = service.logged().filter((line) => line.includes('"aborted":true')).length;
  findings.set('aborted', aborted);
  findings.check(aborted === 1, `${aborted} were aborted`);
  findings.check(service.stderr.join().includes('closed'), 'the store was not closed');
  for (const socket of [half, unused]) socket.destroy();
  client.close();
  await place.clear();
  return findings;
}

/** F7: a connection that only stands there does not keep it from ending when it has drained. */
export async function idleAtShutdown(): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open({ DRAIN_SECONDS: '0' });
  const service = await place.serve();
  const client = new Client(service.url, service.firstKey);
  await client.get('/automations');
  const began = performance.now();
  const code = await service.stop();
  findings.atMost('exit after, s', (performance.now() - began) / 1000, 1);
  findings.check(code === 0, `the exit code is ${String(code)}`);
  client.close();
  await place.clear();
  return findings;
}

/** F8: however many ask whether it is ready, the store is asked once a second; and the answer is true. */
export async function probes(perSecond: number, seconds: number): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open({ DRAIN_SECONDS: '2' });
  const down = place.path('down');
  const counted = `import {SqliteConnection as D} from ${urlOf('sqlite/connection.js')};
    import {existsSync} from 'node:fs';
    let pings=0;
    const {get}=Object.getOwnPropertyDescriptor(D.prototype,'query');
    Object.defineProperty(D.prototype,'query',{get(){const run=get.call(this);return async(sql,values)=>{
      if(sql==='SELECT 1 AS one'){pings+=1;if(existsSync(${JSON.stringify(down)}))throw new Error('down')}
      return run(sql,values)}}})`;
  const service = await place.serve(preloaded(counted, 'console.error("pings",pings)'), UNBUNDLED);
  const client = new Client(service.url);
  const status = async (path: string) => (await client.send(path)).status;
  const pings = await pingsOf(service);
  const asked = await open({ port: portOf(service), asked: [{ key: '', path: '/readyz' }] }, perSecond, seconds);
  findings.set('asked', asked.fine);
  findings.check(
    asked.refused + asked.failed === 0,
    `${asked.refused} not ready, ${asked.failed} failed: ${asked.firstFailure}`,
  );
  const while_ = (await pingsOf(service)) - pings;
  findings.set('pings', while_);
  findings.check(
    while_ >= 1 && while_ <= asked.seconds + 2,
    `the store was asked ${while_} times in ${asked.seconds} s`,
  );
  const alive = await pingsOf(service);
  for (let n = 0; n < 100; n += 1) findings.check((await status('/livez')) === 200, 'not alive');
  findings.check((await pingsOf(service)) === alive, '/livez asks the store');
  writeFileSync(down, '');
  findings.atMost('503 after the store is gone, ms', await until(async () => (await status('/readyz')) === 503), 1_500);
  findings.check((await status('/livez')) === 200, 'not alive without its store');
  rmSync(down);
  findings.atMost('200 after it is back, ms', await until(async () => (await status('/readyz')) === 200), 1_500);
  const answer = await client.send('/readyz');
  findings.check(!/\d+\.\d+|node|sqlite|koa/i.test(answer.text), `it tells too much: ${answer.text}`);
  service.signal();
  findings.atMost('503 after SIGTERM, ms', await until(async () => (await status('/readyz')) === 503), 100);
  findings.check((await service.ended) === 0, 'the exit code is not 0');
  client.close();
  await place.clear();
  return findings;
}

async function pingsOf(service: ServiceProcess): Promise<number> {
  const told = service.stderr.length;
  service.signal('SIGUSR2');
  await until(async () => service.stderr.length > told);
  return Number(service.stderr.at(-1)?.split(' ')[1]);
}

/** In milliseconds; not a number if it never comes. */
async function until(holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  while (performance.now() - began < 15_000) {
    if (await holds()) return performance.now() - began;
    await setTimeout(10);
  }
  return NaN;
}

/**
 * F11: amid creates something fails that nobody has caught; the process ends with 1, and what it acknowledged is there.
 */
export async function lastResort(code: string, clients: number): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open(preloaded('', code));
  const service = await place.serve();
  const acknowledged = new Set<string>();
  const creating = Array.from({ length: clients }, async (_, n) => {
    const client = new Client(service.url, service.firstKey);
    try {
      for (;;) acknowledged.add(created(await client.post(draft(n, { category_id: 'uncategorized' }))).id);
    } catch {
      client.close();
    }
  });
  await setTimeout(1_000);
  const began = performance.now();
  service.signal('SIGUSR2');
  findings.check((await service.ended) === 1, 'the exit code is not 1');
  findings.atMost('exit after, s', (performance.now() - began) / 1000, 5);
  await Promise.all(creating);
  findings.check(
    service.logged().some((line) => line.includes('"level":60')),
    'it was not logged',
  );
  const reader = new Client((await place.serve()).url, service.firstKey);
  const stored = new Set(await reader.ids());
  findings.set('acknowledged', acknowledged.size);
  findings.check(acknowledged.size > 0, 'nothing was created');
  for (const id of acknowledged) findings.check(stored.has(id), `${id} is lost`);
  reader.close();
  await place.clear();
  return findings;
}
