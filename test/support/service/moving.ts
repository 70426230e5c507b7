import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type * as wire from '../../../adapters/client/index.js';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { parseDeveloperId } from '../../../domain/access.js';
import { newCategory, type CategoryId } from '../../../domain/category.js';
import type { NewAutomation } from '../../../domain/ports.js';
import { at, automationIdOf, offer, USD } from '../../contracts/offers.js';
import { catalogue } from '../catalogue.js';
import { preloaded, Workplace, type Outcome, type Settings } from '../process.js';
import { Findings, type Report } from '../soak-report.js';
import { minorUnits } from '../../../domain/price.js';

const DEVELOPERS = ['ada', 'bob', 'person-7k2m9x4q1a', 'x'.repeat(64)].map(parseDeveloperId);
const TOGETHER = 2_000;

/** Of all automations one in so many is withdrawn again. */
const WITHDRAWN = 97;

const TELL_USAGE = preloaded(
  'process.on("exit",()=>process.stderr.write("\\nMiB "+process.resourceUsage().maxRSS/1024))',
);

/**
 * Puts a catalogue of so many into the SQLite store of this place, some of it withdrawn. Answers how many are on sale.
 */
export async function stock(place: Workplace, count: number): Promise<number> {
  const storage = sqliteStorage(place.database);
  await storage.prepare({ currency: USD });
  const { automations, categories } = storage;
  const drafts = catalogue();
  await categories.save(
    Array.from(new Set(drafts.map((draft) => draft.category_id)), (id) => newCategory({ id, name: `The shelf ${id}` })),
  );
  for (let start = 0; start < count; start += TOGETHER)
    await automations.add(
      Array.from({ length: Math.min(TOGETHER, count - start) }, (_, index) => offerOf(start + index, drafts)),
    );
  const withdrawn = Array.from({ length: Math.ceil(count / WITHDRAWN) }, (_, index) => index * WITHDRAWN);
  for (const n of withdrawn) await automations.withdraw(automationIdOf(n), { by: 'developer', at: at(0) });
  await storage.close();
  return count - withdrawn.length;
}

/** The nth draft of the catalogue, which begins again at its end; the dates go to and fro. */
function offerOf(n: number, drafts: readonly wire.CreateAutomation[]): NewAutomation {
  const [draft, developerId] = [drafts[n % drafts.length], DEVELOPERS[n % DEVELOPERS.length]];
  if (draft === undefined || developerId === undefined) throw new Error('there is no catalogue');
  const { title, description, price, category_id } = draft;
  return offer(n, {
    title,
    description,
    price: { minorUnits: minorUnits(Math.round(price * 100)), currency: USD },
    categoryId: category_id as CategoryId,
    developerId,
    createdAt: at(n * 700 - (n % 5) * 10_000),
  });
}

/**
 * Moves so many from an SQLite store into the first of these, from there into the next, and so on; what each exports
 * must be the same, byte for byte.
 */
export async function moves(count: number, targets: readonly (() => Settings | Promise<Settings>)[]): Promise<Report> {
  const findings = new Findings();
  const places = [await Workplace.open()];
  try {
    const [first] = places as [Workplace];
    const onSale = await stock(first, count);
    const goods = await exported(first, findings);
    for (const target of targets) {
      const place = await Workplace.open(await target());
      places.push(place);
      await succeeds(place, ['categories', 'import', goods.categories], findings);
      const sums = await timed(place, ['automations', 'import', goods.automations, '--with-ids'], 'import', findings);
      findings.check(sums.startsWith(`${onSale} lines read, ${onSale} stored, 0 already there, 0 failed;`), sums);
      const again = await exported(place, findings);
      for (const kind of ['automations', 'categories'] as const)
        findings.check(
          (await digestOf(again[kind])) === (await digestOf(goods[kind])),
          `the ${kind} of ${places.length} stores differ`,
        );
      findings.count('moved', onSale);
    }
  } finally {
    for (const place of places) await place.clear();
  }
  return findings;
}

async function exported(
  place: Workplace,
  findings: Findings,
): Promise<{ readonly automations: string; readonly categories: string }> {
  const [automations, categories] = [place.path('automations.jsonl'), place.path('categories.jsonl')];
  await timed(place, ['automations', 'export', automations], 'export', findings);
  await succeeds(place, ['categories', 'export', categories], findings);
  return { automations, categories };
}

/** Notes the slowest and the largest of a kind. */
async function timed(place: Workplace, words: readonly string[], kind: string, findings: Findings): Promise<string> {
  const { stdout, stderr } = await succeeds(place, words, findings);
  const speed = Number(/(\d+) lines\/s/.exec(stdout)?.[1]);
  const peak = Number(/MiB (.*)$/.exec(stderr)?.[1]);
  const { figures } = findings;
  findings.set(`${kind} lines/s`, Math.min(speed, figures[`${kind} lines/s`] ?? Infinity));
  findings.atMost(`${kind} MiB`, Math.max(peak, figures[`${kind} MiB`] ?? 0), MAX_MEMORY_MIB);
  return stdout;
}

/** In MiB, of a whole process. */
const MAX_MEMORY_MIB = 384;
const TIMEOUT_MS = 30 * 60_000;

async function succeeds(place: Workplace, words: readonly string[], findings: Findings): Promise<Outcome> {
  const outcome = await place.run(words, TELL_USAGE, TIMEOUT_MS);
  findings.check(outcome.code === 0, `${words.join(' ')}: ${outcome.code} ${outcome.stderr}`);
  return outcome;
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
