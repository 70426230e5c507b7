import { expect } from 'chai';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTwoClients } from '../../support/mongo-storage.js';
import { describeMongo } from '../../support/mongodb.js';
import { overSqlite } from '../../support/repositories.js';
import { races } from '../../support/service/same-id.js';
import { parseCurrency } from '../../../domain/currency.js';

describe('An id that many add at once through two connections to one SQLite file', () => {
  it('is stored once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'marketplace-races-'));
    const handles = [0, 1].map(() => overSqlite(join(folder, 'store.db')));
    for (const handle of handles) await handle.prepare({ currency: parseCurrency('USD') });
    const { violations } = await races(
      handles.map(({ automations }) => automations),
      5,
    );
    for (const handle of handles) await handle.close();
    rmSync(folder, { recursive: true });
    expect(violations).to.deep.equal([]);
  });
});

describeMongo('An id that many add at once through two clients of one MongoDB database', () => {
  it('is stored once', async () => {
    const [one, other] = await openTwoClients();
    const { violations } = await races([one.automations, other.automations], 5);
    await other.close();
    await one.close();
    expect(violations).to.deep.equal([]);
  });
});
