import { expect } from 'chai';
import type { Storage } from '../../../domain/ports.js';
import { automationIdOf, offer, offerWithFile, store, USD, withdrawal } from '../../contracts/offers.js';
import { newPlace, openPlace, removePlace, type Place } from '../../support/place.js';
import { describePostgres } from '../../support/postgres.js';
import { openRaw, type RawSql } from './raw-sql.js';

const BYTES = new Uint8Array([1, 2, 3]);

function filesSuite(kind: Place['kind']): void {
  let place: Place;
  let raw: RawSql;
  let storage: Storage;
  before(async () => {
    place = await newPlace(kind);
    storage = openPlace(place);
    await storage.prepare({ currency: USD });
    raw = openRaw(place);
    await store(storage.automations, offer(1), ...[2, 3, 4, 5].map((n) => offerWithFile(n, BYTES)));
    await storage.automations.withdraw(automationIdOf(5), withdrawal(1));
  });
  after(async () => {
    await storage.close();
    await raw.close();
    await removePlace(place);
  });

  const numberOf = (n: number) => `(SELECT number FROM {p}automations WHERE id = '${automationIdOf(n)}')`;

  it('finds nothing where all is well', async () => {
    expect(await storage.check({ repair: true })).to.deep.equal([]);
  });

  it('tells of bytes that are gone, and of others that belong to nothing, which it removes', async () => {
    await raw.run(
      `DELETE FROM {p}automation_files WHERE number = ${numberOf(3)}`,
      `INSERT INTO {p}automation_files (number, content) VALUES (${numberOf(1)}, 'AAAA'), (${numberOf(5)}, 'AAAA')`,
      "INSERT INTO {p}automation_files (number, content) VALUES (900000, 'AAAA')",
    );
    const missing = {
      description: `1 automation has a file whose bytes are missing: ${automationIdOf(3)}`,
      repaired: false,
    };
    const surplus = (repaired: boolean) => ({ description: '3 files belong to no automation on sale', repaired });
    expect(await storage.check({ repair: false })).to.have.deep.members([missing, surplus(false)]);
    expect(await storage.check({ repair: true })).to.have.deep.members([missing, surplus(true)]);
    expect(await storage.check({ repair: true })).to.deep.equal([missing]);
    for (const n of [2, 4]) expect((await storage.automations.readFile(automationIdOf(n)))?.length).to.equal(3);
    for (const n of [1, 3, 5]) expect(await storage.automations.readFile(automationIdOf(n))).to.equal(undefined);
  });
}

describe('A check of the files in SQLite', () => filesSuite('SQLite'));
describePostgres('A check of the files in PostgreSQL', () => filesSuite('PostgreSQL'));
