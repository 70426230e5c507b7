import { expect } from 'chai';
import { AuditTrail } from '../../../application/audit-trail.js';
import { DeveloperAccounts } from '../../../application/developer-accounts.js';
import { DeveloperKeys } from '../../../application/developer-keys.js';
import { Maintenance } from '../../../application/maintenance.js';
import { OPERATOR, type Storage } from '../../../application/index.js';
import { isActive } from '../../../domain/api-key.js';
import { cachedStorage } from '../../../adapters/storage/index.js';
import { numbers, USD } from '../../contracts/offers.js';
import { empty, joinMongo, openMongo, sharedMongo } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';
import { emptyPostgres, openPostgres } from '../../support/postgres-storage.js';
import { describePostgres } from '../../support/postgres.js';
import { allKeys } from '../../contracts/keys.js';

const WITH_LINK = { key: true, link: true };

function maintenanceOf(storage: Storage): Maintenance {
  const accounts = new DeveloperAccounts(storage, { audit: new AuditTrail(storage.auditLog) });
  return new Maintenance(storage, { keys: new DeveloperKeys(storage.keys, storage), accounts });
}

const ROUNDS = 5;

/** Lets several handles of one empty store start at once, and empties it after each round. */
async function raceFirstStarts(storages: readonly Storage[], emptied: () => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const accesses = await Promise.all(
      storages.map((storage) => maintenanceOf(storage).firstAccess(OPERATOR, 'operator', WITH_LINK)),
    );
    const shown = accesses.filter((access) => access !== undefined);
    expect(shown).to.have.length(1);
    const keys = storages[0] === undefined ? [] : await allKeys(storages[0].keys);
    const alive = keys.filter((key) => isActive(key, new Date()));
    expect(alive.map(({ id }) => id)).to.deep.equal([shown[0]?.key?.id]);
    await emptied();
  }
  for (const storage of storages.toReversed()) await storage.close();
}

describeMongo('Four clients of an empty MongoDB database', () => {
  it('show one first key and one link, which work, in each of five rounds', async () => {
    const first = await openMongo();
    const url = await sharedMongo();
    const others = numbers(3).map(() => joinMongo(url, first.db.databaseName));
    await raceFirstStarts([first, ...others], () => empty(first.db));
  });
});

describePostgres('Four clients of an empty PostgreSQL schema', (newPlace) => {
  it('show one first key and one link, which work, in each of five rounds', async () => {
    const place = await newPlace();
    const storages = numbers(4).map(() => cachedStorage(openPostgres(place)));
    await storages[0]?.prepare({ currency: USD });
    await raceFirstStarts(storages, () => emptyPostgres(place));
  });
});
