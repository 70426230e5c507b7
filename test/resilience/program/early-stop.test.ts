import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Workplace } from '../../support/process.js';

/** Databases that take a connection and never answer, so that the start goes on until it is stopped. */
const STORES: Readonly<Record<string, (port: number) => Readonly<Record<string, string>>>> = {
  PostgreSQL: (port) => ({ STORAGE: 'postgresql', POSTGRES_URL: `postgres://ada@127.0.0.1:${port}/market` }),
  MongoDB: (port) => ({ STORAGE: 'mongodb', MONGODB_URL: `mongodb://127.0.0.1:${port}/?replicaSet=rs0` }),
};

describe('SIGHUP without a terminal and without a certificate', () => {
  it('changes nothing, and says so, also during the start', async () => {
    const place = await Workplace.open();
    const service = await place.serve();
    service.signal('SIGHUP');
    while (!service.logged().some((line) => line.includes('SIGHUP changes nothing'))) await setTimeout(20);
    expect((await fetch(`${service.url}/readyz`)).status).to.equal(200);
    expect(await service.stop()).to.equal(0);
    await place.clear();
  });

  it('does not end a start that waits for its database', async () => {
    const place = await Workplace.open();
    const database = createServer((socket) => socket.on('error', () => socket.destroy()).resume());
    database.listen(0, '127.0.0.1');
    await once(database, 'listening');
    const { port } = database.address() as AddressInfo;
    const service = place.begin(['serve'], {
      STORAGE: 'postgresql',
      POSTGRES_URL: `postgres://ada@127.0.0.1:${port}/market`,
    });
    await once(database, 'connection');
    service.kill('SIGHUP');
    await setTimeout(200);
    service.kill('SIGTERM');
    const { code, stdout } = await service.ended;
    database.close();
    expect([code, stdout.includes('SIGHUP changes nothing')]).to.deep.equal([0, true]);
    await place.clear();
  });
});

describe('A stop during the start', () => {
  for (const [name, settingsOf] of Object.entries(STORES))
    for (const LOG_LEVEL of ['info', 'warn'])
      it(`on ${name} ends with 0 and logs nothing but that, at LOG_LEVEL=${LOG_LEVEL}`, async () => {
        const place = await Workplace.open({ LOG_LEVEL });
        const database = createServer((socket) => socket.on('error', () => socket.destroy()).resume());
        database.listen(0, '127.0.0.1');
        await once(database, 'listening');
        const service = place.begin(['serve'], settingsOf((database.address() as AddressInfo).port));
        await once(database, 'connection');
        service.kill('SIGTERM');
        const { code, stdout, stderr } = await service.ended;
        database.close();
        const messages = stdout
          .split('\n')
          .flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { msg: string }).msg]));
        expect({ code, messages, stderr }).to.deep.equal({
          code: 0,
          messages: LOG_LEVEL === 'info' ? ['stopped'] : [],
          stderr: '',
        });
        await place.clear();
      });
});
