import Libsql from 'libsql';
import { setTimeout } from 'node:timers/promises';
import { newMongoClient } from '../../../adapters/mongodb/index.js';
import { runSql } from '../postgres.js';
import type { ServiceProcess, Workplace } from '../process.js';
import { Findings, type Report } from '../soak-report.js';
import { Client, created, draft } from './client.js';
import { Load } from './load.js';

const CATEGORY = 'uncategorized';

/** D2: each key is sent many times at once, to the processes in turn. */
export async function duplicates(
  services: readonly ServiceProcess[],
  key: string,
  counts: { keys: number; sends: number },
): Promise<Report> {
  const findings = new Findings();
  const clients = services.map(({ url }) => new Client(url, key));
  const before = (await clients[0]?.total()) ?? 0;
  for (let n = 0; n < counts.keys; n += 1) {
    const bodies = new Set<string>();
    const send = async (turn: number): Promise<void> => {
      const answer = await clients[turn % clients.length]?.post(draft(n, { category_id: CATEGORY }), `duplicate-${n}`);
      findings.count(String(answer?.status));
      if (answer?.status === 201) bodies.add(answer.text);
      else
        findings.check(
          answer?.status === 409 && /^[1-9]/.test(answer.headers['retry-after'] ?? ''),
          answer?.text ?? 'no answer',
        );
    };
    await Promise.all(Array.from({ length: counts.sends }, (_, turn) => send(turn)));
    findings.check(bodies.size === 1, `${bodies.size} automations were answered for one key`);
  }
  findings.set('stored', ((await clients[0]?.total()) ?? 0) - before);
  findings.check(findings.figures['stored'] === counts.keys, 'the total is not that of the keys');
  for (const client of clients) client.close();
  return findings;
}

/** Whether the numbers of so many automations are without a gap. */
type Count = (count: number) => Promise<boolean>;

/** Creates through all processes at once, and looks for a number that is missing, given twice or counted wrongly. */
export async function creates(
  services: readonly ServiceProcess[],
  key: string,
  each: number,
  isCount: Count,
): Promise<Report> {
  const findings = new Findings();
  const acknowledged = new Set<string>();
  const run = async (client: Client, from: number): Promise<void> => {
    for (let n = from; n < from + each; n += 1) {
      const answer = await client.post(draft(n, { category_id: n % 2 === 0 ? CATEGORY : 'crm-and-sales' }));
      findings.check(answer.status === 201, `a create was answered ${answer.status} ${answer.text}`);
      acknowledged.add(created(answer).id);
      findings.check(
        (await client.get(`/automations/${created(answer).id}`)).status === 200,
        'a create is not seen where it was made',
      );
    }
  };
  const clients = [...services, ...services, ...services].map(({ url }) => new Client(url, key));
  await Promise.all(clients.map((client, n) => run(client, n * each)));
  for (const client of clients.slice(0, services.length)) {
    const ids = await client.ids();
    findings.check(
      ids.length === acknowledged.size && new Set(ids).size === ids.length,
      `${ids.length} are listed of ${acknowledged.size}`,
    );
    findings.check(
      ids.every((id) => acknowledged.has(id)),
      'something is listed that was not acknowledged',
    );
  }
  for (const client of clients) client.close();
  findings.set('acknowledged', acknowledged.size);
  findings.check(await isCount(acknowledged.size), 'more or fewer are stored than were acknowledged');
  return findings;
}

/** In the store that a place has its processes on, whichever that is. */
export function countIn({ environment, database }: Workplace): Count {
  const { STORAGE, MONGODB_URL = '', POSTGRES_URL = '', POSTGRES_SCHEMA } = environment;
  if (STORAGE === 'mongodb') return (count) => hasMongo(MONGODB_URL, count);
  if (STORAGE === 'postgresql') return (count) => hasPostgres(POSTGRES_URL, `"${POSTGRES_SCHEMA}".automations`, count);
  return async (count) => hasSqlite(database, count);
}

async function hasPostgres(url: string, table: string, count: number): Promise<boolean> {
  const [stored] = await runSql(url, `SELECT count(*) FROM ${table}`);
  return Number(stored?.['count']) === count;
}

async function hasMongo(url: string, count: number): Promise<boolean> {
  const client = newMongoClient(url);
  const stored = await client
    .db()
    .collection('automations')
    .countDocuments({ created_at: { $exists: true } });
  await client.close();
  return stored === count;
}

function hasSqlite(file: string, count: number): boolean {
  const database = new Libsql(file, { readonly: true });
  const [stored] = database.prepare('SELECT count(*) FROM automations').raw().get() as [number];
  database.close();
  return stored === count;
}

/** A process, and for how long it may honour a key that ended elsewhere. */
export interface Honouring {
  readonly service: ServiceProcess;
  readonly seconds: number;
}

/**
 * A8: a key that some processes serve is revoked by another; how long each of them still honours it, from when the
 * command has ended.
 */
export async function revocation(place: Workplace, served: readonly Honouring[], rate: number): Promise<Report> {
  const findings = new Findings();
  const issued = await place.run(['keys', 'issue', '--developer', 'ada']);
  const loads = served.map(
    ({ service, seconds }) => new Honoured(new Client(service.url, issued.stdout.trim()), rate, seconds),
  );
  await setTimeout(500);
  const { code } = await place.run(['keys', 'revoke', issued.stderr.trim().split(' ').at(-1) ?? '']);
  findings.check(code === 0, 'the key was not revoked');
  const revokedAt = performance.now();
  await setTimeout(Math.max(...served.map(({ seconds }) => seconds)) * 1000 + 500);
  for (const load of loads) await load.report(revokedAt, findings);
  return findings;
}

/** Requests with one key to one process. */
class Honoured {
  readonly #letIn: number[] = [];
  readonly #load: Load;
  #refused = 0;

  constructor(
    private readonly client: Client,
    rate: number,
    private readonly seconds: number,
  ) {
    this.#load = new Load(rate, async () => {
      const start = performance.now();
      const { status } = await client.get('/automations?limit=1');
      if (status === 200) this.#letIn.push(start);
      else if (status === 401) this.#refused += 1;
      else throw new Error(`a request was answered ${status}`);
    });
  }

  async report(revokedAt: number, findings: Findings): Promise<void> {
    await this.#load.stop();
    this.client.close();
    const late = this.#letIn.map((start) => start - revokedAt).filter((after) => after > 0);
    findings.count('let in', this.#letIn.length);
    findings.count('refused', this.#refused);
    findings.count(`late at ${this.seconds} s`, late.length);
    findings.set(`last at ${this.seconds} s, ms`, Math.max(0, ...late));
    findings.check(
      late.every((after) => after <= this.seconds * 1000),
      'a revoked key was honoured for too long',
    );
    findings.check(
      this.#letIn.length > 10 && this.#refused > 5,
      'the requests did not come before and after the revocation',
    );
  }
}
