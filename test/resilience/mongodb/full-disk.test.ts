import { expect } from 'chai';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { mongoStorage, newMongoClient } from '../../../adapters/mongodb/index.js';
import { offer, query, store, USD } from '../../contracts/offers.js';
import { describeMongod } from '../../support/mongodb.js';
import { ReplicaSet } from '../../support/replica-set.js';
import { CAN_MOUNT, mountTmpfs, unmount } from '../../support/tmpfs.js';

const BYTES = 400 * 2 ** 20;
/**
 * A mongod ends itself when it finds no room for its diagnostic data, which it writes each second, or for a checkpoint,
 * each minute. Until then it reads, and makes no collection. Here it writes neither, so that this lasts.
 */
const LASTING = ['--setParameter', 'diagnosticDataCollectionEnabled=false', '--syncdelay', '3600'];

describeMongod('MongoDB on a disk without room', () => {
  let disk: string;
  let set: ReplicaSet;
  before(async function () {
    if (!CAN_MOUNT) return this.skip();
    disk = mountTmpfs(BYTES);
    set = await ReplicaSet.start(1, 2_000, { folder: join(disk, 'set'), options: ['--oplogSize', '50', ...LASTING] });
  });
  after(async () => {
    if (!CAN_MOUNT) return;
    await set.stop();
    unmount(disk);
  });

  it('prepares no store, says that there is no room, is read, and goes on with room', async () => {
    const client = newMongoClient(set.url);
    const [market, other] = [mongoStorage(client.db('market')), mongoStorage(client.db('other'))];
    await market.prepare({ currency: USD });
    await store(market.automations, offer(1));
    const ballast = join(disk, 'ballast');
    expect(() => {
      for (;;) appendFileSync(ballast, Buffer.alloc(2 ** 16));
    }).to.throw('ENOSPC');

    const failure: unknown = await other.prepare({ currency: USD }).catch((error: unknown) => error);
    expect(failure).to.include({ kind: 'unavailable', code: 'store-full' });
    expect((failure as Error).message).to.match(/^the MongoDB store has no room left: .*No space left on device/);
    expect((await market.automations.list(query(1, 10))).total).to.equal(1);

    rmSync(ballast);
    await other.prepare({ currency: USD });
    await store(other.automations, offer(1));
    for (const storage of [market, other]) await storage.close();
    await client.close();
  });
});
