import { setTimeout } from 'node:timers/promises';
import { newMongoClient } from '../../../adapters/mongodb/index.js';
import { Client, created, draft, type Answer } from '../../support/service/client.js';
import { Load } from '../../support/service/load.js';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { command, eventually, type ReplicaSet } from '../../support/replica-set.js';
import type { Stored } from './writers.js';

/** In milliseconds: nobody waits for an answer for longer. */
const HUNG = 30_000;
const MAX_IN_FLIGHT = 5_000;
const CATEGORIES = ['uncategorized', 'crm-and-sales', 'project-management'];

/** Services, each a process of its own, on one database of a replica set. */
export interface Served {
  readonly services: readonly ServiceProcess[];
  readonly key: string;
  readonly url: string;
}

export async function onServices<Answer>(
  set: ReplicaSet,
  count: number,
  run: (served: Served) => Promise<Answer>,
): Promise<Answer> {
  const url = set.urlOf(`served-${Date.now()}`);
  const place = await Workplace.open({ STORAGE: 'mongodb', MONGODB_URL: url });
  try {
    const services = await Promise.all(Array.from({ length: count }, () => place.serve()));
    return await run({ services, key: services.map(({ firstKey }) => firstKey).join(''), url });
  } finally {
    await place.clear();
  }
}

/** What happens to a replica set, every so many milliseconds, and that it is left in peace for half of them. */
export interface Event {
  readonly name: string;
  readonly pause: number;
  readonly happen: (set: ReplicaSet) => Promise<void>;
}

export const KILL: Omit<Event, 'pause'> = {
  name: 'kills',
  happen: async (set) => {
    const primary = await set.primary();
    await primary.kill();
    await set.primary();
    await primary.start();
  },
};

export const STEP_DOWN: Omit<Event, 'pause'> = {
  name: 'step-downs',
  happen: async (set) => {
    await eventually(async () =>
      command((await set.primary()).url, { replSetStepDown: 8, secondaryCatchUpPeriodSecs: 4 }),
    );
    await set.primary();
  },
};

/** Until it is told to stop, and at most so often. That it cannot be brought about is a finding. */
export async function again(
  set: ReplicaSet,
  { name, pause, happen }: Event,
  findings: Findings,
  stop: AbortSignal,
  most = Infinity,
): Promise<void> {
  let start = performance.now();
  for (let times = 0; times < most; times += 1) {
    await setTimeout(Math.max(pause / 2, start + pause - performance.now()), undefined, { signal: stop }).catch(
      () => undefined,
    );
    if (stop.aborted) return;
    start = performance.now();
    try {
      await happen(set);
    } catch (error) {
      findings.check(false, `${name}: ${String(error)}`);
      return;
    }
    findings.count(name);
  }
}

/**
 * E2, E3: creates arrive at a steady rate while something happens; each is sent again after its `Retry-After` until it
 * is acknowledged.
 */
export function storm(
  set: ReplicaSet,
  event: Event,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Report> {
  return onServices(set, 1, async ({ services, key, url }) => {
    const findings = new Findings();
    const sender = new Sender(new Client(services[0]?.url ?? '', key), findings);
    const stop = new AbortController();
    const happening = again(set, event, findings, stop.signal);
    const load = new Load(perSecond, (n) => sender.create(n), MAX_IN_FLIGHT);
    await setTimeout(seconds * 1_000);
    stop.abort();
    await happening;
    await load.stop();
    findings.set('sent', load.fired);
    await sender.audit(url, load.fired);
    return findings;
  });
}

class Sender {
  readonly #acknowledged = new Map<number, { readonly id: string; readonly at: number }>();

  constructor(
    private readonly client: Client,
    private readonly findings: Findings,
  ) {}

  async create(n: number): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const start = performance.now();
      const answer = await this.#send(n);
      this.#longest('longest answer ms', performance.now() - start);
      if (answer?.status === 201) {
        this.#acknowledged.set(n, { id: created(answer).id, at: performance.now() });
        return;
      }
      this.findings.count(['failed', 'failed twice'][tries] ?? 'failed more often');
      const after = Number(answer?.headers['retry-after']);
      this.findings.check(answer?.status === 503 && after >= 1, answer ? `${answer.status} ${answer.text}` : 'hung');
      await setTimeout((after || 1) * 1_000 * (1 + Math.random()));
    }
  }

  async #send(n: number): Promise<Answer | undefined> {
    const category_id = CATEGORIES[n % CATEGORIES.length] ?? '';
    const late = new AbortController();
    const answer = this.#post(n, category_id, late.signal);
    const first = await Promise.race([
      answer,
      setTimeout(HUNG, undefined, { signal: late.signal, ref: false }).catch(() => undefined),
    ]);
    late.abort();
    return first;
  }

  /** Sent again when the machine refuses it a connection, of which there are more than a listener's queue takes. */
  async #post(n: number, category_id: string, stop: AbortSignal): Promise<Answer | undefined> {
    while (!stop.aborted) {
      try {
        return await this.client.post(draft(n, { category_id }), `storm-${n}`);
      } catch {
        this.findings.count('without a connection');
        await setTimeout(200 + Math.random() * 800);
      }
    }
    return undefined;
  }

  #longest(name: string, milliseconds: number): void {
    this.findings.set(name, Math.max(this.findings.figures[name] ?? 0, milliseconds));
  }

  async audit(url: string, sent: number): Promise<void> {
    const { findings } = this;
    this.client.close();
    const stored = await allIn(url);
    const ids = new Set(stored.map(({ _id }) => _id));
    const acknowledged = Array.from(this.#acknowledged.values());
    findings.set('acknowledged', acknowledged.length);
    findings.set('lost', acknowledged.filter(({ id }) => !ids.has(id)).length);
    findings.set('doubled', stored.length - acknowledged.length);
    findings.check(acknowledged.length === sent, 'not every create was acknowledged in the end');
    findings.check(findings.figures['lost'] === 0 && findings.figures['doubled'] === 0, 'creates are lost or doubled');
    const times = acknowledged.map(({ at }) => at).sort((one, other) => one - other);
    findings.set('longest gap ms', Math.max(...times.map((time, n) => time - (times[n - 1] ?? time))));
  }
}

/** Every automation, by its number, as a majority has it. */
export async function allIn(url: string): Promise<readonly Stored[]> {
  const client = newMongoClient(url);
  try {
    const documents = await eventually(() =>
      client
        .db()
        .collection('automations')
        .find({ created_at: { $exists: true } })
        .sort({ seq: 1 })
        .toArray(),
    );
    return documents.map((document) => ({ ...document, _id: document['_id'].toString() }) as unknown as Stored);
  } finally {
    await client.close();
  }
}
