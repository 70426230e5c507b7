import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { offer, query, USD } from '../../contracts/offers.js';
import { describeOwnPostgres, startPostgres, unprivileged, type PostgresServer } from '../../support/postgres.js';
import { openPostgres } from '../../support/postgres-storage.js';

describeOwnPostgres('A PostgreSQL server that another one takes the place of', () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres('autovacuum=off');
  });
  after(() => server.stop());

  it('shows no page of what is lost, though the other one has come as far as the first', async () => {
    const storage = openPostgres({ url: server.url, schema: 'market' });
    const listed = async () => (await storage.automations.list(query(1, 10))).items.map(({ id }) => id);
    await storage.prepare({ currency: USD });
    await storage.automations.add([offer(1)]);
    await server.restart((files) => cpSync(files, `${files}-copy`, { recursive: true }));
    await storage.automations.add([offer(2)]);
    expect(await listed()).to.have.length(2);
    await server.restart((files) => {
      rmSync(files, { recursive: true });
      cpSync(`${files}-copy`, files, { recursive: true });
      const owner = unprivileged();
      if (owner !== undefined) execFileSync('chown', ['--recursive', `${owner.uid}:${owner.gid}`, files]);
    });
    await storage.automations.add([offer(3)]);
    expect(await listed()).to.deep.equal([3, 1].map((n) => offer(n).automation.id));
    await storage.close();
  });
});
