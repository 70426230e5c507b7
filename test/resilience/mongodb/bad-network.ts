import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  MongoApiKeyRepository,
  MongoAutomationRepository,
  MongoCategoryRepository,
  newMongoClient,
  prepareMongo,
} from '../../../adapters/mongodb/index.js';
import type { AutomationId } from '../../../domain/automation.js';
import type { CategoryId } from '../../../domain/category.js';
import { DomainError } from '../../../domain/errors.js';
import { at, automationIdOf, offer, query } from '../../contracts/offers.js';
import { Findings, type Report } from '../../support/soak-report.js';
import { TcpProxy, type NetworkFault } from '../../support/tcp-proxy.js';
import { eventually, type Node } from '../../support/replica-set.js';

/** E4: reads and writes go on through a network that suffers for so many milliseconds, and then is well again. */
export async function badNetwork(node: Node, fault: NetworkFault, milliseconds: number, pause = 20): Promise<Report> {
  const findings = new Findings();
  const proxy = await TcpProxy.open(node.port);
  const client = newMongoClient(`mongodb://127.0.0.1:${proxy.port}/?directConnection=true`);
  try {
    const db = client.db(`network-${randomUUID()}`);
    await prepareMongo(db);
    const automations = new MongoAutomationRepository(db);
    const keys = new MongoApiKeyRepository(db);
    const categories = new MongoCategoryRepository(db);
    await automations.add([offer(1)]);
    const calls: Record<'read' | 'write', readonly (() => Promise<unknown>)[]> = {
      read: [
        () => automations.list(query(1, 20)),
        () => automations.find(automationIdOf(1)),
        () => automations.countByCategory(),
        () => keys.findByHash('none'),
        () => categories.find('none' as CategoryId),
      ],
      write: [
        () => automations.add([offer(2, { id: randomUUID() as AutomationId })]),
        () => automations.withdraw(automationIdOf(1), { at: at(1), by: 'developer' }),
        () => categories.save([{ id: 'one' as CategoryId, name: 'One' }]),
      ],
    };
    const all = (['read', 'write'] as const).flatMap((kind) => calls[kind].map((call) => ({ kind, call })));
    let stopped = false;
    const loads = all.map(async ({ kind, call }) => {
      while (!stopped) {
        await timed(kind, call, findings);
        await setTimeout(pause);
      }
    });
    await setTimeout(300);
    proxy.suffer(fault);
    await setTimeout(milliseconds);
    stopped = true;
    const start = performance.now();
    await Promise.all(loads);
    findings.set('settled after ms', performance.now() - start);
    proxy.suffer(undefined);
    const healed = performance.now();
    for (const { call } of all) await eventually(call);
    findings.set('well after ms', performance.now() - healed);
  } finally {
    await client.close();
    await proxy.close();
  }
  return findings;
}

async function timed(kind: 'read' | 'write', call: () => Promise<unknown>, findings: Findings): Promise<void> {
  const start = performance.now();
  try {
    await call();
    findings.count(`${kind}s done`);
  } catch (error) {
    const fate = error instanceof DomainError ? error.kind : String(error);
    findings.count(`${kind}s ${fate}`);
    findings.check(
      fate === 'unavailable' || (kind === 'write' && fate === 'outcome-unknown'),
      `a ${kind} failed: ${fate}`,
    );
  } finally {
    const name = `longest ${kind} ms`;
    findings.set(name, Math.max(findings.figures[name] ?? 0, performance.now() - start));
  }
}
