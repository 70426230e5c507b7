import { BASES } from '../../../adapters/edge/middleware/base-path.js';
import type { Reachable } from '../service.js';
import { Findings, type Report } from '../soak-report.js';
import { Client, created, draft, slugOf, type Answer } from './client.js';

/** D1: each create is sent three times, one after the other. */
export async function replays(service: Reachable, count: number): Promise<Report> {
  const findings = new Findings();
  const client = new Client(service, await service.key());
  const before = await client.total();
  for (let n = 0; n < count; n += 1) {
    const first = await client.post(draft(n), `replay-${n}`);
    findings.check(first.status === 201 && !isReplay(first), `create ${n} was answered ${first.status}`);
    for (const again of [await client.post(draft(n), `replay-${n}`), await client.post(draft(n), `"replay-${n}"`)]) {
      findings.check(
        isReplay(again) && isSame(again, first),
        `create ${n} again was answered ${again.status} ${again.text}`,
      );
      findings.count('replayed');
    }
  }
  findings.set('stored', (await client.total()) - before);
  findings.check(findings.figures['stored'] === count, 'the total is not that of the keys');
  client.close();
  return findings;
}

const CHANGES = [
  { title: 'Another title' },
  { description: 'Another description' },
  { price: 77.77 },
  { category_id: 'ai-agents' },
];

/** The same content, written in another way. */
const REWRITINGS: readonly ((n: number) => string)[] = [
  (n) => JSON.stringify(Object.fromEntries(Object.entries(draft(n)).reverse())),
  (n) => JSON.stringify(draft(n), null, 4),
  (n) => ` \n${JSON.stringify({ ...draft(n), title: `  ${draft(n).title}\t` })}\n`,
  (n) => JSON.stringify(draft(n)).replace(/"price":[^,]+/, `"price":${n}e-2`),
  (n) => JSON.stringify(draft(n)).replace('Automation', '\\u0041utomation'),
];

/** D3: a key again with one field changed is a mistake, with other words for the same content a replay. */
export async function mismatches(service: Reachable, count: number): Promise<Report> {
  const findings = new Findings();
  const client = new Client(service, await service.key());
  const before = await client.total();
  for (let n = 0; n < count; n += 1) {
    const first = await client.post(draft(n), `mismatch-${n}`);
    const changed = await client.post(draft(n, CHANGES[n % CHANGES.length]), `mismatch-${n}`);
    findings.check(
      changed.status === 422 && slugOf(changed) === 'idempotency-key-reused',
      `changed: ${changed.status} ${changed.text}`,
    );
    findings.count('refused');
    const rewritten = await client.post(REWRITINGS[n % REWRITINGS.length]?.(n) ?? '', `mismatch-${n}`);
    findings.check(isReplay(rewritten) && isSame(rewritten, first), `rewritten: ${rewritten.status} ${rewritten.text}`);
    findings.count('replayed');
  }
  findings.check((await client.total()) - before === count, 'the total is not that of the keys');
  client.close();
  return findings;
}

/**
 * D4: of two developers each has keys of its own; under every base, and for every key of the developer, they are the
 * same.
 */
export async function scopes(service: Reachable, count: number): Promise<Report> {
  const findings = new Findings();
  const ada = BASES.map(async (base) => new Client(service, await service.key('ada'), base));
  const bob = new Client(service, await service.key('bob'));
  const [first, ...others] = await Promise.all(ada);
  if (first === undefined) throw new Error('there are no bases');
  for (let n = 0; n < count; n += 1) {
    const answer = await first.post(draft(n), `scope-${n}`);
    const foreign = await bob.post(draft(n), `scope-${n}`);
    findings.check(foreign.status === 201 && !isReplay(foreign), `the key of another was answered ${foreign.status}`);
    findings.check(created(foreign).id !== created(answer).id, 'two developers share an automation');
    for (const other of others) {
      const again = await other.post(draft(n), `scope-${n}`);
      findings.check(isReplay(again) && again.text === answer.text, `under ${other.base}: ${again.status}`);
      findings.check(
        again.headers.location?.startsWith(`${other.base}/automations/`) === true,
        'Location left the base',
      );
      findings.count('replayed');
    }
  }
  findings.check((await bob.total()) === count * 2, 'the total is not that of the keys');
  for (const client of [first, bob, ...others]) client.close();
  return findings;
}

function isReplay(answer: Answer): boolean {
  return answer.status === 201 && answer.headers['idempotent-replayed'] === 'true';
}

function isSame(answer: Answer, first: Answer): boolean {
  return answer.text === first.text && answer.headers.location === first.headers.location;
}
