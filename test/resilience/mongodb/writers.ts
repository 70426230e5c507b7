import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { MongoAutomationRepository } from '../../../adapters/mongodb/index.js';
import type { AutomationId } from '../../../domain/automation.js';
import type { CategoryId } from '../../../domain/category.js';
import type { DeveloperId } from '../../../domain/access.js';
import { offer } from '../../contracts/offers.js';
import { percentile } from '../../support/percentile.js';
import { Findings, type Report } from '../../support/soak-report.js';

/** Creates that a writer has under way at a time, and the categories they go to in turn. */
const UNDER_WAY = 32;
const CATEGORIES = ['tools', 'games', 'mail'] as readonly string[] as readonly CategoryId[];

export interface Stored {
  readonly _id: string;
  readonly seq: number;
  readonly developer_id: string;
  readonly title: string;
}

/** Writers, each with a client of its own, add as fast as they can; then what they left is looked at. */
export async function race(dbs: readonly Db[], seconds: number): Promise<Report> {
  const findings = new Findings();
  const writers = dbs.map((db, n) => new Writer(`writer-${n}`, db));
  await Promise.all(writers.map((writer) => writer.write(seconds)));
  const [db] = dbs;
  const stored = db === undefined ? [] : await readAll(db);
  for (const writer of writers) writer.audit(stored, findings);
  const counts = writers.map(({ acknowledged }) => acknowledged.size);
  const sum = counts.reduce((total, count) => total + count, 0);
  findings.check(sum === stored.length, `${sum} were acknowledged, ${stored.length} are there`);
  findings.set('writers', writers.length);
  findings.set('a second', sum / seconds);
  findings.set('smallest share', Math.min(...counts) / sum);
  findings.set(
    'p50 ms',
    percentile(
      writers.flatMap(({ milliseconds }) => milliseconds),
      0.5,
    ),
  );
  for (const { name, milliseconds } of writers) findings.set(`p99 ms of ${name}`, percentile(milliseconds, 0.99));
  findings.set('longest ms', Math.max(...writers.flatMap(({ milliseconds }) => Math.max(...milliseconds))));
  return findings;
}

class Writer {
  readonly acknowledged = new Set<AutomationId>();
  readonly milliseconds: number[] = [];
  readonly #automations: MongoAutomationRepository;
  #n = 0;

  constructor(
    readonly name: string,
    db: Db,
  ) {
    this.#automations = new MongoAutomationRepository(db);
  }

  async write(seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1_000;
    const one = async (): Promise<void> => {
      while (performance.now() < end) await this.#add();
    };
    await Promise.all(Array.from({ length: UNDER_WAY }, one));
  }

  async #add(): Promise<void> {
    const start = performance.now();
    const n = (this.#n += 1);
    const id = randomUUID() as AutomationId;
    const categoryId = CATEGORIES[n % CATEGORIES.length] as CategoryId;
    await this.#automations.add([offer(n, { id, categoryId, developerId: this.name as DeveloperId })]);
    this.acknowledged.add(id);
    this.milliseconds.push(performance.now() - start);
  }

  audit(stored: readonly Stored[], findings: Findings): void {
    const own = stored.filter(({ developer_id }) => developer_id === this.name);
    const ids = new Set(own.map(({ _id }) => _id));
    const lost = Array.from(this.acknowledged).filter((id) => !ids.has(id));
    findings.check(lost.length === 0, `${lost.length} of ${this.name} are lost`);
    findings.check(
      own.every(({ title }, index) => title === `Automation ${index + 1}`),
      `what ${this.name} offered is not in the order in which it did`,
    );
  }
}

async function readAll(db: Db): Promise<readonly Stored[]> {
  const automations = { created_at: { $exists: true } };
  const documents = await db.collection('automations').find(automations).sort({ seq: 1 }).toArray();
  return documents.map((document) => ({ ...document, _id: String(document['_id']) }) as unknown as Stored);
}
