import { setTimeout } from 'node:timers/promises';
import { draft } from '../../support/service/client.js';
import { Workplace } from '../../support/process.js';
import { Findings, type Report } from '../../support/soak-report.js';
import type { Asked } from './load/loads.js';
import { closed, open } from './overload.js';
import { MIB, scrape } from './scrape.js';
import { portOf } from '../../support/socket.js';

/** In seconds: between two looks at the process. */
const LOOK = 5;
const CONNECTIONS = 64;
/** In seconds: so long creates come at full speed first, so that SQLite's cache of 64 MiB is full and grows no more. */
const FILLING = 60;

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
  const target = { port: portOf(service), asked: mixed(service.firstKey) };
  const { fine: filled } = await closed({ ...target, asked: [newCreate(service.firstKey)] }, CONNECTIONS, FILLING);
  findings.set('created before', filled);
  const capacity = await closed(target, CONNECTIONS, 10);
  const rate = capacity.fine / capacity.seconds / 2;
  findings.set('requests a second', rate);
  const load = open(target, rate, minutes * 60, CONNECTIONS);
  const looks: Look[] = [];
  const began = performance.now();
  while (performance.now() - began < minutes * 60_000 - LOOK * 1_000) {
    await setTimeout(LOOK * 1_000);
    const sample = await scrape(service.url);
    looks.push({
      minute: (performance.now() - began) / 60_000,
      rss: sample('process_resident_memory_bytes') / MIB,
      fds: sample('process_open_fds'),
    });
  }
  const { fine, refused, failed, firstFailure, unsent } = await load;
  findings.check(failed === 0, `${failed} failed: ${firstFailure}`);
  findings.set('requests', fine + refused + failed);
  findings.set('shed', refused);
  findings.set('not sent, all connections being busy', unsent);
  judge(
    looks.filter(({ minute }) => minute > Math.min(5, minutes / 2)),
    findings,
  );
  findings.check(service.stderr.length === 0, service.stderr.join('\n'));
  findings.check(
    !service.logged().some((line) => line.includes('"level":60')),
    'something failed that nobody has caught',
  );
  findings.check((await service.stop()) === 0, 'the exit code is not 0');
  await place.clear();
  return findings;
}

/** Of twenty: twelve lists, two each of deep pages, of categories and of what is not there, a stranger and a create. */
function mixed(key: string): readonly Asked[] {
  const list = { key, path: '/api/automations?limit=20' };
  const deep = { key, path: '/api/automations?page=2&limit=100' };
  const some = [
    list,
    deep,
    list,
    { key, path: '/v1/categories' },
    list,
    list,
    deep,
    list,
    { key, path: '/api/automations/none', status: 404 },
    list,
  ];
  const stranger = { key: 'nobody', path: list.path, status: 401 };
  return [...some.with(1, stranger), ...some.with(6, newCreate(key))];
}

function newCreate(key: string): Asked {
  return { key, path: '/api/automations', body: JSON.stringify(draft(1, { category_id: 'uncategorized' })) };
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
