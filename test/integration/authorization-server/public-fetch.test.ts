import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type RequestOptions, type Server } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { hostname as nameOfThisMachine, tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicFetch } from '../../../adapters/authorization-server/public-fetch.js';
import { newCertificate } from '../../support/certificate.js';

const PUBLIC = '198.41.0.4';
const HERE = '127.0.0.1';
const ADDRESS = 'https://app.example/client.json';

describe('The fetch of metadata documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'public-fetch-'));
  let site: Server;
  let answer: RequestListener;
  let connections: number;
  /** The names that were looked up. */
  let asked: string[];
  /** The port of the site in place of 443, and its certificate. */
  let options: RequestOptions;

  before(async () => {
    const { pem: cert, key } = newCertificate(folder);
    site = createServer({ cert, key: readFileSync(key) }, (request, response) => answer(request, response));
    site.on('connection', () => (connections += 1));
    site.listen(0, HERE);
    await once(site, 'listening');
    options = { port: (site.address() as AddressInfo).port, ca: cert, checkServerIdentity: () => undefined };
  });
  after(async () => {
    site.closeAllConnections();
    site.close();
    rmSync(folder, { recursive: true });
    await once(site, 'close');
  });
  beforeEach(() => {
    [connections, asked] = [0, []];
    answer = (_request, response) => response.end('{}');
  });

  /** Finds these addresses for every name. */
  const found =
    (...addresses: readonly string[]): LookupFunction =>
    (hostname, { all }, callback) => {
      asked.push(hostname);
      const both = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      if (all === true) callback(null, both);
      else callback(null, both[0]?.address ?? '', both[0]?.family);
    };
  const isHere = (address: string) => address === HERE;
  const refusalOf = (fetched: Promise<unknown>) =>
    fetched.then(
      () => 'fetched',
      (error: unknown) => (error as Error).message,
    );

  it('reads a document of a public server, at the address that was checked', async () => {
    answer = ({ headers }, response) => response.setHeader('Cache-Control', 'max-age=60').end(JSON.stringify(headers));
    const fetch = publicFetch(isHere, { ...options, lookup: found(HERE) });
    const response = await fetch(ADDRESS, { headers: { accept: 'application/json', 'user-agent': '' } });
    expect(response.status).to.equal(200);
    expect(response.headers.get('cache-control')).to.equal('max-age=60');
    expect(await response.json()).to.include({ accept: 'application/json', 'user-agent': '' });
    expect(asked).to.deep.equal(['app.example']);
  });

  const LITERAL = [
    ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001'],
    ...['127.0.0.1.', '０x7f.１', '①②⑦.⓪.⓪.①', '0.0.0.0', '0', '10.0.0.1', '169.254.169.254', '192.168.0.1'],
    ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...['[fec0::1]', '[fe80::1]', '[fd00::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[ff02::1]'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.localhost.', 'ｌocalhost', 'local%68ost'],
  ];
  for (const host of LITERAL)
    it(`makes no connection, and looks nothing up, for ${host}`, async () => {
      const fetch = publicFetch(undefined, { ...options, lookup: found(HERE) });
      expect(await refusalOf(fetch(`https://${host}/client.json`))).to.include('is not at a public address');
      expect([connections, asked]).to.deep.equal([0, []]);
    });

  for (const [title, addresses] of [
    ['at this machine', [HERE]],
    ['at this machine over IPv6', ['::1']],
    ['at this machine, as a mapped address', ['::ffff:127.0.0.1']],
    ['in a private network', ['10.0.0.1']],
    ['at a public address and at this machine', [PUBLIC, HERE]],
    ['at this machine and at a public address', [HERE, PUBLIC]],
  ] as const)
    it(`makes no connection for a name that is ${title}`, async () => {
      const fetch = publicFetch(undefined, { ...options, lookup: found(...addresses) });
      expect(await refusalOf(fetch(ADDRESS))).to.equal('app.example is not at a public address');
      expect([connections, asked]).to.deep.equal([0, ['app.example']]);
    });

  it('makes no connection for a name of this machine, as its resolver finds it', async () => {
    const fetch = publicFetch(undefined, options);
    expect(await refusalOf(fetch(`https://${nameOfThisMachine()}/`))).to.not.equal('fetched');
    expect(connections).to.equal(0);
  });

  it('looks a name up once: what a second look-up would find counts for nothing', async () => {
    let times = 0;
    const rebound: LookupFunction = (hostname, wanted, callback) =>
      found((times += 1) === 1 ? HERE : '127.0.0.2')(hostname, wanted, callback);
    const fetch = publicFetch(isHere, { ...options, lookup: rebound });
    expect(await refusalOf(fetch(ADDRESS))).to.equal('fetched');
    expect(asked).to.deep.equal(['app.example']);
    expect(await refusalOf(fetch(ADDRESS))).to.equal('app.example is not at a public address');
    expect(connections).to.equal(1);
  });

  it('says that a name is unknown', async () => {
    const unknown: LookupFunction = (_hostname, _options, callback) => callback(new Error('ENOTFOUND'), []);
    expect(await refusalOf(publicFetch(undefined, { ...options, lookup: unknown })(ADDRESS))).to.equal('ENOTFOUND');
    const empty = publicFetch(undefined, { ...options, lookup: found() });
    expect(await refusalOf(empty(ADDRESS))).to.equal('app.example has no address');
  });

  for (const address of [
    'https://app.example:8443/',
    'https://app.example:80/',
    'http://app.example/',
    'ftp://app.example/',
  ])
    it(`makes no connection to ${address}`, async () => {
      const fetch = publicFetch(isHere, { ...options, lookup: found(HERE) });
      expect(await refusalOf(fetch(address))).to.equal(`${address} is not https on port 443`);
      expect([connections, asked]).to.deep.equal([0, []]);
    });

  it('is refused by a server whose certificate nobody signed', async () => {
    const { ca: _ca, ...untrusted } = options;
    const fetch = publicFetch(isHere, { ...untrusted, lookup: found(HERE) });
    expect(await refusalOf(fetch(ADDRESS))).to.equal('self-signed certificate');
  });

  for (const status of [201, 204, 301, 302, 304, 404, 500, 999])
    it(`takes no answer with the status ${status}, and goes nowhere else`, async () => {
      answer = (_request, response) => response.writeHead(status, { Location: 'https://app.example/else' }).end();
      const fetch = publicFetch(isHere, { ...options, lookup: found(HERE) });
      expect(await refusalOf(fetch(ADDRESS))).to.equal(`the answer has the status ${status}, not 200`);
      expect(connections).to.equal(1);
    });

  it('ends when it is told to, before and after the first byte', async () => {
    const fetch = publicFetch(isHere, { ...options, lookup: found(HERE) });
    answer = () => undefined;
    expect(await refusalOf(fetch(ADDRESS, { signal: AbortSignal.timeout(50) }))).to.include('aborted');
    answer = (_request, response) => void response.writeHead(200).write('{');
    const response = await fetch(ADDRESS, { signal: AbortSignal.timeout(200) });
    expect(await refusalOf(response.text())).to.not.equal('fetched');
  });

  it('ends with a connection that breaks, and with one that changes its protocol', async () => {
    const fetch = publicFetch(isHere, { ...options, lookup: found(HERE) });
    answer = ({ socket }) => socket.destroy();
    expect(await refusalOf(fetch(ADDRESS))).to.equal('socket hang up');
    answer = ({ socket }) => socket.end('HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
    expect(await refusalOf(fetch(ADDRESS))).to.equal('the connection ended without an answer');
  });
});
