import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { newCertificate } from '../../support/certificate.js';
import { MAIN, preloaded, UNBUNDLED, Workplace } from '../../support/process.js';
import { type RawAnswer, RawClient, requestText } from '../../support/raw.js';
import { Visitor } from '../../support/panel-visitor.js';
import { Client, draft } from '../../support/service/client.js';
import { portOf } from '../../support/socket.js';

const CLIENTS = 4;

/** Runs a command in a terminal, closes the terminal once it shows the last address, and prints the exit code. */
const IN_A_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
shown = b''
while b'/docs' not in shown:
    shown += os.read(terminal, 1024)
os.close(terminal)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Clients behind a balancer, which sends nobody any more once the service says that it is not ready. */
class Trickle {
  readonly failures: string[] = [];
  answered = 0;
  #open = true;

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async run(): Promise<void> {
    await Promise.all([this.#balance(), ...Array.from({ length: CLIENTS }, (_, n) => this.#send(n))]);
  }

  async #balance(): Promise<void> {
    while (this.#open) {
      const balancer = new Client(this.url);
      this.#open = await balancer.send('/readyz').then(({ status }) => status === 200, this.#fail);
      balancer.close();
      await setTimeout(50);
    }
  }

  readonly #fail = (error: unknown): false => {
    this.failures.push(String(error));
    return false;
  };

  async #send(n: number): Promise<void> {
    const client = new Client(this.url, this.key);
    for (; this.#open; this.answered += 1) {
      try {
        const answer =
          n % 2 === 0
            ? await client.get('/automations')
            : await client.post(draft(n, { category_id: 'uncategorized' }));
        if (answer.status >= 300) this.failures.push(answer.text);
      } catch (error) {
        this.#fail(error);
      }
      await setTimeout(5);
    }
    client.close();
  }
}

