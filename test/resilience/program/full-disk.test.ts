import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { existsSync, openSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../support/socket.js';
import { MAIN, preloaded, Workplace, type Settings } from '../../support/process.js';
import { Client } from '../../support/service/client.js';

/** Every write to it fails as to a disk that is full (full(4)). */
const FULL = '/dev/full';

(existsSync(FULL) ? describe : describe.skip)(`Where there is no room, as on ${FULL}`, () => {
  let place: Workplace;
  before(async () => {
    place = await Workplace.open();
    await (await place.serve()).stop();
  });
  after(() => place.clear());

  /** The service with its log there, once it answers. */
  async function serve(settings: Settings = {}) {
    const port = await freePort();
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: place.folder,
      DRAIN_SECONDS: '0',
      PORT: port,
      ...settings,
    };
    const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', openSync(FULL, 'w'), 'pipe'] });
    const told: string[] = [];
    child.stderr?.setEncoding('utf8').on('data', (line: string) => told.push(line));
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    const client = new Client(`http://127.0.0.1:${port}`);
    while ((await client.send('/livez').catch(() => undefined))?.status !== 200) await setTimeout(50);
    return { child, client, ended, told };
  }

  it('a store can be read', async () => {
    const full = preloaded(
      'import fs from "node:fs";import { syncBuiltinESMExports } from "node:module";fs.mkdtempSync=()=>{throw ' +
        'Object.assign(new Error("full"),{code:"ENOSPC"})};syncBuiltinESMExports()',
    );
    const { code, stdout } = await place.run(['keys', 'list'], full);
    expect({ code, stdout }).to.deep.include({ code: 0 }).and.to.have.property('stdout').that.includes('API key');
  });

  it('the service goes on without its log, says so once, and stops as it is told', async () => {
    const { child, client, ended, told } = await serve();
    for (let n = 0; n < 100; n += 1) expect((await client.send('/livez')).status).to.equal(200);
    await setTimeout(200);
    expect((await client.send('/livez')).status).to.equal(200);
    client.close();
    child.kill('SIGTERM');
    expect(await ended).to.equal(0);
    expect(told.join('')).to.match(/^the log cannot be written: ENOSPC.*\n$/);
  });

  it('the service does not start on a new store whose first link could not be shown', async () => {
    const DATA_DIR = place.path('new');
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR, PORT: '0' };
    const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', openSync(FULL, 'w'), 'pipe'] });
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    const [told, code] = await Promise.all([text(child.stderr ?? expect.fail()), ended]);
    expect(code).to.equal(1);
    expect(told).to.match(/^The first access could not be shown, because standard output .* cannot be written\./m);
    expect(told).to.match(
      / Run keys issue --developer operator and developers invite operator --role operator, then start again\.$/m,
    );
    const keys = JSON.parse((await place.run(['keys', 'list', '--json'], { DATA_DIR })).stdout) as readonly object[];
    expect(keys).to.deep.equal([]);
    const { stdout } = await place.run(['keys', 'issue', '--developer', 'operator'], { DATA_DIR });
    const service = await place.serve({ DATA_DIR });
    const client = new Client(service.url, stdout.trim());
    expect((await client.get('/categories')).status).to.equal(200);
    client.close();
    await service.stop();
  });

  it('the service ends with 1 after a failure that nobody has caught', async () => {
    const { child, client, ended } = await serve(preloaded('', 'setTimeout(()=>{throw new Error("amid")})'));
    client.close();
    child.kill('SIGUSR2');
    expect(await ended).to.equal(1);
    child.kill('SIGKILL');
  });

  it('for what a command tells of its failures, it does all the same what it can', async () => {
    const lines = [
      '{}',
      ...Array.from({ length: 50 }, (_, n) =>
        JSON.stringify({ title: `No ${n}`, description: 'D', price: 1, category_id: 'uncategorized' }),
      ),
      '{}',
    ];
    const command = `"${process.execPath}" "${MAIN}" automations import - --developer ada`;
    const shell = (rest: string) =>
      spawn('sh', ['-c', `${command} ${rest}`], {
        env: { DATA_DIR: place.folder },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
    for (const rest of [`2>${FULL}`, '2>&1 >/dev/null | head -c 1']) {
      const child = shell(rest);
      child.stdin.end(lines.join('\n').replaceAll('No ', `${rest} `));
      await once(child, 'exit');
    }
    const { stdout } = await place.run(['automations', 'export']);
    expect(stdout.split('\n').filter((line) => line.includes('"ada"'))).to.have.length(100);
  });
});
