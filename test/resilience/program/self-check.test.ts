import { expect } from 'chai';
import Libsql from 'libsql';
import { setTimeout } from 'node:timers/promises';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { Client, draft } from '../../support/service/client.js';

const CATEGORY = { category_id: 'uncategorized' };
const DIFFERENCES = /^marketplace_store_differences_total (\d+)$/m;

describe('The self-check of the service', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.open();
  });
  afterEach(() => place.clear());

  it('repairs counts that were scrambled, logs them and counts them in a metric', async () => {
    const before = await place.serve();
    const key = before.firstKey;
    await publish(before, key, 3);
    await before.stop();
    scramble(place.database);
    const service = await place.serve();
    expect(await untilCounted(service)).to.be.greaterThan(0);
    const client = new Client(service.url, key);
    expect(await client.total()).to.equal(3);
    expect((await client.get('/automations?page=1')).status).to.equal(200);
    client.close();
    await service.stop();
    const warnings = service.logged().filter((line) => line.includes('derived data differed from the automations'));
    expect(warnings).to.have.length(1);
    expect((await place.run(['check'])).code).to.equal(0);
  });

  it('finds nothing in a store that is right', async () => {
    const service = await place.serve();
    await publish(service, service.firstKey, 3);
    await setTimeout(2_000);
    expect(await counted(service)).to.equal(0);
    await service.stop();
  });
});

async function publish({ url }: ServiceProcess, key: string, count: number): Promise<void> {
  const client = new Client(url, key);
  for (let n = 0; n < count; n += 1) expect((await client.post(draft(n, CATEGORY))).status).to.equal(201);
  client.close();
}

/** Writes to the file as no process of the service does. */
function scramble(file: string): void {
  const database = new Libsql(file, { timeout: 5_000 });
  database.exec('UPDATE counts SET on_sale = 200');
  database.close();
}

async function counted({ url }: ServiceProcess): Promise<number> {
  return Number(DIFFERENCES.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
}

async function untilCounted(service: ServiceProcess): Promise<number> {
  for (;;) {
    const count = await counted(service);
    if (count > 0) return count;
    await setTimeout(100);
  }
}