describe('A stop of the service', () => {
  it('does not wait for ever until the audit is written, and says that it was not', async () => {
    const auditLog = new URL('../../../adapters/in-memory/audit-log.js', import.meta.url).href;
    const hanging = `import {InMemoryAuditLog as L} from ${JSON.stringify(auditLog)};
      const append=L.prototype.append;
      L.prototype.append=function(entries){
        const hangs=entries.some(({action})=>action==='sign-in-failed');
        return hangs?new Promise(()=>{}):append.call(this,entries)
      }`;
    const place = await Workplace.open({ STORAGE: 'memory' });
    const service = await place.serve(preloaded(hanging), UNBUNDLED);
    expect((await new Visitor(service.url).signIn('nobody@example.com')).status).to.equal(403);
    expect(await service.stop()).to.equal(0);
    const told = service
      .logged()
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ level }) => Number(level) >= 50);
    expect(told.map(({ msg }) => msg)).to.deep.equal(['the audit could not be written before the end']);
    await place.clear();
  });

  it('by signals that come more than once, as from npm, drains and ends with 0', async () => {
    for (const [first, second] of [
      ['SIGINT', 'SIGINT'],
      ['SIGTERM', 'SIGTERM'],
      ['SIGINT', 'SIGTERM'],
    ] as const) {
      const place = await Workplace.open({ STORAGE: 'memory', DRAIN_SECONDS: '1' });
      const service = await place.serve();
      service.signal(first);
      await setTimeout(100);
      expect(await service.stop(second), `${first}, ${second}`).to.equal(0);
      await place.clear();
    }
  });

  it('by SIGTERM or SIGINT under a trickle of requests fails none of them and ends with 0', async () => {
    await Promise.all([stopUnderTrickle('SIGTERM'), stopUnderTrickle('SIGINT')]);
  });

  it('by a second SIGINT ends at once with 130', async () => {
    const place = await Workplace.open({ STORAGE: 'memory', DRAIN_SECONDS: '60' });
    const service = await place.serve();
    service.signal('SIGINT');
    await setTimeout(1_000);
    expect(await service.stop('SIGINT')).to.equal(130);
    await place.clear();
  });

  for (const name of ['without', 'with'] as const)
    it(`by a terminal that is closed drains and ends with 0, ${name} a certificate`, async function () {
      if (spawnSync('python3', ['-c', 'import pty']).status !== 0) this.skip();
      const place = await Workplace.open({ STORAGE: 'memory' });
      const { cert, key } = newCertificate(place.folder);
      const env = { ...place.environment, ...(name === 'with' && { TLS_CERT: cert, TLS_KEY: key }) };
      const command = [process.execPath, MAIN, 'serve'];
      const { stdout } = spawnSync('python3', ['-c', IN_A_TERMINAL, ...command], { env, encoding: 'utf8' });
      expect(stdout).to.equal('0\n');
      await place.clear();
    });

  it('leaves nothing out of the audit that was done before', async () => {
    const place = await Workplace.open();
    const service = await place.serve();
    const client = new Client(service.url, service.firstKey);
    for (let n = 0; n < 3; n += 1)
      expect((await client.post(draft(n, { category_id: 'uncategorized' }))).status).to.equal(201);
    client.close();
    expect(await service.stop()).to.equal(0);
    const { stdout } = await place.run(['audit', '--json']);
    const actions = (JSON.parse(stdout) as readonly { action: string }[]).map(({ action }) => action);
    expect(actions.filter((action) => action === 'automation-published')).to.have.length(3);
    await place.clear();
  });

  it('has every answer that comes after it ask for the connection to be closed', async () => {
    const place = await Workplace.open({ DRAIN_SECONDS: '3' });
    const service = await place.serve();
    const headers = { Authorization: `Bearer ${service.firstKey}` };
    const requests = [
      requestText('GET', '/api/automations', headers),
      requestText('GET', '/livez', {}),
      requestText(
        'POST',
        '/api/automations',
        { ...headers, Expect: '100-continue' },
        JSON.stringify(draft(1, { category_id: 'uncategorized' })),
      ),
    ];
    const clients = await Promise.all(requests.map(() => RawClient.open(portOf(service))));
    for (const client of clients) client.say(requests[0] ?? '');
    const before = await Promise.all(clients.map((client) => client.listen()));
    const ended = service.stop();
    await setTimeout(300);
    clients.forEach((client, n) => client.say(requests[n] ?? ''));
    const after = await Promise.all(clients.map((client) => client.listen({ untilClosed: true })));
    expect(before.flatMap(({ answers }) => answers.map(connectionOf))).to.deep.equal([
      'keep-alive',
      'keep-alive',
      'keep-alive',
    ]);
    expect(
      after.map(({ answers }) => answers.at(-1)).map((answer) => answer && [answer.status, connectionOf(answer)]),
    ).to.deep.equal([
      [200, 'close'],
      [200, 'close'],
      [201, 'close'],
    ]);
    expect(await ended).to.equal(0);
    await place.clear();
  });

  it('waits until a request is answered', async () => {
    const place = await Workplace.open({ DRAIN_SECONDS: '0' });
    const service = await place.serve();
    const body = JSON.stringify(draft(1, { category_id: 'uncategorized' }));
    const client = await RawClient.open(portOf(service));
    client.say(
      requestText('POST', '/api/automations', { Authorization: `Bearer ${service.firstKey}` }, body).slice(
        0,
        -body.length,
      ),
    );
    await setTimeout(200);
    const ended = service.stop();
    await setTimeout(500);
    client.say(body);
    const { answers } = await client.listen();
    expect(answers.map(({ status }) => status)).to.deep.equal([201]);
    expect(answers.map(connectionOf)).to.deep.equal(['close']);
    expect(await ended).to.equal(0);
    await place.clear();
  });
});

function connectionOf({ headers }: RawAnswer): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'connection')?.[1];
}

async function stopUnderTrickle(signal: NodeJS.Signals): Promise<void> {
  const place = await Workplace.open({ DRAIN_SECONDS: '3' });
  try {
    const service = await place.serve();
    const trickle = new Trickle(service.url, service.firstKey);
    const running = trickle.run();
    await setTimeout(300);
    const ended = service.stop(signal);
    await running;
    expect(await ended, signal).to.equal(0);
    expect(trickle.failures).to.deep.equal([]);
    expect(trickle.answered).to.be.greaterThan(CLIENTS);
    expect(service.stderr).to.deep.equal([]);
    const logged = service.logged().map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(logged.filter((msg) => msg !== 'request')).to.deep.equal(['listening', 'draining', 'stopped']);
  } finally {
    await place.clear();
  }
}
