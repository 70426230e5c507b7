import { setTimeout } from 'node:timers/promises';
import { seeded } from '../catalogue.js';
import { Workplace, type ServiceProcess, type Settings } from '../process.js';
import { Findings, type Report } from '../soak-report.js';
import { Client, created, draft } from './client.js';

const CLIENTS = 8;
const CATEGORIES = ['uncategorized', 'crm-and-sales', 'project-management'];

/**
 * D6: the service is killed in the midst of creates, again and again; each client sends a create until it is
 * acknowledged.
 */
export async function killRounds(rounds: number, seed: number, settings: Settings = {}): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open(settings);
  const random = seeded(seed);
  const sellers = Array.from({ length: CLIENTS }, (_, n) => new Seller(`seller-${n}`));
  let key = '';
  try {
    for (let round = 0; round < rounds; round += 1) {
      const service = await place.serve();
      key ||= service.firstKey;
      const killed = setTimeout(50 + random() * 350).then(() => service.kill());
      await Promise.all(sellers.map((seller) => seller.sellUntilDeath(new Client(service.url, key))));
      await killed;
      findings.count('rounds');
    }
    await audit(await place.serve(), key, sellers, findings);
  } finally {
    await place.clear();
  }
  return findings;
}

/** Has one create under way at a time, and goes on to the next when it is acknowledged. */
class Seller {
  readonly acknowledged = new Map<number, string>();
  #n = 0;
  /** Creates that were cut off, and sent again after the restart. */
  interrupted = 0;

  constructor(readonly name: string) {}

  async sellUntilDeath(client: Client): Promise<void> {
    try {
      for (;;) await this.sell(client);
    } catch {
      this.interrupted += 1;
    } finally {
      client.close();
    }
  }

  async sell(client: Client): Promise<void> {
    this.acknowledged.set(this.#n, await this.send(client, this.#n));
    this.#n += 1;
  }

  /** The whole body of the answer; fails on any other than 201. */
  async send(client: Client, n: number): Promise<string> {
    const category = CATEGORIES[n % CATEGORIES.length] ?? '';
    const answer = await client.post(
      draft(n, { title: `${this.name} sells ${n}`, category_id: category }),
      `${this.name}-${n}`,
    );
    created(answer);
    return answer.text;
  }
}

async function audit(
  service: ServiceProcess,
  key: string,
  sellers: readonly Seller[],
  findings: Findings,
): Promise<void> {
  const client = new Client(service.url, key);
  for (const seller of sellers) for (const _category of CATEGORIES) await seller.sell(client);
  const bodies = sellers.flatMap(({ acknowledged }) => Array.from(acknowledged.values()));
  const sold = bodies.map((body) => (JSON.parse(body) as { id: string }).id);
  const listed = await client.ids();
  findings.set('acknowledged', sold.length);
  findings.set(
    'interrupted',
    sellers.reduce((sum, { interrupted }) => sum + interrupted, 0),
  );
  findings.set('lost', sold.filter((id) => !listed.includes(id)).length);
  findings.set('doubled', listed.length - sold.length);
  findings.check(new Set(listed).size === listed.length, 'an automation is listed twice');
  findings.check(findings.figures['lost'] === 0, 'an acknowledged create is lost');
  findings.check(findings.figures['doubled'] === 0, 'a create was stored twice, or one that nobody made');
  findings.check((await client.total()) === sold.length, 'the total is not that of the creates');
  const counts = (await client.categories()).data.reduce((sum, { automation_count }) => sum + automation_count, 0);
  findings.check(counts === sold.length, 'the categories do not add up to the total');
  for (const category of CATEGORIES) await auditCategory(client, category, findings);
  for (const seller of sellers)
    for (const [n, body] of seller.acknowledged)
      findings.check((await seller.send(client, n)) === body, `a key answers another automation`);
  findings.check((await client.total()) === sold.length, 'a replay stored something');
  client.close();
}

async function auditCategory(client: Client, category: string, findings: Findings): Promise<void> {
  const { total } = await client.list(`?category=${category}&limit=1`);
  const last = await client.list(`?category=${category}&limit=1&page=${total}`);
  const past = await client.list(`?category=${category}&limit=1&page=${total + 1}`);
  findings.check(
    last.data.length === 1 && past.data.length === 0,
    `the pages of ${category} do not end with its total`,
  );
}
