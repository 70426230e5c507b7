import { setTimeout } from 'node:timers/promises';
import { Client, draft } from '../../support/service/client.js';
import { Load } from '../../support/service/load.js';
import { percentile } from '../../support/percentile.js';
import { Findings, type Report } from '../../support/soak-report.js';
import type { ReplicaSet } from '../../support/replica-set.js';
import { onServices } from './service-load.js';

/**
 * E5: the only node is halted for so many milliseconds; the service says so, goes on living, and is well after that.
 */
export function hungMongod(set: ReplicaSet, milliseconds: number): Promise<Report> {
  return onServices(set, 1, async ({ services, key }) => {
    const findings = new Findings();
    const client = new Client(services[0]?.url ?? '', key);
    const [node] = set.nodes;
    let halted = false;
    const ask = async (kind: 'read' | 'write', send: () => ReturnType<Client['get']>): Promise<void> => {
      const during = halted;
      const start = performance.now();
      const { status, headers, text } = await send();
      const took = performance.now() - start;
      findings.count(`${kind}s ${during ? 'while halted ' : ''}${status}`);
      findings.set(`longest ${kind} ms`, Math.max(findings.figures[`longest ${kind} ms`] ?? 0, took));
      findings.check(
        [200, 201].includes(status) || (status === 503 && Number(headers['retry-after']) >= 1),
        `${status} ${text}`,
      );
    };
    const lives: number[] = [];
    const load = new Load(
      40,
      (n) =>
        n % 4 === 0
          ? ask('write', () => client.post(draft(n, { category_id: 'uncategorized' }), `hung-${n}`))
          : ask('read', () => client.get(`/automations?limit=20&page=${1 + (n % 3)}`)),
      2_000,
    );
    const probe = new Load(50, async () => {
      const start = performance.now();
      const { status } = await client.send('/livez');
      lives.push(performance.now() - start);
      findings.check(status === 200, `/livez was answered ${status}`);
    });
    await setTimeout(1_000);
    halted = true;
    node?.signal('SIGSTOP');
    await setTimeout(milliseconds);
    const settled = performance.now();
    await load.stop();
    findings.set('in flight for ms', performance.now() - settled);
    node?.signal('SIGCONT');
    findings.set('well after ms', await wellAfter(client));
    await probe.stop();
    client.close();
    findings.check(lives.length > 0, '/livez was never answered');
    findings.set('/livez p99 ms', percentile(lives, 0.99));
    findings.set('/livez longest ms', percentile(lives, 1));
    findings.check((findings.figures['reads while halted 503'] ?? 0) > 10, 'no read was refused');
    return findings;
  });
}

async function wellAfter(client: Client): Promise<number> {
  const start = performance.now();
  while ((await client.get('/automations')).status !== 200) await setTimeout(50);
  while ((await client.post(draft(1, { category_id: 'uncategorized' }))).status !== 201) await setTimeout(50);
  return performance.now() - start;
}

/** E5: a service is stopped while the only node is halted, with creates that wait for it. */
export function stoppedWhileHung(set: ReplicaSet): Promise<Report> {
  return onServices(set, 1, async ({ services: [service], key }) => {
    const findings = new Findings();
    const client = new Client(service?.url ?? '', key);
    const creates = (count: number) =>
      Promise.allSettled(
        Array.from({ length: count }, (_, n) => client.post(draft(n, { category_id: 'uncategorized' }))),
      );
    await creates(50);
    set.nodes[0]?.signal('SIGSTOP');
    try {
      const hanging = creates(20);
      await setTimeout(500);
      const began = performance.now();
      const code = await service?.stop();
      findings.check(code === 0, `it ended with ${code}`);
      findings.set('stopped after ms', performance.now() - began);
      await hanging;
    } finally {
      set.nodes[0]?.signal('SIGCONT');
      client.close();
    }
    return findings;
  });
}
