import { expect } from 'chai';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  describeOwnPostgres,
  runSql,
  startPostgres,
  startStandby,
  unprivileged,
  type PostgresServer,
} from '../../support/postgres.js';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { Client, draft } from '../../support/service/client.js';

const CATEGORY = { category_id: 'uncategorized' };
const REFUSED = 'The storage takes no writes at the moment; nothing was stored. Reading still works.';
const WARNING = 'the storage takes no writes at the moment; reading works, and writes are refused';
const AGAIN = 'the storage takes writes again';
const CLIENTS = 4;
const MAX_WAIT_MS = 30_000;

/** Creates without a pause, from several clients, and keeps how each ended and when. */
class Load {
  readonly outcomes: { readonly status: number; readonly detail: string; readonly at: number }[] = [];
  readonly #clients: Promise<void>[] = [];
  #isOver = false;
  #count = 0;

  constructor({ url }: ServiceProcess, key: string) {
    for (let n = 0; n < CLIENTS; n += 1) this.#clients.push(this.#create(new Client(url, key)));
  }

  /** Waits until an outcome after now meets a condition, and returns how long that took. */
  async until(condition: (outcome: Load['outcomes'][number]) => boolean): Promise<number> {
    const [from, begun] = [this.outcomes.length, performance.now()];
    for (;;) {
      const found = this.outcomes.slice(from).find(condition);
      if (found !== undefined) return found.at - begun;
      if (performance.now() - begun > MAX_WAIT_MS)
        throw new Error(`not within 30 s; last: ${JSON.stringify(this.outcomes.at(-1))}`);
      await setTimeout(10);
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #create(client: Client): Promise<void> {
    while (!this.#isOver) {
      const { status, text } = await client.post(draft((this.#count += 1), CATEGORY));
      const { detail = '' } = JSON.parse(text) as { readonly detail?: string };
      this.outcomes.push({ status, detail, at: performance.now() });
      if (status !== 201) await setTimeout(20);
    }
    client.close();
  }
}

/** The command: `npx mocha --no-parallel dist/test/resilience/storages/postgres-read-only.test.js`. */
describeOwnPostgres('The service on a PostgreSQL that takes no writes for a while', () => {
  const servers: PostgresServer[] = [];
  let primary: PostgresServer;
  let standby: PostgresServer;
  let place: Workplace;
  let service: ServiceProcess | undefined;
  let key: string;
  let load: Load | undefined;
  before(async () => {
    servers.push((primary = await startPostgres()));
    place = await Workplace.open({ STORAGE: 'postgresql', POSTGRES_URL: primary.url });
    const first = await place.serve();
    key = first.firstKey;
    await first.stop();
    servers.push((standby = await startStandby(primary)));
  });
  afterEach(async () => {
    await load?.end();
    load = undefined;
    await service?.kill();
  });
  after(async () => {
    await place.clear();
    for (const server of servers) await server.stop();
  });

  const serve = async (server: PostgresServer) => {
    service = await place.serve({ POSTGRES_URL: server.url });
    load = new Load(service, key);
    return load;
  };
  const readiness = async () => {
    const response = await fetch(`${service?.url}/readyz`);
    return [response.status, ((await response.json()) as { readonly status: unknown }).status];
  };
  const isStored = ({ status }: { readonly status: number }) => status === 201;
  const isRefused = ({ status, detail }: { readonly status: number; readonly detail: string }) =>
    status === 503 && detail === REFUSED;
  const untilReadiness = async (wanted: string) => {
    const begun = performance.now();
    while ((await readiness())[1] !== wanted && performance.now() - begun < MAX_WAIT_MS) await setTimeout(100);
    expect(await readiness()).to.deep.equal([200, wanted]);
  };
  const isLogged = (message: string) =>
    service?.logged().some((line) => (JSON.parse(line) as { readonly msg: string }).msg === message);
  /** The log is written every 50 ms. */
  const untilLogged = async (message: string) => {
    const begun = performance.now();
    while (!isLogged(message) && performance.now() - begun < MAX_WAIT_MS) await setTimeout(50);
    expect(isLogged(message), message).to.equal(true);
  };
  const tell = (what: string, ms: number) => process.stdout.write(`  ${what}: ${(ms / 1_000).toFixed(2)} s\n`);

  /** Asserts what is seen while no write is taken: the service reads, and says the truth. */
  const assertReadOnly = async () => {
    await untilReadiness('read-only');
    expect((await new Client(service?.url ?? '', key).list()).total).to.be.a('number');
    await untilLogged(WARNING);
  };
  const assertWritesAgain = async (running: Load, what: string) => {
    tell(`${what}, until a create is stored`, await running.until(isStored));
    await untilReadiness('ready');
    await untilLogged(AGAIN);
  };

  it('writes soon after a database was made read-only and back, without a restart', async () => {
    const running = await serve(primary);
    await running.until(isStored);
    const sessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
      AND application_name = 'automation-marketplace'`;
    await runSql(primary.url, 'ALTER DATABASE postgres SET default_transaction_read_only = on', sessions);
    await running.until(isRefused);
    await assertReadOnly();
    await runSql(primary.url, 'SET default_transaction_read_only = off', 'ALTER DATABASE postgres RESET ALL');
    await assertWritesAgain(running, 'a read-only database was made writable');
    const after = running.outcomes.length;
    await setTimeout(2_000);
    expect(running.outcomes.slice(after).filter((outcome) => !isStored(outcome))).to.deep.equal([]);
  });

  it('starts on a standby with a warning, serves what it reads, and writes once that is promoted', async () => {
    const running = await serve(standby);
    await assertReadOnly();
    await running.until(isRefused);
    expect(running.outcomes.filter((outcome) => !isRefused(outcome))).to.deep.equal([]);
    await runSql(standby.url, 'SELECT pg_promote()');
    await assertWritesAgain(running, 'a standby was promoted');
  });

  it('says so after its primary was demoted under load, and writes when that is promoted again', async () => {
    const running = await serve(standby);
    await running.until(isStored);
    servers.push(await startStandby(standby));
    await standby.restart((files) => {
      const signal = join(files, 'standby.signal');
      writeFileSync(signal, '');
      const owner = unprivileged();
      if (owner !== undefined) chownSync(signal, owner.uid, owner.gid);
    });
    await running.until(isRefused);
    await assertReadOnly();
    await runSql(standby.url, 'SELECT pg_promote()');
    await assertWritesAgain(running, 'a demoted primary was promoted');
  });
});
