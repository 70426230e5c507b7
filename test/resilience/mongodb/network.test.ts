import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { badNetwork } from './bad-network.js';
import { randomUUID } from 'node:crypto';
import { MongoAutomationRepository, newMongoClient, prepareMongo } from '../../../adapters/mongodb/index.js';
import { numbers, offer } from '../../contracts/offers.js';
import { poolExhausted } from './pool.js';
import { ReplicaSet } from '../../support/replica-set.js';
import { describeMongod } from '../../support/mongodb.js';
import { startProcess } from '../../support/process.js';
import { TcpProxy, type NetworkFault } from '../../support/tcp-proxy.js';

const FAULTS: readonly NetworkFault[] = [
  { kind: 'delay', milliseconds: 500 },
  { kind: 'black-hole' },
  { kind: 'reset' },
  { kind: 'cut', bytes: 1_500 },
  { kind: 'half-open' },
  { kind: 'slicer', bytes: 7 },
];

describeMongod('A MongoDB that is hard to reach', () => {
  let set: ReplicaSet;
  before(async () => {
    set = await ReplicaSet.start(1);
  });
  after(() => set.stop());

  for (const fault of FAULTS)
    it(`behind a ${fault.kind}, answers or fails, and is well after that`, async () => {
      const { figures, violations } = await badNetwork(set.nodes[0] as (typeof set.nodes)[0], fault, 3_000);
      console.log(
        `      ${Object.entries(figures)
          .map(([figure, value]) => `${figure} ${value}`)
          .join(' · ')}`,
      );
      expect(violations).to.deep.equal([]);
      expect(figures['reads done']).to.be.above(0);
    });

  it('that swallows everything keeps none of thousands of creates waiting beyond the first', async () => {
    const proxy = await TcpProxy.open(set.nodes[0]?.port ?? 0);
    const client = newMongoClient(`mongodb://127.0.0.1:${proxy.port}/?directConnection=true`);
    try {
      const db = client.db(`queue-${randomUUID()}`);
      await prepareMongo(db);
      const automations = new MongoAutomationRepository(db);
      await automations.add([offer(1)]);
      proxy.suffer({ kind: 'black-hole' });
      const start = performance.now();
      const answers = await Promise.allSettled(numbers(3_000).map((n) => automations.add([offer(n + 1)])));
      expect(performance.now() - start).to.be.at.most(13_000);
      expect(answers.filter(({ status }) => status === 'fulfilled')).to.deep.equal([]);
    } finally {
      proxy.suffer(undefined);
      await client.close();
      await proxy.close();
    }
  });

  it('with far too few connections, answers 500 calls at once or fails as unavailable', async () => {
    const { figures, violations } = await poolExhausted(set.url, { connections: 5, rounds: 2 });
    expect(violations).to.deep.equal([]);
    expect(figures['answered']).to.be.greaterThan(0);
  });

  it('when it comes after the service has started, makes it ready', async () => {
    const [node] = set.nodes as [(typeof set.nodes)[0]];
    await node.kill();
    const service = await startProcess({
      STORAGE: 'mongodb',
      MONGODB_URL: `mongodb://${node.address}/late?replicaSet=rs0`,
    });
    try {
      const status = async (path: string) => (await fetch(`${service.url}${path}`)).status;
      expect(await status('/livez')).to.equal(200);
      expect(await status('/readyz')).to.equal(503);
      await node.start();
      await set.primary();
      while ((await status('/readyz')) !== 200) await setTimeout(50);
      expect(await status('/livez')).to.equal(200);
    } finally {
      await service.kill();
    }
  });
});
