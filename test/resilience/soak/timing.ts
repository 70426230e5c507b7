import { InMemoryApiKeyRepository } from '../../../adapters/in-memory/index.js';
import { DeveloperKeys, OPERATOR, StoredApiKeyVerifier } from '../../../application/index.js';
import { Client } from '../../support/service/client.js';
import type { Repositories } from '../../support/repositories.js';
import { startService } from '../../support/service.js';
import { Findings, type Report } from '../../support/soak-report.js';

const HOUR = 60 * 60 * 1000;
const MAX_T = 4.5;
const MAX_CHECK_MS = 0.05;

/** A7: over HTTP, a refused key does not tell by the time that it takes whether it is unknown, revoked or expired. */
export async function timing(repositories: Repositories, count: number): Promise<Report> {
  const findings = new Findings();
  const clock = { time: Date.now() };
  const service = await startService({ repositories, now: () => new Date(clock.time) });
  const revoked = await service.keys.issue(OPERATOR, { developer: 'ada' });
  await service.keys.revoke(OPERATOR, revoked.key.id);
  const expired = await service.key('ada', undefined, HOUR);
  clock.time += 2 * HOUR;
  const unknown = (await new DeveloperKeys(new InMemoryApiKeyRepository()).issue(OPERATOR, { developer: 'ada' })).text;
  const kinds = { unknown, revoked: revoked.text, expired };
  const samples = await measure(service.url, kinds, count, findings);
  await service.close();
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  for (const [n, one] of names.entries()) {
    findings.set(`µs ${one}`, spreadOf(samples[one]).mean * 1000);
    for (const other of names.slice(n + 1)) {
      const t = Math.abs(welch(samples[one], samples[other]));
      findings.set(`t ${one}/${other}`, t);
      findings.check(t < MAX_T, `${one} and ${other} differ: t = ${t}`);
    }
  }
  await measureCheck(findings);
  return findings;
}

type Samples = Record<'unknown' | 'revoked' | 'expired', number[]>;

/** One after the other, in an order that is random each time. */
async function measure(
  url: string,
  kinds: Record<keyof Samples, string>,
  count: number,
  findings: Findings,
): Promise<Samples> {
  const samples: Samples = { unknown: [], revoked: [], expired: [] };
  const client = new Client(url);
  const bodies = new Set<string>();
  for (let n = 0; n < count / 3; n += 1) {
    const order = (Object.keys(samples) as (keyof Samples)[]).sort(() => Math.random() - 0.5);
    for (const kind of order) {
      const started = performance.now();
      const { status, text } = await client.get('/automations', { authorization: `Bearer ${kinds[kind]}` });
      if (n > 100) samples[kind].push(performance.now() - started);
      findings.check(status === 401, `${kind} was answered ${status}`);
      bodies.add(text.replace(/"instance":"[^"]*"/, ''));
    }
  }
  client.close();
  findings.set('verified', count);
  findings.check(bodies.size === 1, 'the bodies differ');
  return samples;
}

/** Without the slowest twentieth, which is the garbage collector and other programs. */
function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [spreadOf(one), spreadOf(other)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

function spreadOf(values: readonly number[]): { count: number; mean: number; variance: number } {
  const kept = values.toSorted((one, other) => one - other).slice(0, Math.ceil(values.length * 0.95));
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  const variance = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (kept.length - 1);
  return { count: kept.length, mean, variance };
}

/** How long it takes to check a key that opens, without a request around it (A6). */
async function measureCheck(findings: Findings): Promise<void> {
  const keys = new InMemoryApiKeyRepository();
  const { text } = await new DeveloperKeys(keys).issue(OPERATOR, { developer: 'ada' });
  const verifier = new StoredApiKeyVerifier(keys);
  const started = performance.now();
  for (let n = 0; n < 20_000; n += 1) await verifier.verify(text);
  const each = (performance.now() - started) / 20_000;
  findings.set('µs per check', each * 1000);
  findings.check(each <= MAX_CHECK_MS, `a check takes ${each} ms`);
}
