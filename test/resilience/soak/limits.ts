import { setTimeout } from 'node:timers/promises';
import { Client, draft, type Answer } from '../../support/service/client.js';
import { Workplace, type ServiceProcess, type Settings } from '../../support/process.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { MIB, scrape } from './scrape.js';
import { parseList } from './structured-fields.js';

/** As an operator has it. */
const BY_DEFAULT: Settings = { RATE_LIMIT_READS: '600', RATE_LIMIT_CREATES: '60', RATE_LIMIT_FAILED_AUTH: '30' };
const LEGAL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A10: from one address come bad keys, each another, and all the while a valid one. */
export async function guessing(tries: number, seconds: number): Promise<Report> {
  const findings = new Findings();
  return served({ ...BY_DEFAULT, RATE_LIMIT_READS: 'off' }, async (service) => {
    const client = new Client(service.url, service.firstKey);
    const before = await scrape(service.url);
    const statuses: number[] = [];
    for (let n = 0; n < tries; n += 1) {
      const legal = Array.from({ length: 36 }, (_, place) => LEGAL[(n * 7 + place * (n % 5)) % LEGAL.length]);
      const key = `amk_${legal.join('')}`;
      statuses.push((await client.get('/automations', { authorization: `Bearer ${key}` })).status);
      if (n % 10 === 0)
        findings.check((await client.get('/automations')).status === 200, 'the valid key was locked out');
      await setTimeout((seconds * 1000) / tries);
    }
    const windows = 1 + Math.ceil(seconds / 60);
    findings.count('refused by 429', statuses.filter((status) => status === 429).length);
    findings.check(
      statuses.slice(0, 30).every((status) => status === 401),
      'one of the first 30 was no 401',
    );
    findings.check(statuses[30] === 429, 'the 31st was no 429');
    findings.check(
      statuses.filter((status) => status === 401).length <= 30 * windows,
      'more than 30 a minute were looked at',
    );
    const grown =
      ((await scrape(service.url))('process_resident_memory_bytes') - before('process_resident_memory_bytes')) / MIB;
    findings.atMost('RSS, MiB more', grown, 16);
    client.close();
    return findings;
  });
}

const FORGED = {
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'ftp',
  'X-Forwarded-User': 'admin',
  'X-Real-IP': '203.0.113.77',
  Forwarded: 'for=203.0.113.9;host=evil.example',
  'X-Original-URL': '/metrics',
};

/** A12: whatever proxies are said to have seen changes nobody's name, quota or address. */
export async function proxyHeaders(hops: 0 | 1): Promise<Report> {
  const findings = new Findings();
  return served(
    { RATE_LIMIT_FAILED_AUTH: '2', RATE_LIMIT_READS: '50', TRUSTED_PROXY_HOPS: String(hops) },
    async (service) => {
      const client = new Client(service.url, service.firstKey);
      const forwarded = (n: number) => ({
        ...FORGED,
        'X-Forwarded-For': `198.51.100.${n}${hops === 1 ? ', 192.0.2.1' : ''}`,
      });
      for (let n = 0; n < 20; n += 1) {
        const { status } = await client.get('/automations', { ...forwarded(n), authorization: 'Bearer nonsense' });
        findings.check(status === (n < 2 ? 401 : 429), `a forged address had a quota of its own: ${n} got ${status}`);
      }
      for (let n = 0; n < 60; n += 1) {
        const { status } = await client.get('/automations', forwarded(n));
        findings.check(status === (n < 50 ? 200 : 429), `read ${n} of one key got ${status}`);
      }
      const headers = { ...forwarded(1), 'content-type': 'application/json' };
      const body = JSON.stringify(draft(1, { category_id: 'uncategorized' }));
      const created = await client.send('/api/automations', { method: 'POST', headers, body });
      findings.check(
        /^\/api\/automations\/[0-9a-f-]{36}$/.test(created.headers.location ?? ''),
        `Location is ${String(created.headers.location)}`,
      );
      findings.check(
        (JSON.parse(created.text) as { developer_id: string }).developer_id === 'operator',
        "it is somebody else's",
      );
      findings.set('forged requests', 81);
      client.close();
      return findings;
    },
  );
}

/** D9: many requests within a second against 60 a minute, at two processes. */
export async function limiter(requests: number, waits: boolean): Promise<Report> {
  const findings = new Findings();
  const place = await Workplace.open({ RATE_LIMIT_READS: '60' });
  try {
    const first = await place.serve();
    const key = first.firstKey;
    for (const { url } of [first, await place.serve()])
      await oneLimiter(new Client(url, key), requests / 2, waits, findings);
    return findings;
  } finally {
    await place.clear();
  }
}

async function oneLimiter(client: Client, requests: number, waits: boolean, findings: Findings): Promise<void> {
  const atOnce = Array.from({ length: requests }, async (_, n) => {
    await setTimeout((n * 1_000) / requests);
    return client.get('/automations');
  });
  const all = await Promise.all(atOnce);
  const answers = all.filter(({ status }) => status !== 503);
  const allowed = answers.filter(({ status }) => status === 200).length;
  findings.count('requests', requests);
  findings.count('shed', all.length - answers.length);
  findings.count('allowed', allowed);
  findings.check(Math.abs(allowed - 60) <= 1, `${allowed} were allowed in place of 60`);
  for (const answer of answers) checkHeaders(answer, findings);
  const refused = answers.findLast(({ status }) => status === 429);
  const seconds = Number(refused?.headers['retry-after']);
  if (waits) {
    await setTimeout(Math.max(0, seconds - 2) * 1000);
    findings.check((await client.get('/automations')).status === 429, 'it was let in before Retry-After was over');
    await setTimeout(2_000);
    findings.check((await client.get('/automations')).status === 200, 'Retry-After is not true');
  }
  client.close();
}

function checkHeaders({ status, headers }: Answer, findings: Findings): void {
  const [policy] = parseList(String(headers['ratelimit-policy']));
  const [standing] = parseList(String(headers['ratelimit']));
  findings.check(
    policy?.value === 'reads' && policy.parameters.get('q') === 60 && policy.parameters.get('w') === 60,
    'the policy is another',
  );
  const left = Number(standing?.parameters.get('r'));
  const reset = Number(standing?.parameters.get('t'));
  findings.check(
    standing?.value === 'reads' && left >= 0 && left < 60 && reset >= 1 && reset <= 60,
    `RateLimit is ${String(headers['ratelimit'])}`,
  );
  findings.check(
    (status === 429) === (headers['retry-after'] !== undefined),
    'Retry-After is where it should not be, or is not where it should',
  );
  if (status === 429)
    findings.check(
      /^[1-9][0-9]?$/.test(String(headers['retry-after'])),
      `Retry-After is ${String(headers['retry-after'])}`,
    );
}

async function served(settings: Settings, run: (service: ServiceProcess) => Promise<Report>): Promise<Report> {
  const place = await Workplace.open(settings);
  try {
    return await run(await place.serve());
  } finally {
    await place.clear();
  }
}
