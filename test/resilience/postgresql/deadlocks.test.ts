import { expect } from 'chai';
import { setTimeout } from 'node:timers/promises';
import type { DeveloperId, Storage } from '../../../application/index.js';
import { invited, ONE_OPERATOR } from '../../contracts/developers.js';
import { at, automationIdOf, bulkWithdrawal, numbers, offer, USD, withdrawal } from '../../contracts/offers.js';
import { describePostgres, runSql, type PostgresPlace } from '../../support/postgres.js';
import { openPostgres } from '../../support/postgres-storage.js';

const PROCESSES = 3;
const DEVELOPERS = 8;
const ROUNDS = 60;

describePostgres('Writes to PostgreSQL that change several rows', (newPlace) => {
  let place: PostgresPlace;
  const storages: Storage[] = [];
  beforeEach(async () => {
    place = await newPlace();
    for (const storage of numbers(PROCESSES).map(() => openPostgres(place))) {
      storages.push(storage);
      await storage.prepare({ currency: USD });
    }
  });
  afterEach(async () => {
    for (const storage of storages.splice(0)) await storage.close();
  });

  const developer = (n: number) => `developer-${(n % DEVELOPERS) + 1}` as DeveloperId;

  /** Does each of the writes many times, in all processes at once, and returns how many deadlocks there were. */
  async function deadlocksDuring(
    writes: (storage: Storage, n: number) => readonly Promise<unknown>[],
  ): Promise<number> {
    const before = await deadlocks();
    for (const round of numbers(ROUNDS))
      await Promise.all(storages.flatMap((storage, n) => writes(storage, round * PROCESSES + n)));
    return (await deadlocks()) - before;
  }

  /** The server counts within a second. */
  async function deadlocks(): Promise<number> {
    await setTimeout(1_500);
    const sql = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
    return Number((await runSql(place.url, sql))[0]?.['deadlocks']);
  }

  it('wait for each other in one order: roles, suspensions', async () => {
    for (const n of numbers(DEVELOPERS)) await invited((storages[0] as Storage).developers, developer(n), n);
    const count = await deadlocksDuring(({ developers }, n) => [
      developers.setRole(developer(n), { role: 'operator', ...ONE_OPERATOR }),
      developers.setRole(developer(n * 3), { role: 'developer', ...ONE_OPERATOR }),
      developers.suspend(developer(n * 5), { at: at(n), ...ONE_OPERATOR }),
      developers.restore({ id: developer(n * 7), entries: [] }),
    ]);
    expect(count).to.equal(0);
  });

  it('wait for each other in one order: creates, withdrawals, keys that are freed', async () => {
    const count = await deadlocksDuring(({ automations }, n) => [
      automations.add(
        numbers(4).map((i) =>
          offer(n * 4 + i, { developerId: developer(i), key: `${n}`, until: at(n % 9), createdAt: at(0) }),
        ),
      ),
      automations.withdraw(automationIdOf(n * 4 - 13), withdrawal(n)),
      automations.withdrawAll(bulkWithdrawal(20, { developerId: developer(n), firstEntry: n * 20 })),
      automations.freeIdempotencyKeys(at(9)),
    ]);
    expect(count).to.equal(0);
  });
});
