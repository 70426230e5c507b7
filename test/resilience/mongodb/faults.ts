import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { MongoAutomationRepository, newMongoClient, prepareMongo } from '../../../adapters/mongodb/index.js';
import type { AutomationId } from '../../../domain/automation.js';
import { DomainError } from '../../../domain/errors.js';
import type { AutomationRepository } from '../../../domain/ports.js';
import { GAMES, offer, query, TOOLS } from '../../contracts/offers.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { command, eventually, type ReplicaSet } from '../../support/replica-set.js';

const CLIENTS = 8;

/** E2: the primary is killed under load, as often as told, and started again. */
export function killedPrimary(set: ReplicaSet, kills: number, pause: number): Promise<Report> {
  return underLoad(set, async () => {
    for (let n = 0; n < kills; n += 1) {
      await setTimeout(pause);
      const primary = await set.primary();
      await primary.kill();
      await set.primary();
      await primary.start();
    }
    await setTimeout(pause);
  });
}

/** E3: the primary steps down under load, as often as told. */
export function steppedDown(set: ReplicaSet, times: number, pause: number): Promise<Report> {
  return underLoad(set, async () => {
    for (let n = 0; n < times; n += 1) {
      await setTimeout(pause);
      const { url } = await set.primary();
      await command(url, { replSetStepDown: 5, secondaryCatchUpPeriodSecs: 2, force: true });
      await set.primary();
    }
    await setTimeout(pause);
  });
}

/** E7: every node is killed at once in the midst of creates. */
export function powerCut(set: ReplicaSet, times: number, pause: number): Promise<Report> {
  return underLoad(set, async () => {
    for (let n = 0; n < times; n += 1) {
      await setTimeout(pause);
      await Promise.all(set.nodes.map((node) => node.kill()));
      await Promise.all(set.nodes.map((node) => node.start()));
      await set.primary();
    }
    await setTimeout(pause);
  });
}

/** E5: the primary is halted for so many milliseconds, and lives on. */
export function haltedPrimary(set: ReplicaSet, milliseconds: number): Promise<Report> {
  return underLoad(set, async () => {
    await setTimeout(1_000);
    const primary = await set.primary();
    primary.signal('SIGSTOP');
    await setTimeout(milliseconds);
    primary.signal('SIGCONT');
    await setTimeout(3_000);
  });
}

/**
 * Clients create, each the next when the last is acknowledged, and read, while something happens; then what is stored
 * is looked at.
 */
async function underLoad(set: ReplicaSet, event: () => Promise<void>): Promise<Report> {
  const findings = new Findings();
  const client = newMongoClient(set.url);
  const db = client.db(`faults-${randomUUID()}`);
  await prepareMongo(db);
  const load = new Load(new MongoAutomationRepository(db), findings);
  try {
    const done = load.run();
    await event();
    load.stop();
    await done;
    await load.audit(db);
  } finally {
    await client.close();
  }
  return findings;
}

class Load {
  readonly #acknowledged = new Map<string, AutomationId>();
  readonly #times: number[] = [];
  readonly #took: Record<'add' | 'list', number[]> = { add: [], list: [] };
  #stopped = false;

  constructor(
    private readonly automations: AutomationRepository,
    private readonly findings: Findings,
  ) {}

  stop(): void {
    this.#stopped = true;
  }

  async run(): Promise<void> {
    const clients = Array.from({ length: CLIENTS }, (_, client) => this.#createOnAndOn(client));
    await Promise.all([...clients, this.#readOnAndOn()]);
  }

  async #createOnAndOn(client: number): Promise<void> {
    for (let n = 0; !this.#stopped; n += 1) await this.#create(`client-${client}-${n}`);
  }

  /** Until it is acknowledged; each try is a new automation with the same key, as a client's is. */
  async #create(key: string): Promise<void> {
    for (;;) {
      const id = randomUUID() as AutomationId;
      const outcomes = await this.#timed('add', () =>
        this.automations.add([offer(1, { id, key, categoryId: key.endsWith('1') ? GAMES : TOOLS })]),
      );
      const [outcome] = outcomes ?? [];
      if (outcome !== undefined) {
        this.findings.check(outcome.outcome !== 'conflict', 'a new id is a conflict');
        if (outcome.outcome === 'earlier') this.findings.count('answered by the earlier');
        this.#acknowledged.set(key, outcome.outcome === 'earlier' ? outcome.automation.id : id);
        this.#times.push(performance.now());
        return;
      }
      await setTimeout(100);
    }
  }

  async #readOnAndOn(): Promise<void> {
    while (!this.#stopped) {
      await this.#timed('list', () => this.automations.list(query(1, 20)));
      await setTimeout(10);
    }
  }

  /** Undefined when the store is out of reach; any other error is against the rule. */
  async #timed<Answer>(what: 'add' | 'list', work: () => Promise<Answer>): Promise<Answer | undefined> {
    const start = performance.now();
    try {
      return await work();
    } catch (error) {
      const kind = error instanceof DomainError ? error.kind : String(error);
      this.findings.count(`${what} ${kind}`);
      this.findings.check(
        kind === 'unavailable' || (what === 'add' && kind === 'outcome-unknown'),
        `${what} failed: ${kind}`,
      );
      return undefined;
    } finally {
      this.#took[what].push(performance.now() - start);
    }
  }

  async audit(db: Db): Promise<void> {
    const { findings } = this;
    const stored = await eventually(() =>
      db
        .collection('automations', { readConcern: { level: 'majority' } })
        .find({ created_at: { $exists: true } })
        .sort({ seq: 1 })
        .toArray(),
    );
    const ids = new Set(stored.map(({ _id }) => String(_id)));
    const lost = Array.from(this.#acknowledged.values()).filter((id) => !ids.has(id));
    findings.set('acknowledged', this.#acknowledged.size);
    findings.set('lost', lost.length);
    findings.set('doubled', stored.length - this.#acknowledged.size);
    findings.check(lost.length === 0, `${lost.length} acknowledged creates are lost`);
    findings.check(
      stored.length === this.#acknowledged.size,
      `${stored.length} are stored, ${this.#acknowledged.size} were acknowledged`,
    );
    findings.check(
      (await this.automations.list(query(1, 1))).total === stored.length,
      'the total is not that of what is stored',
    );
    findings.set('longest gap ms', Math.max(...this.#times.map((time, n) => time - (this.#times[n - 1] ?? time))));
    findings.set('longest add ms', Math.max(...this.#took.add));
    findings.set('longest list ms', Math.max(...this.#took.list));
  }
}
