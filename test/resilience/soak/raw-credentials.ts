import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { CORE } from '../../../composition/tokens.js';
import { openCore } from '../../support/core.js';
import { PASSWORD } from '../../support/panel.js';
import { preloaded, Workplace, type ServiceProcess } from '../../support/process.js';
import { overSqlite } from '../../support/repositories.js';
import { Client } from '../../support/service/client.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { OPERATOR } from '../../../domain/access.js';

const LINGER_MS = 1_000;

interface Planted {
  readonly keys: readonly string[];
  readonly sessions: readonly string[];
}

/** I1: a heap snapshot holds none of the keys and cookies whose requests ended a second before. */
export async function rawCredentialsAreForgotten(count: number): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open();
  const file = place.path('service.heapsnapshot');
  try {
    const stored = await store(place, count);
    const service = await place.serve(snapshotAtSignal(file));
    await use(service, stored, findings);
    await setTimeout(LINGER_MS);
    const planted = [...stored.keys, ...stored.sessions];
    const heap = await heapOf(service, file);
    const kept = planted.filter((credential) => heap.includes(credential));
    findings.set('planted', planted.length);
    findings.set('kept', kept.length);
    findings.check(kept.length === 0, `the heap holds ${kept.length} of ${planted.length} planted credentials`);
  } finally {
    await place.clear();
  }
  return findings;
}

function snapshotAtSignal(file: string) {
  const name = JSON.stringify(file);
  return preloaded(
    'import{writeHeapSnapshot}from"node:v8"',
    `writeHeapSnapshot(${name});console.error("snapshot written")`,
  );
}

/** Stores developers before the service starts, each with a key and a session. Returns the keys and the tokens. */
async function store(place: Workplace, count: number): Promise<Planted> {
  const { container, repositories } = await openCore({ repositories: overSqlite(place.database) });
  const planted = { keys: new Array<string>(), sessions: new Array<string>() };
  for (let n = 0; n < count; n += 1) {
    const developer = `developer-${n}`;
    planted.keys.push((await container.get(CORE).keys.issue(OPERATOR, { developer })).text);
    const { token } = await container.get(CORE).accounts.invite(OPERATOR, developer);
    const account = { name: `${developer}@example.com`, password: PASSWORD };
    planted.sessions.push((await container.get(CORE).sessions.accept(token, account)).token);
  }
  await container.get(CORE).audit.settled();
  await repositories.close();
  return planted;
}

/** Uses every key and every session once. */
async function use({ url }: ServiceProcess, { keys, sessions }: Planted, findings: Findings): Promise<void> {
  const client = new Client(url);
  const expect = (status: number) => findings.check(status === 200, `a planted credential was answered ${status}`);
  for (const key of keys) expect((await client.get('/automations', { authorization: `Bearer ${key}` })).status);
  for (const token of sessions)
    expect((await client.send('/panel/keys', { headers: { cookie: `panel-session=${token}` } })).status);
  client.close();
}

async function heapOf(service: ServiceProcess, file: string): Promise<string> {
  service.signal('SIGUSR2');
  while (!service.stderr.includes('snapshot written')) await setTimeout(50);
  return readFile(file, 'utf8');
}
