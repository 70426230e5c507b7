import { setTimeout } from 'node:timers/promises';
import { Client, created, draft, type Answer } from '../../support/service/client.js';
import { Findings, type Report } from '../../support/soak-report.js';
import type { ReplicaSet } from '../../support/replica-set.js';
import { again, onServices, type Event } from './service-load.js';

const CLIENTS = 8;

/**
 * E6: a client that creates through one process sees it through another at once, by its address and on the first
 * page; also while something happens.
 */
export function readYourWrites(set: ReplicaSet, count: number, event?: Event): Promise<Report> {
  return onServices(set, 2, async ({ services, key }) => {
    const findings = new Findings();
    const stop = new AbortController();
    const happening = event && again(set, event, findings, stop.signal);
    const [writer, reader] = services.map(({ url }) => new Client(url, key)) as [Client, Client];
    const numbers = Array.from({ length: count }, (_, n) => n).values();
    const seller = async (): Promise<void> => {
      for (const n of numbers) await check(writer, reader, n, findings);
    };
    await Promise.all(Array.from({ length: CLIENTS }, seller));
    stop.abort();
    await happening;
    for (const client of [writer, reader]) client.close();
    return findings;
  });
}

async function check(writer: Client, reader: Client, n: number, findings: Findings): Promise<void> {
  const made = await answered(() => writer.post(draft(n, { category_id: 'uncategorized' }), `read-${n}`), findings);
  const { id } = created(made);
  const read = await answered(() => reader.get(made.headers.location?.replace('/api', '') ?? ''), findings);
  findings.check(
    read.status === 200 && read.text === made.text,
    `its address was answered ${read.status} ${read.text}`,
  );
  const list = await answered(() => reader.get('/automations?limit=100'), findings);
  findings.check(
    list.status === 200 && list.text.includes(`"${id}"`),
    `it is not on the first page, which was answered ${list.status}`,
  );
  findings.count('seen');
}

/** Asked again for as long as the store is out of reach, which is told. */
async function answered(ask: () => Promise<Answer>, findings: Findings): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    findings.count('asked again');
    await setTimeout(Number(answer.headers['retry-after'] ?? 1) * 100);
  }
}
