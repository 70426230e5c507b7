import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { mongoStorage, newMongoClient } from '../../../adapters/mongodb/index.js';
import type { Currency } from '../../../domain/currency.js';
import type { Storage } from '../../../domain/ports.js';
import { auditEntry, mixedOffers, store } from '../../contracts/offers.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { dropWithSessions } from '../../support/mongodb.js';
import { MarketModel } from './market-model.js';

const WORKER = fileURLToPath(new URL('./market-worker.js', import.meta.url));
const CATEGORIES = ['tools', 'games', 'mail', 'ads'];
const MAX_SECONDS = 5;
const PRELOADED = 500;

export interface MarketRun {
  readonly processes: number;
  readonly seconds: number;
  /** The seconds between two kills; none without. */
  readonly killEach?: number;
}

/**
 * Lets several processes add, revise, withdraw and list at once, and kills one of them again and again. Then compares
 * every list with a model, and what is stored with what was acknowledged.
 */
export async function runMarket(url: string, database: string, run: MarketRun): Promise<Report> {
  const client = newMongoClient(url);
  const storage = mongoStorage(client.db(database));
  await storage.prepare({ currency: 'USD' as Currency });
  const preloaded = await preload(storage);
  const workers = Array.from({ length: run.processes }, () => new Worker(url, database));
  const findings = new Findings();
  const end = performance.now() + run.seconds * 1_000;
  while (performance.now() < end) {
    await setTimeout(
      1_000 * Math.min(run.killEach ?? run.seconds, Math.max(0, end - performance.now()) / 1_000 + 0.01),
    );
    if (run.killEach === undefined || performance.now() >= end) continue;
    await workers[Math.floor(Math.random() * workers.length)]?.restart();
    findings.count('kills');
  }
  for (const worker of workers) await worker.kill();
  const lines = [...preloaded, ...workers.flatMap(({ output }) => linesOf(output))];
  const model = new MarketModel(
    lines as ConstructorParameters<typeof MarketModel>[0],
    await sequenceIn(client.db(database)),
  );
  model.check(findings);
  await compare(model, storage, findings);
  await storage.close();
  await dropWithSessions(client.db(database));
  await client.close();
  return findings;
}

/** Adds automations that all workers change, in two blocks. Returns the lines of this call. */
async function preload({ automations }: Storage): Promise<readonly object[]> {
  const offers = mixedOffers(PRELOADED).map((each, n) => ({ ...each, auditEntry: auditEntry(n) }));
  await store(automations, ...offers);
  const added = offers.map(({ automation, auditEntry: entry }) => ({
    automation: automation.id,
    category: automation.categoryId,
    entry: entry.id,
  }));
  return [
    { id: 'preload', began: 0, kind: 'add', added },
    { id: 'preload', ended: 0 },
  ];
}

async function compare(model: MarketModel, storage: Storage, findings: Findings): Promise<void> {
  const { archive, auditLog, automations } = storage;
  findings.set('lists', model.lists);
  findings.set('acknowledged', model.acknowledged.length);
  findings.set('longest call ms', model.longestSeconds * 1_000);
  findings.check(model.lists > 0 && model.acknowledged.length > 0, 'nothing was done');
  findings.check(model.longestSeconds < MAX_SECONDS, `a call took ${model.longestSeconds} s`);
  for (const failure of model.failures) findings.check(false, failure);
  for (const { description } of await storage.check({ repair: false })) findings.check(false, description);
  const stored = new Set<string>();
  for (let after; ;) {
    const part = await archive.scan({ order: 'oldest-first', limit: 1_000, ...(after && { after }) });
    for (const { automation } of part) stored.add(automation.id);
    after = part.at(-1)?.automation.id;
    if (after === undefined) break;
  }
  const lost = model.acknowledged.filter((id) => !stored.has(id));
  findings.check(lost.length === 0, `${lost.length} acknowledged automations are missing`);
  const onSale = (await automations.list({ page: { number: 1, limit: 1 } })).total;
  findings.set('on sale at the end', onSale);
  const entries = new Set<string>();
  for (let before; ;) {
    const part = await auditLog.list({ limit: 1_000, ...(before && { before }) });
    for (const { id } of part) entries.add(id);
    before = part.at(-1)?.id;
    if (before === undefined) break;
  }
  const unrecorded = model.entries.filter((id) => !entries.has(id));
  findings.set('entries', model.entries.length);
  findings.check(unrecorded.length === 0, `${unrecorded.length} acknowledged actions have no entry`);
}

async function sequenceIn(db: ReturnType<ReturnType<typeof newMongoClient>['db']>) {
  const documents = await db
    .collection('automations')
    .find({}, { projection: { seq: 1 } })
    .toArray();
  return new Map(documents.map(({ _id, seq }) => [String(_id), Number(seq)]));
}

/** The last line of a killed process may be incomplete. */
function linesOf(output: string): readonly unknown[] {
  return output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as unknown);
}

/** A process that is started again when it was killed, under another name. */
class Worker {
  static count = 0;
  output = '';
  #child: ChildProcess;

  constructor(
    private readonly url: string,
    private readonly database: string,
  ) {
    this.#child = this.#start();
  }

  async restart(): Promise<void> {
    await this.kill();
    this.#child = this.#start();
  }

  async kill(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  #start(): ChildProcess {
    const name = `worker-${(Worker.count += 1)}`;
    const words = [WORKER, this.url, this.database, name, ...CATEGORIES];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    return child;
  }
}
