import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Client, draft } from '../../support/service/client.js';
import { preloaded, Workplace, type ServiceProcess } from '../../support/process.js';

/** On a busy machine it takes longer than that. */
const WORK_700_MS =
  'const used=()=>process.cpuUsage().user+process.cpuUsage().system,end=used()+7e5;while(used()<end);';

function levelsOf(service: ServiceProcess): readonly number[] {
  return service.logged().map((line) => (JSON.parse(line) as { level: number }).level);
}

describe('A failure that nobody has caught', () => {
  for (const [what, code] of [
    ['thrown in a timer', 'setTimeout(()=>{throw new Error("amk_000000000000000000000000000000aaaaaa")})'],
    ['rejected', 'Promise.reject(new Error("amk_000000000000000000000000000000aaaaaa"))'],
  ] as const)
    it(`${what} is logged, the service ends with 1 under a request, and what was acknowledged is kept`, async () => {
      const place = await Workplace.open(preloaded('', code));
      const service = await place.serve();
      const client = new Client(service.url, service.firstKey);
      const created = await client.post(draft(1, { category_id: 'uncategorized' }));
      expect(created.status, created.text).to.equal(201);
      const hanging = connect(Number(new URL(service.url).port), '127.0.0.1');
      hanging
        .on('error', () => undefined)
        .write('POST /api/automations HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
      await once(hanging, 'connect');
      service.signal('SIGUSR2');
      expect(await service.ended).to.equal(1);
      expect(levelsOf(service)).to.include(60);
      expect(service.logged().join('\n')).to.include('amk_[redacted]').and.not.to.include('amk_0');
      client.close();
      const again = await place.serve();
      const reader = new Client(again.url, service.firstKey);
      expect(await reader.total()).to.equal(1);
      reader.close();
      await place.clear();
    });
});

describe('An event loop that stands still', () => {
  it('makes the service shed what has waited, and serve again after that', async () => {
    const place = await Workplace.open({ STORAGE: 'memory', ...preloaded('', WORK_700_MS) });
    const service = await place.serve();
    const clients = Array.from({ length: 40 }, () => new Client(service.url, service.firstKey));
    // The delay is measured while a request is there: this one, whose body never ends.
    const unfinished = connect(Number(new URL(service.url).port), '127.0.0.1');
    unfinished.write(
      'POST /api/automations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
        `Authorization: Bearer ${service.firstKey}\r\nContent-Length: 9\r\n\r\n{`,
    );
    await once(unfinished, 'connect');
    await Promise.all(clients.map((client) => client.get('/automations')));
    service.signal('SIGUSR2');
    await setTimeout(200);
    const alive = fetch(`${service.url}/livez`);
    const answers = await Promise.all(clients.map((client) => client.get('/automations')));
    expect((await alive).status).to.equal(200);
    const shed = answers.filter(({ status }) => status === 503);
    expect(shed.length).to.be.greaterThan(0);
    for (const { headers, text } of shed) {
      expect(headers['retry-after']).to.equal('1');
      expect(JSON.parse(text)).to.include({
        type: '/problems/overloaded',
        status: 503,
        instance: headers['x-request-id'],
      });
    }
    expect(answers.filter(({ status }) => status !== 503 && status !== 200)).to.deep.equal([]);
    for (const client of clients) while ((await client.get('/automations')).status !== 200) await setTimeout(50);
    for (const client of clients) client.close();
    unfinished.destroy();
    await place.clear();
  });
});
