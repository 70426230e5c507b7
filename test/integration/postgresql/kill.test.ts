import { expect } from 'chai';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Storage } from '../../../application/index.js';
import { describePgBouncer } from '../../support/pgbouncer.js';
import { numbers, offer, USD } from '../../contracts/offers.js';
import { describePostgres, newPostgresPlace, type PostgresPlace } from '../../support/postgres.js';
import { emptyPostgres, openPostgres } from '../../support/postgres-storage.js';

const PROCESS = fileURLToPath(new URL('paused-process.js', import.meta.url));
/** BEGIN, two looks, the automation, its words, its entry, COMMIT. */
const COMMANDS = 7;
const MAX_WAIT_MS = 5_000;

type Message = { readonly paused?: string; readonly commands?: number };

describePostgres('A process that is killed while it creates in PostgreSQL', () => kills(() => undefined));

describePgBouncer('A process that is killed while it creates behind PgBouncer', (pooled) => kills(pooled));

function kills(through: () => string | undefined): void {
  let place: PostgresPlace;
  let storage: Storage;
  const children: ChildProcess[] = [];
  before(async function () {
    this.timeout(60_000);
    const { url, schema } = await newPostgresPlace();
    place = { url: through() ?? url, schema };
    storage = openPostgres(place);
    await storage.prepare({ currency: USD });
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await emptyPostgres(place);
  });
  after(() => storage.close());

  async function pausedBefore(command: number): Promise<readonly [ChildProcess, Message]> {
    const child = fork(PROCESS, [JSON.stringify(place), String(command)]);
    children.push(child);
    const [message] = (await once(child, 'message')) as [Message];
    return [child, message];
  }

  /** Adds an automation of the same category, and asserts that it is the only one. */
  async function addAnother(since: number): Promise<void> {
    expect(await storage.automations.add([offer(2, { key: 'one' })])).to.deep.equal([{ outcome: 'stored' }]);
    expect(performance.now() - since, 'milliseconds').to.be.below(MAX_WAIT_MS);
    const { items, total } = await storage.automations.list({ page: { number: 1, limit: 20 } });
    expect(items.map(({ id }) => id)).to.deep.equal([offer(2).automation.id]);
    expect(total).to.equal(1);
    expect(await storage.auditLog.list({ limit: 10 })).to.deep.equal([]);
    expect(await storage.check({ repair: false })).to.deep.equal([]);
  }

  it('has sent as many commands as are tried here', async () => {
    const [, { commands }] = await pausedBefore(0);
    expect(commands).to.equal(COMMANDS);
  });

  for (const command of numbers(COMMANDS))
    it(`before command ${command} leaves nothing, and others go on within 5 s`, async () => {
      const [child, { paused }] = await pausedBefore(command);
      expect(paused).to.match(command === 1 ? /^BEGIN/ : command === COMMANDS ? /^COMMIT$/ : /^\s*(SELECT|INSERT)/);
      const begun = performance.now();
      const adding = addAnother(begun);
      child.kill('SIGKILL');
      await adding;
    }).timeout(20_000);

  it('or stands still with all locks holds others up for at most 5 s', async () => {
    await pausedBefore(COMMANDS);
    await addAnother(performance.now());
  }).timeout(20_000);
}
