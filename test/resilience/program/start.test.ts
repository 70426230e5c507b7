import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { sqliteStorage } from '../../../adapters/sql/sqlite/index.js';
import { ON_TERMINAL, Workplace } from '../../support/process.js';
import { Client, created, draft } from '../../support/service/client.js';
import { activation } from '../../contracts/developers.js';

describe('The start of the service', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.open();
  });
  afterEach(() => place.clear());

  it('on an empty store prints a link and how to make a key, then the ready line; later nothing', async () => {
    const service = await place.serve();
    const told = service.stdout.join('\n');
    expect(told).not.to.match(/amk_/);
    expect(told).to.include('\n  automation-marketplace keys issue --developer operator\n');
    expect(service.stdout.indexOf(service.logged()[0] ?? '')).to.be.greaterThan(
      service.stdout.findIndex((line) => line.includes(service.firstLink)),
    );
    const keys = JSON.parse((await place.run(['keys', 'list', '--json'])).stdout) as readonly object[];
    expect(keys, 'the one that the command made').to.have.length(1);
    await service.stop();
    const again = await place.serve();
    expect(again.stdout.filter((line) => !line.startsWith('{'))).to.deep.equal([]);
  });

  it('on a terminal prints one key in plain lines, then the ready line; a second start none', async () => {
    const started = performance.now();
    const service = await place.serve(ON_TERMINAL);
    const client = new Client(service.url, service.firstKey);
    expect((await client.get('/categories')).status).to.equal(200);
    console.log(`        start to first 200: ${Math.round(performance.now() - started)} ms`);
    client.close();
    const ready = JSON.parse(service.logged()[0] ?? '') as Record<string, unknown>;
    expect(ready).to.include({
      msg: 'listening',
      url: service.url,
      storage: 'sqlite',
      folder: place.folder,
      level: 30,
    });
    expect(service.stdout.filter((line) => line.trim() === service.firstKey)).to.have.length(1);
    expect(service.stdout.indexOf(service.logged()[0] ?? '')).to.be.greaterThan(
      service.stdout.lastIndexOf(service.firstKey),
    );
    expect(await service.stop()).to.equal(0);
    const again = await place.serve(ON_TERMINAL);
    expect(again.firstKey).to.equal('');
    expect(again.stdout.filter((line) => !line.startsWith('{'))).to.deep.equal([]);
  });

  it('without an active operator says, after the ready line, how to invite one', async () => {
    const warning = /there is no active operator; to invite one, run developers invite olga --role operator/;
    const settings = { FIRST_OPERATOR: 'olga' };
    const first = await place.serve(settings);
    expect(first.stdout.join('\n')).to.include('Its first account has the name "olga"').and.not.to.match(warning);
    const hash = createHash('sha256')
      .update(first.firstLink.split('/').at(-1) ?? '')
      .digest('hex');
    await first.stop();
    const again = await place.serve(settings);
    await again.stop();
    expect(again.stdout.at(1)).to.match(warning);
    const storage = sqliteStorage(place.database);
    await storage.developers.activate(hash, activation('Olga', { at: new Date() }));
    await storage.close();
    const last = await place.serve(settings);
    await last.stop();
    expect(last.stdout.join('\n')).not.to.match(warning);
  });

  it('prints one link to the panel on an empty store, and none the next time', async () => {
    const first = await place.serve();
    expect(first.firstLink.startsWith(`${first.url}/panel/welcome/`)).to.equal(true);
    await first.stop();
    expect(await place.serve()).to.include({ firstKey: '', firstLink: '' });
  });

  it('with PANEL=off prints no link and speaks of no operator, also on a store in use', async () => {
    const off = await place.serve({ PANEL: 'off' });
    await off.stop();
    expect(off.firstKey).to.match(/^amk_/);
    const again = await place.serve({ PANEL: 'off' });
    await again.stop();
    for (const { stdout } of [off, again]) expect(stdout.join('\n')).not.to.match(/panel|active operator/);
  });

  it('records its address, which links of commands in another shell have by default', async () => {
    const service = await place.serve();
    const invite = async (name: string, settings = {}) => {
      const { stdout } = await place.run(['developers', 'invite', name], settings);
      return /http\S+(?=\/panel\/welcome\/)/.exec(stdout)?.[0];
    };
    expect(await invite('ada')).to.equal(service.url);
    expect(await invite('bob', { PORT: '4000' })).to.equal('http://127.0.0.1:4000');
    expect(await invite('cleo', { PUBLIC_URL: 'https://market.example' })).to.equal('https://market.example');
    await service.stop();
    expect(await invite('dora')).to.equal(service.url);
    const elsewhere = await place.serve({ PUBLIC_URL: 'https://market.example' });
    await elsewhere.stop();
    expect(await invite('emil')).to.equal('https://market.example');
  });

  it('does not need a disk with STORAGE=memory; commands then say why they cannot', async () => {
    const service = await place.serve({ STORAGE: 'memory', DATA_DIR: '/proc/none' });
    const client = new Client(service.url, service.firstKey);
    expect(created(await client.post(draft(1, { category_id: 'uncategorized' }))).developer_id).to.equal('operator');
    client.close();
    const { code, stderr } = await place.run(['keys', 'list'], { STORAGE: 'memory' });
    expect(code).to.equal(1);
    expect(stderr).to.equal('With STORAGE=memory the data lives inside the service; commands cannot reach it.\n');
  });

  it('on a port that is taken ends with 1 and says so, and the first key is not lost', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const PORT = String((other.address() as AddressInfo).port);
    const { code, stdout, stderr } = await place.run(['serve'], { PORT });
    other.close();
    expect(code).to.equal(1);
    expect(stderr).to.equal(
      `PORT ${PORT} is taken by another program on 127.0.0.1; choose another, or 0 for a free one\n`,
    );
    expect(stdout).to.equal('');
    expect((await place.serve()).firstKey).to.match(/^amk_/);
  });

  for (const HOST of ['192.0.2.1', 'nowhere.invalid'])
    it(`on ${HOST}, which is no address of this machine, ends with 1 and names HOST`, async () => {
      const { code, stdout, stderr } = await place.run(['serve'], { HOST });
      expect({ code, stdout, stderr }).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: 'HOST must be an address or a name of this machine\n',
      });
    });

  it('on every address tells people an address that leads there', async () => {
    const { url, firstLink } = await place.serve({ HOST: '0.0.0.0' });
    const { port } = new URL(url);
    expect(url).to.equal(`http://0.0.0.0:${port}`);
    expect(new URL(firstLink).host).to.equal(`localhost:${port}`);
  });

  it(
    'counts failed authentications by the address that the trusted proxy names, and has the audit say from where and ' +
      'in which request something was published',
    async () => {
      const service = await place.serve({ RATE_LIMIT_FAILED_AUTH: '1', TRUSTED_PROXY_HOPS: '1' });
      const from = async (address: string) => {
        const forged = { Authorization: 'Bearer x', 'X-Forwarded-For': address };
        return (await fetch(`${service.url}/api/automations`, { headers: forged })).status;
      };
      expect([await from('192.0.2.7'), await from('192.0.2.7'), await from('192.0.2.8')]).to.deep.equal([
        401, 429, 401,
      ]);
      const client = new Client(service.url, service.firstKey);
      const headers = {
        'Content-Type': 'application/json',
        'X-Forwarded-For': '203.0.113.9, 192.0.2.1',
        'X-Request-Id': 'mine',
      };
      const answer = await client.send('/api/automations', {
        method: 'POST',
        headers,
        body: JSON.stringify(draft(1, { category_id: 'uncategorized' })),
      });
      const { id } = created(answer);
      client.close();
      await service.stop();
      const { stdout } = await place.run(['audit', '--json']);
      const [latest] = JSON.parse(stdout) as readonly Record<string, unknown>[];
      expect(latest).to.include({
        action: 'automation-published',
        subject: id,
        address: '192.0.2.1',
        request_id: 'mine',
      });
    },
  );

  it('notes the currency, and refuses another one later', async () => {
    const euros = await place.serve({ CURRENCY: 'EUR' });
    const client = new Client(euros.url, euros.firstKey);
    expect(created(await client.post(draft(1, { category_id: 'uncategorized' }))).currency).to.equal('EUR');
    client.close();
    expect(await euros.stop()).to.equal(0);
    const { code, stdout, stderr } = await place.run(['serve'], { CURRENCY: 'USD' });
    expect(code).to.equal(1);
    expect(stderr).to.match(/^CURRENCY must be that of the store: .*EUR.*\. Another currency needs another store\.\n$/);
    expect(stdout).to.equal('');
  });

  it('puts PUBLIC_URL before Link and Location, under the base of the request, and before /docs', async () => {
    const service = await place.serve({ PUBLIC_URL: 'https://market.example/shop/' });
    expect(service.firstLink).to.match(/^https:\/\/market\.example\/shop\/panel\/welcome\//);
    const { status, headers } = await fetch(service.url, { redirect: 'manual' });
    expect([status, headers.get('location')]).to.deep.equal([303, 'https://market.example/shop/catalogue']);
    for (const base of ['/api', '/v1']) {
      const client = new Client(service.url, service.firstKey, base);
      const answer = await client.post(draft(1, { category_id: 'uncategorized' }));
      expect(answer.headers.location).to.equal(`https://market.example/shop${base}/automations/${created(answer).id}`);
      const { link } = (await client.get('/automations?limit=1')).headers;
      expect(link).to.include(`<https://market.example/shop${base}/automations?`);
      client.close();
    }
  });
});
