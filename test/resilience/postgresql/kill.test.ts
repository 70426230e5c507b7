import { expect } from 'chai';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Storage } from '../../../application/index.js';
import { numbers, USD } from '../../contracts/offers.js';
import { describePgBouncer } from '../../support/pgbouncer.js';
import { describePostgres, newPostgresPlace, type PostgresPlace } from '../../support/postgres.js';
import { emptyPostgres, openPostgres } from '../../support/postgres-storage.js';
import { everythingIn, storeFirst, WRITES } from './paused-writes.js';

const PROCESS = fileURLToPath(new URL('paused-process.js', import.meta.url));

interface Message {
  readonly paused?: string;
  readonly commands?: number;
}

describePostgres('A process that is killed in the middle of a write to PostgreSQL', () =>
  kills(() => undefined, Object.keys(WRITES)),
);

describePgBouncer('A process that is killed in the middle of a write behind PgBouncer', (pooled) =>
  kills(pooled, ['create', 'withdrawal of all']),
);

function kills(through: () => string | undefined, writes: readonly string[]): void {
  let place: PostgresPlace;
  let storage: Storage;
  const children: ChildProcess[] = [];
  before(async () => {
    const { url, schema } = await newPostgresPlace();
    place = { url: through() ?? url, schema };
    storage = openPostgres(place);
    await storage.prepare({ currency: USD });
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  after(() => storage.close());

  /** Returns everything that is there before a write. */
  async function startAgain(): Promise<unknown> {
    await emptyPostgres(place);
    await storeFirst(storage);
    return everythingIn(storage);
  }

  async function begin(write: string, pauseBefore: number): Promise<readonly [ChildProcess, Message]> {
    const child = fork(PROCESS, [JSON.stringify(place), write, String(pauseBefore)]);
    children.push(child);
    const [message] = (await once(child, 'message')) as [Message];
    return [child, message];
  }

  /** Does the same write in this process, which waits for the locks of the other one, and fails after 5 s of that. */
  async function writeMeanwhile(write: string, end: () => unknown): Promise<unknown> {
    const written = WRITES[write]?.(storage);
    end();
    return written;
  }

  for (const write of writes)
    it(`leaves nothing of a ${write}, before any command, and others go on`, async () => {
      await startAgain();
      const [, { commands = 0 }] = await begin(write, 0);
      const afterwards = await everythingIn(storage);
      expect(commands).to.be.at.least(4);
      let outcome: unknown;
      for (const command of numbers(commands)) {
        const first = await startAgain();
        const [child, { paused }] = await begin(write, command);
        expect(paused).to.match(command === 1 ? /^BEGIN/ : command === commands ? /^COMMIT$/ : /^\s*[A-Z]{5}/);
        expect(await everythingIn(storage), `before ${String(paused)}`).to.deep.equal(first);
        const repeated = await writeMeanwhile(write, () => child.kill('SIGKILL'));
        outcome ??= repeated;
        expect(repeated, `after a kill before ${String(paused)}`).to.deep.equal(outcome);
        expect(await everythingIn(storage)).to.deep.equal(afterwards);
      }
    });

  it('or stands still with all locks does not hold others up until they fail', async () => {
    for (const write of [writes[0] ?? '', writes.at(-1) ?? '']) {
      await startAgain();
      const [, { commands = 0 }] = await begin(write, 0);
      await startAgain();
      await begin(write, commands);
      await writeMeanwhile(write, () => undefined);
    }
  });
}
