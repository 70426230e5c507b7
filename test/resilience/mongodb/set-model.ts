import { setTimeout } from 'node:timers/promises';
import { Client, draft } from '../../support/service/client.js';
import { Findings, type Report } from '../../support/soak-report.js';
import type { ReplicaSet } from '../../support/replica-set.js';
import { again, allIn, onServices, type Event } from './service-load.js';

const CLIENTS = 5;

/**
 * E9: what clients add while something happens is read at the end: what was acknowledged is there, what was refused is
 * not, once each; the rest may be.
 */
export function setModel(set: ReplicaSet, event: Event, seconds: number): Promise<Report> {
  return onServices(set, 2, async ({ services, key, url }) => {
    const findings = new Findings();
    const stop = new AbortController();
    const clients = Array.from(
      { length: CLIENTS },
      (_, n) => new Adder(`element-${n}`, new Client(services[n % 2]?.url ?? '', key)),
    );
    const adding = clients.map((client) => client.addUntil(stop.signal, findings));
    const happening = again(set, event, findings, stop.signal);
    await setTimeout(seconds * 1_000);
    stop.abort();
    await Promise.all([...adding, happening]);
    const read = (await allIn(url)).map(({ title }) => title);
    findings.set('read', read.length);
    findings.check(new Set(read).size === read.length, 'an element is there twice');
    for (const client of clients) client.audit(new Set(read), findings);
    return findings;
  });
}

/** Adds one element after the other, each once, and every third so that it is refused. */
class Adder {
  readonly #acknowledged: string[] = [];
  readonly #refused: string[] = [];

  constructor(
    private readonly name: string,
    private readonly client: Client,
  ) {}

  async addUntil(stop: AbortSignal, findings: Findings): Promise<void> {
    for (let n = 0; !stop.aborted; n += 1) {
      const title = `${this.name}-${n}`;
      const { status, text } = await this.client.post(
        draft(n, { title, category_id: n % 3 === 2 ? 'nowhere' : 'uncategorized' }),
      );
      if (status === 201) this.#acknowledged.push(title);
      else if (status < 500) this.#refused.push(title);
      else {
        findings.count('in doubt');
        findings.check(status === 503, text);
      }
    }
    this.client.close();
  }

  audit(read: ReadonlySet<string>, findings: Findings): void {
    findings.count('acknowledged', this.#acknowledged.length);
    findings.count('refused', this.#refused.length);
    findings.check(
      this.#acknowledged.every((title) => read.has(title)),
      `${this.name}: an acknowledged element is lost`,
    );
    findings.check(!this.#refused.some((title) => read.has(title)), `${this.name}: a refused element is there`);
    findings.check(this.#acknowledged.length > 2 && this.#refused.length > 0, `${this.name} has added too little`);
  }
}
