import { setTimeout } from 'node:timers/promises';
import { draft } from '../service/client.js';
import { Workplace } from '../support/process.js';
import { Findings, type Report } from '../support/soak-report.js';
import { closed, open } from './overload.js';
import { MIB, portOf, scrape } from './scrape.js';

/** In seconds: between two looks at the process. */
const LOOK = 5;
const MIX = { list: 0.5, pages: 0.2, categories: 0.1, missing: 0.1, strangers: 0.05, creates: 0.05 };

interface Look {
  readonly minute: number;
  readonly rss: number;
  readonly fds: number;
}

/** F10: half of what it can do, of everything, for a long time; memory and files stay as they are. */
export async function endurance(minutes: number): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open();
  const service = await place.serve();
  const target = { port: portOf(service), key: service.firstKey, path: '/api/automations?limit=20' };
  const unloaded = await closed(target, 64, 5);
  const rate = unloaded.fine / unloaded.seconds / 2;
  findings.set('requests a second', rate);
  const body = JSON.stringify(draft(1, { category_id: 'uncategorized' }));
  const load = (share: number, other: object) => open({ ...target, ...other }, Math.max(1, rate * share), minutes * 60);
  const loads = [
    load(MIX.list, {}),
    load(MIX.pages, { path: '/api/automations?page=2&limit=100' }),
    load(MIX.categories, { path: '/v1/categories' }),
    load(MIX.creates, { path: '/api/automations', body }),
  ];
  const refused = [load(MIX.missing, { path: '/api/automations/none' }), load(MIX.strangers, { key: 'nobody' })];
  const looks: Look[] = [];
  const began = performance.now();
  while (performance.now() - began < minutes * 60_000) {
    await setTimeout(LOOK * 1_000);
    const sample = await scrape(service.url);
    looks.push({ minute: (performance.now() - began) / 60_000, rss: sample('process_resident_memory_bytes') / MIB, fds: sample('process_open_fds') });
  }
  for (const { failed, firstFailure } of await Promise.all(loads)) findings.check(failed === 0, `${failed} failed: ${firstFailure}`);
  const outcomes = [...(await Promise.all(loads)), ...(await Promise.all(refused))];
  findings.set('requests', outcomes.reduce((sum, { fine, refused: shed, failed }) => sum + fine + shed + failed, 0));
  findings.set('shed', outcomes.reduce((sum, { refused: shed }) => sum + shed, 0));
  judge(looks.filter(({ minute }) => minute > Math.min(5, minutes / 2)), findings);
  findings.check(service.stderr.length === 0, service.stderr.join('\n'));
  findings.check(!service.logged().some((line) => line.includes('"level":60')), 'something failed that nobody has caught');
  findings.check((await service.stop()) === 0, 'the exit code is not 0');
  await place.clear();
  return findings;
}

function judge(looks: readonly Look[], findings: Findings): void {
  findings.atMost('RSS, MiB more a minute', slope(looks), 1);
  findings.set('RSS at the end, MiB', looks.at(-1)?.rss ?? NaN);
  const fds = looks.map((look) => look.fds);
  findings.atMost('files, most less fewest', Math.max(...fds) - Math.min(...fds), 20);
}

/** By least squares. */
function slope(looks: readonly Look[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(looks.map(({ minute }) => minute)), mean(looks.map(({ rss }) => rss))];
  const spread = looks.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
  return looks.reduce((sum, { minute, rss }) => sum + (minute - x) * (rss - y), 0) / spread;
}
