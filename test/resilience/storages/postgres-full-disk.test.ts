import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync } from 'node:fs';
import type { Storage } from '../../../application/index.js';
import { auditEntry, numbers, offer, query, USD } from '../../contracts/offers.js';
import {
  describeOwnPostgres,
  runSql,
  startPostgres,
  unprivileged,
  type PostgresServer,
} from '../../support/postgres.js';
import { openPostgres } from '../../support/postgres-storage.js';
import { CAN_MOUNT, mountTmpfs, unmount } from '../../support/tmpfs.js';

const BYTES = 16 * 2 ** 20;

/** The tables are on the full disk, and the server's log of writes is on another one. */
describeOwnPostgres('PostgreSQL on a disk without room', () => {
  let disk: string;
  let server: PostgresServer;
  let storage: Storage;
  before(async function () {
    if (!CAN_MOUNT) return this.skip();
    disk = mountTmpfs(BYTES);
    chmodSync(disk, 0o700);
    const owner = unprivileged();
    if (owner !== undefined) chownSync(disk, owner.uid, owner.gid);
    server = await startPostgres();
    await runSql(
      server.url,
      `CREATE TABLESPACE small LOCATION '${disk}'`,
      'ALTER DATABASE postgres SET default_tablespace = small',
    );
    storage = openPostgres({ url: server.url, schema: 'market' });
    await storage.prepare({ currency: USD });
  });
  after(async () => {
    if (!CAN_MOUNT) return;
    await storage.close();
    await server.stop();
    unmount(disk);
  });

  it('stores all of an offer or nothing, says that there is no room, and goes on with room', async () => {
    await runSql(server.url, 'CREATE TABLE ballast AS SELECT repeat(md5(n::text), 30) FROM generate_series(1, 4000) n');
    const stored: number[] = [];
    let failure: unknown;
    for (let n = 1; failure === undefined && n < 20_000; n += 1)
      try {
        await storage.automations.add([
          offer(n, { description: randomBytes(3_500).toString('hex'), auditEntry: auditEntry(n) }),
        ]);
        stored.push(n);
      } catch (error) {
        failure = error;
      }
    expect(failure).to.include({ kind: 'unavailable', code: 'store-full' });
    expect((failure as Error).message).to.match(/^PostgreSQL has no room left: could not extend file .*No space left/);
    expect(await storage.ping()).to.equal('read-only');
    expect(await totals()).to.deep.equal([stored.length, stored.length]);

    await runSql(server.url, 'DROP TABLE ballast');
    await storage.automations.add(numbers(10).map((n) => offer(30_000 + n, { auditEntry: auditEntry(30_000 + n) })));
    expect(await storage.ping()).to.equal('ready');
    expect(await totals()).to.deep.equal([stored.length + 10, stored.length + 10]);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
  });

  /** Returns how many are listed, and how many have an entry in the audit. */
  async function totals(): Promise<readonly number[]> {
    const { total } = await storage.automations.list(query(1, 1));
    const [entries] = await runSql(server.url, 'SELECT count(*) FROM market.audit');
    return [total, Number(entries?.['count'])];
  }
});
