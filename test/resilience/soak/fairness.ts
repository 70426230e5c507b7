import { inBatches, newAutomations } from '../../../bench/catalogue.js';
import { parseCurrency } from '../../../domain/currency.js';
import { percentile } from '../../support/percentile.js';
import { PASSWORD } from '../../support/panel.js';
import { Visitor } from '../../support/panel-visitor.js';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { overSqlite } from '../../support/repositories.js';
import { Client, draft } from '../../support/service/client.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { starterCategories } from '../../../composition/service/starter-categories.js';

const BATCH = 1_000;
/** Requests of the customer that nothing holds up. */
const MAX_QUICK_MS = 50;
const MAX_MS = 1_000;

/** A request of the customer, and how long it may take. */
interface Wish {
  readonly name: string;
  readonly most: number;
  readonly send: () => Promise<{ readonly status: number }>;
}

/** Fills the store of a place that no service has open. */
async function fill(place: Workplace, count: number): Promise<void> {
  const storage = overSqlite(place.database);
  await storage.prepare({ currency: parseCurrency('USD') });
  await storage.categories.save(starterCategories());
  for (const batch of inBatches(newAutomations(count, starterCategories()), BATCH))
    await storage.automations.add(batch.map((automation) => ({ automation })));
  await storage.close();
}

async function keyOf(place: Workplace, developer: string): Promise<string> {
  const { stdout } = await place.run(['keys', 'issue', '--developer', developer]);
  return /amk_\w{36}/.exec(stdout)?.[0] ?? '';
}

function wishes(customer: Client, id: string): readonly Wish[] {
  const get = (name: string, path: string, most: number): Wish => ({ name, most, send: () => customer.get(path) });
  return [
    get('list', '/automations?limit=20', MAX_QUICK_MS),
    get('get', `/automations/${id}`, MAX_QUICK_MS),
    { name: 'create', most: MAX_MS, send: () => customer.post(draft(0, { category_id: 'uncategorized' })) },
    get('search', '/automations?q=slack%20invoices&limit=20', MAX_MS),
  ];
}

/** Sends the wishes in turn for some seconds, and reports the time of each. */
async function measure(findings: Findings, name: string, seconds: number, asked: readonly Wish[]): Promise<void> {
  const taken = asked.map((): number[] => []);
  const refused = new Map<string, number>();
  for (const end = performance.now() + seconds * 1_000; performance.now() < end;)
    for (const [n, { name: what, send }] of asked.entries()) {
      const begun = performance.now();
      const { status } = await send();
      taken[n]?.push(performance.now() - begun);
      if (status >= 400) refused.set(`${what} ${status}`, (refused.get(`${what} ${status}`) ?? 0) + 1);
    }
  for (const [what, count] of refused) findings.check(false, `${name}: ${what}, ${count} times`);
  for (const [n, { name: what, most }] of asked.entries()) {
    findings.set(`${name}, ${what} p50, ms`, percentile(taken[n] ?? [], 0.5));
    findings.atMost(`${name}, ${what} p99, ms`, percentile(taken[n] ?? [], 0.99), most);
  }
}

/** Runs loops next to something else, and counts their answers by status. */
async function during(findings: Findings, loops: readonly (() => Promise<number>)[], work: () => Promise<void>) {
  let isOver = false;
  const running = loops.map(async (ask) => {
    while (!isOver) findings.count(`others ${await ask().catch(() => 'cut off')}`);
  });
  await work();
  isOver = true;
  await Promise.all(running);
}

/** I12: a customer next to clients that search without a pause, each with some searches at once. */
export async function fairSearches(seconds: number, stored: number, clients: number, each: number): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open();
  await fill(place, stored);
  const service = await place.serve();
  const customer = new Client(service.url, await keyOf(place, 'customer'));
  const { id } = (JSON.parse((await customer.get('/automations?limit=1')).text) as { data: [{ id: string }] }).data[0];
  await untilSearchable(customer);
  const asked = wishes(customer, id);
  await measure(findings, 'alone', seconds / 4, asked);
  const loops: (() => Promise<number>)[] = [];
  for (let n = 0; n < clients; n += 1) {
    const eager = new Client(service.url, await keyOf(place, `eager-${n}`));
    let page = 0;
    const search = async () => (await eager.get(`/automations?q=a&sort=price&page=${(page += 1)}&limit=20`)).status;
    loops.push(...Array.from({ length: each }, () => search));
  }
  await during(findings, loops, () => measure(findings, 'next to them', seconds, asked));
  await place.clear();
  return findings;
}

async function untilSearchable(client: Client): Promise<void> {
  while ((await client.get('/automations?q=slack')).status === 503)
    await new Promise((resolve) => setTimeout(resolve, 500));
}

/** I12: a customer next to wrong sign-ins from many addresses, each at its limit. */
export async function fairSignIns(seconds: number, addresses: number): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open({ TRUSTED_PROXY_HOPS: '1' });
  const service = await place.serve();
  const link = await place.run(['developers', 'invite', 'customer']);
  const path = /\/panel\/welcome\/[\w-]{32}/.exec(link.stdout)?.[0] ?? '';
  await new Visitor(service.url).accept(`${service.url}${path}`, 'customer');
  const customer = new Client(service.url, service.firstKey);
  const created = await customer.post(draft(0, { category_id: 'uncategorized' }));
  const { id } = JSON.parse(created.text) as { id: string };
  const send = () => signInFrom(service, '198.51.100.7', 'customer', PASSWORD);
  const signIn = { name: 'sign-in', most: MAX_MS, send };
  const asked = [...wishes(customer, id).slice(0, 3), signIn];
  await measure(findings, 'alone', seconds / 4, asked);
  let count = 0;
  const loops = Array.from({ length: addresses }, (_, n) => async () => {
    const address = `2001:db8:${(n >> 8).toString(16)}:${(n % 256).toString(16)}00::1`;
    return (await signInFrom(service, address, `name ${(count += 1)}`, 'wrong')).status;
  });
  await during(findings, loops, () => measure(findings, 'next to them', seconds, asked));
  await place.clear();
  return findings;
}

function signInFrom({ url }: ServiceProcess, address: string, name: string, password: string) {
  const headers = { 'X-Forwarded-For': address };
  return new Visitor(url).submit('/panel/sign-in', { name, password }, { headers, withToken: false });
}
