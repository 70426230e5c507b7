import { expect } from 'chai';
import { DeveloperAccounts } from '../../../application/developer-accounts.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { Maintenance } from '../../../application/maintenance.js';
import type { Storage } from '../../../application/index.js';
import { isActive } from '../../../domain/api-key.js';
import { numbers } from '../../contracts/offers.js';
import { empty, joinMongo, openMongo, sharedMongo } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';
import { allKeys } from '../../contracts/keys.js';

function maintenanceOf(storage: Storage): Maintenance {
  const accounts = new DeveloperAccounts(storage.developers, storage.sessions);
  return new Maintenance(storage, { keys: new DeveloperKeys(storage.keys, storage), accounts });
}

describeMongo('Four clients of an empty MongoDB database', () => {
  it('show one first key and one link, which work, in each of five rounds', async () => {
    const first = await openMongo();
    const url = await sharedMongo();
    const storages = [first, ...numbers(3).map(() => joinMongo(url, first.db.databaseName))];
    for (let round = 0; round < 5; round += 1) {
      const accesses = await Promise.all(storages.map((storage) => maintenanceOf(storage).firstAccess(true)));
      const shown = accesses.filter((access) => access !== undefined);
      expect(shown).to.have.length(1);
      const alive = (await allKeys(first.keys)).filter((key) => isActive(key, new Date()));
      expect(alive.map(({ id }) => id)).to.deep.equal([shown[0]?.keyId]);
      await empty(first.db);
    }
    for (const storage of storages.toReversed()) await storage.close();
  }).timeout(30_000);
});
