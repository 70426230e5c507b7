import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import type { AutomationId } from '../../../domain/automation.js';
import type { Currency } from '../../../domain/currency.js';
import type { Storage } from '../../../domain/ports.js';
import { auditEntry, mixedOffers, store } from '../../contracts/offers.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { MarketModel } from './market-model.js';
import { newPlace, openPlace, removePlace, type Place } from '../../support/place.js';

const WORKER = fileURLToPath(new URL('./market-worker.js', import.meta.url));
const CATEGORIES = ['tools', 'games', 'mail', 'ads'];
const MAX_CALL_MS = 5_000;
const PRELOADED = 500;
/** Longer than MongoDB leaves counts of its own to a process that adds nothing. */
const SECONDS_OF_STORE = 120;

export interface MarketRun {
  readonly processes: number;
  readonly seconds: number;
  /** The seconds between two kills; none without. */
  readonly killEach?: number;
}

/** Runs H6 for this number of minutes, with a new store every two minutes. */
export async function runMarkets(kind: Place['kind'], processes: number, minutes: number): Promise<Report> {
  const findings = new Findings();
  const stores = (minutes * 60) / SECONDS_OF_STORE;
  for (let number = 0; number < stores && findings.violations.length === 0; number += 1) {
    const place = await newPlace(kind);
    const { figures, violations } = await runMarket(place, { processes, seconds: SECONDS_OF_STORE, killEach: 1.5 });
    for (const name of ['kills', 'lists', 'acknowledged', 'entries']) findings.count(name, figures[name] ?? 0);
    const longest = [findings, { figures }].map((report) => report.figures['longest call ms'] ?? 0);
    findings.set('longest call ms', Math.max(...longest));
    for (const violation of violations) findings.check(false, violation);
    await removePlace(place);
  }
  return findings;
}

/**
 * Lets several processes add, revise, withdraw and list at once, and kills one of them again and again. Then compares
 * every list with a model, and what is stored with what was acknowledged.
 */
export async function runMarket(place: Place, run: MarketRun): Promise<Report> {
  const storage = openPlace(place);
  await storage.prepare({ currency: 'USD' as Currency });
  const preloaded = await preload(storage);
  const folder = mkdtempSync(join(tmpdir(), 'market-'));
  const workers = Array.from({ length: run.processes }, () => new Worker(place, folder));
  const findings = new Findings();
  const end = performance.now() + run.seconds * 1_000;
  while (performance.now() < end) {
    await setTimeout(
      1_000 * Math.min(run.killEach ?? run.seconds, Math.max(0, end - performance.now()) / 1_000 + 0.01),
    );
    if (run.killEach === undefined || performance.now() >= end) continue;
    const begun = workers.filter((worker) => worker.hasBegun());
    await begun[Math.floor(Math.random() * begun.length)]?.restart();
    findings.count('kills', Math.min(1, begun.length));
  }
  for (const worker of workers) await worker.kill();
  const lines = [...preloaded, ...workers.flatMap((worker) => worker.lines())];
  rmSync(folder, { recursive: true });
  const stored = await storedIn(storage);
  const sequence = new Map(stored.map((id, n) => [id, n]));
  const model = new MarketModel(lines as ConstructorParameters<typeof MarketModel>[0], sequence);
  model.check(findings);
  await compare(model, storage, new Set(stored), findings);
  await storage.close();
  return findings;
}

/** Adds automations that all workers change. Returns the lines of this call. */
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

async function compare(
  model: MarketModel,
  storage: Storage,
  stored: ReadonlySet<string>,
  findings: Findings,
): Promise<void> {
  const { auditLog, automations } = storage;
  findings.set('lists', model.lists);
  findings.set('acknowledged', model.acknowledged.length);
  findings.atMost('longest call ms', model.longestSeconds * 1_000, MAX_CALL_MS);
  findings.check(model.lists > 0 && model.acknowledged.length > 0, 'nothing was done');
  for (const failure of model.failures) findings.check(false, failure);
  for (const { description } of await storage.check({ repair: false })) findings.check(false, description);
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

/** Returns the ids of all automations, in the order of the market. */
async function storedIn({ archive }: Storage): Promise<readonly string[]> {
  const ids: AutomationId[] = [];
  for (;;) {
    const part = await archive.scan({ order: 'oldest-first', limit: 1_000, after: ids.at(-1) });
    if (part.length === 0) return ids;
    ids.push(...part.map(({ automation }) => automation.id));
  }
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
  readonly #logs: string[] = [];
  #child: ChildProcess;

  constructor(
    private readonly place: Place,
    private readonly folder: string,
  ) {
    this.#child = this.#start();
  }

  /** Returns the complete lines of all that it has printed. */
  lines(): readonly unknown[] {
    return this.#logs.flatMap((log) => linesOf(readFileSync(log, 'utf8')));
  }

  /** Returns whether it does something since its last start, which takes seconds on a busy machine. */
  hasBegun(): boolean {
    return statSync(this.#logs.at(-1) ?? '').size > 0;
  }

  async restart(): Promise<void> {
    await this.kill();
    this.#child = this.#start();
  }

  /** @throws Error when it has ended by itself. */
  async kill(): Promise<void> {
    const { exitCode } = this.#child;
    if (exitCode !== null) throw new Error(`a worker has ended with ${exitCode}`);
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  /** It prints into a file: a pipe would be full while this process is busy. */
  #start(): ChildProcess {
    const name = `worker-${(Worker.count += 1)}`;
    const log = join(this.folder, name);
    this.#logs.push(log);
    const output = openSync(log, 'w');
    const words = [WORKER, JSON.stringify(this.place), name, ...CATEGORIES];
    const child = spawn(process.execPath, words, { stdio: ['ignore', output, 'inherit'] });
    closeSync(output);
    return child;
  }
}
