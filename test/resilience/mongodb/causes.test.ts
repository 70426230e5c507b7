import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import { mongoStorage, newMongoClient } from '../../../adapters/mongodb/index.js';
import { describeMongod } from '../../support/mongodb.js';
import { command, ReplicaSet } from '../../support/replica-set.js';
import { freePort } from '../../support/socket.js';
import { startProcess } from '../../support/process.js';

describeMongod('A MongoDB store that cannot be reached says why', () => {
  let set: ReplicaSet;
  let uninitiated: ReplicaSet;
  before(async () => {
    set = await ReplicaSet.start(1);
    uninitiated = await ReplicaSet.standalone('--replSet', 'rs0');
  });
  after(async () => {
    await set.stop();
    await uninitiated.stop();
  });

  const address = ({ nodes }: ReplicaSet) => nodes[0]?.address ?? expect.fail();
  const CAUSES: Readonly<Record<string, readonly [() => Promise<string> | string, RegExp]>> = {
    'refuses connections': [
      async () => `mongodb://127.0.0.1:${await freePort()}/?replicaSet=rs0`,
      /: connect ECONNREFUSED$/,
    ],
    'has another set name': [
      () => `mongodb://${address(set)}/?replicaSet=other`,
      /: no server of the connection string is in a replica set with the name that it gives$/,
    ],
    'has an unknown name': [
      () => 'mongodb://no-such-host.invalid/?replicaSet=rs0',
      /: getaddrinfo (?:ENOTFOUND|EAI_AGAIN)$/,
    ],
    'speaks no TLS': [() => `mongodb://${address(set)}/?replicaSet=rs0&tls=true`, /TLS/],
    'is not initiated': [
      () => `mongodb://${address(uninitiated)}/?replicaSet=rs0`,
      /: a server of the connection string is not initiated; run mongosh --eval "rs\.initiate\(\)" on it once$/,
    ],
  };

  for (const [what, [urlOf, message]] of Object.entries(CAUSES))
    it(`when it ${what}: in the error and once in the log, and /readyz names the storage`, async () => {
      const MONGODB_URL = await urlOf();
      const client = newMongoClient(MONGODB_URL);
      const storage = mongoStorage(client.db('market'));
      const failure: unknown = await storage.ping().catch((error: unknown) => error);
      await storage.close();
      await client.close();
      expect(failure).to.include({ kind: 'unavailable', code: 'store-unavailable' });
      expect((failure as Error).message).to.match(message);

      const service = await startProcess({ STORAGE: 'mongodb', MONGODB_URL });
      const missing = async () => {
        const ready = await fetch(`${service.url}/readyz`);
        return {
          status: ready.status,
          ...((await ready.json()) as { readonly code: string; readonly detail: string }),
        };
      };
      let { status, code, detail } = await missing();
      // Until the store has failed once.
      while (detail.endsWith(': starting.')) {
        await setTimeout(100);
        ({ status, code, detail } = await missing());
      }
      expect([status, code, detail]).to.deep.equal([503, 'unavailable', 'The service is not ready: storage.']);
      expect(await service.stop()).to.equal(0);
      const lines = service.logged().map((line) => JSON.parse(line) as { readonly msg: string });
      const causes = lines.filter(({ msg }) => msg.startsWith('the store is not ready: '));
      expect(causes).to.have.length(1);
      expect(causes[0]?.msg).to.match(message);
    });

  it('and serves without a restart once a server that refused connections is there', async () => {
    const node = uninitiated.nodes[0] ?? expect.fail();
    const MONGODB_URL = `mongodb://${node.address}/market?replicaSet=rs0`;
    const service = await startProcess({ STORAGE: 'mongodb', MONGODB_URL });
    await command(node.url, { replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: node.address }] } });
    const status = async () => (await fetch(`${service.url}/readyz`)).status;
    while ((await status()) !== 200) await setTimeout(100);
    expect(await service.stop()).to.equal(0);
    expect(service.logged().filter((line) => line.includes('"msg":"the store is ready"'))).to.have.length(1);
  });
});
