import { expect } from 'chai';
import { once } from 'node:events';
import { copyFile, rename } from 'node:fs/promises';
import { Agent, get as secureGet, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { connect as secureConnect, type TLSSocket } from 'node:tls';
import { protectServer, type CompletedRequest } from '../../../adapters/api/index.js';
import { createHttpServer } from '../../../adapters/edge/server/server.js';
import { readTls } from '../../../composition/config/files.js';
import { Workplace, type ServiceProcess } from '../../support/process.js';
import { listening } from '../../support/socket.js';
import { newCertificate, type Certificate } from '../../support/certificate.js';

interface Reply {
  readonly status: number;
  readonly protocol: string;
}

function ask(service: Pick<ServiceProcess, 'url' | 'firstKey'>, options: RequestOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${service.firstKey}` };
    const request = secureGet(`${service.url}/api/automations`, { agent: false, ...options, headers }, (response) => {
      const socket = response.socket as { getProtocol?: () => string | null };
      resolve({ status: response.statusCode ?? 0, protocol: socket.getProtocol?.() ?? '' });
      response.resume();
    });
    request.on('error', reject);
  });
}

/** The code and the message of a failure. */
async function failureOf(failing: Promise<unknown>): Promise<string> {
  return failing.then(
    () => 'no failure',
    (error: unknown) => `${(error as NodeJS.ErrnoException).code ?? ''} ${String(error)}`,
  );
}

describe('The service with TLS_CERT and TLS_KEY', () => {
  let place: Workplace;
  let service: ServiceProcess;
  let certificate: Certificate;

  before(async () => {
    place = await Workplace.open();
    certificate = newCertificate(place.folder);
    service = await place.serve({ TLS_CERT: certificate.cert, TLS_KEY: certificate.key });
  });
  after(() => place.clear());

  /** Sends SIGHUP, and waits for what the log says of it. */
  async function hangUp(msg: string): Promise<void> {
    service.signal('SIGHUP');
    while (!service.logged().some((line) => line.includes(msg))) await setTimeout(20);
  }

  it('the service speaks HTTPS with its certificate', async () => {
    expect(service.url).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask(service, { ca: certificate.pem })).to.deep.equal({ status: 200, protocol: 'TLSv1.3' });
    expect(await failureOf(ask(service, {}))).to.include('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('TLS 1.2 is the oldest that it speaks', async () => {
    const old = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2') =>
      ask(service, { ca: certificate.pem, minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' });
    expect(await old('TLSv1.2')).to.deep.equal({ status: 200, protocol: 'TLSv1.2' });
    for (const version of ['TLSv1', 'TLSv1.1'] as const)
      expect(await failureOf(old(version)), version).to.match(/alert protocol version/);
  });

  it('plain HTTP is not redirected: the connection is closed', async () => {
    const plain = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => undefined);
    plain.end('GET /api/automations HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await text(plain).catch(() => '')).not.to.match(/location/i);
    const failure = await failureOf(
      fetch(`${service.url.replace('https', 'http')}/api/automations`, { redirect: 'manual' }),
    );
    expect(failure).to.include('fetch failed');
  });

  it('plain HTTP, and a version that is too old, have a line of the log each that says so', async () => {
    await failureOf(fetch(`${service.url.replace('https', 'http')}/api/automations`));
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await failureOf(ask(service, { ca: certificate.pem, ...old }));
    const reasons = () =>
      service
        .logged()
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => String(msg).startsWith('a TLS handshake failed'))
        .map(({ level, msg, code }) => [level, msg, code].join(' '));
    while (new Set(reasons()).size < 2) await setTimeout(20);
    expect([...new Set(reasons())]).to.have.members([
      '30 a TLS handshake failed: the client spoke HTTP to the HTTPS port ERR_SSL_HTTP_REQUEST',
      '30 a TLS handshake failed ERR_SSL_UNSUPPORTED_PROTOCOL',
    ]);
  });

  it('every response has Strict-Transport-Security, also an error and one of the parser', async () => {
    const paths = [
      '/api/automations',
      '/v1/nothing',
      '/livez',
      '/docs',
      '/nothing',
      '/panel/sign-in',
      '/panel/nothing',
    ];
    for (const path of paths) expect(await hstsOf(path), path).to.equal('max-age=31536000');
    const { hostname: host, port } = new URL(service.url);
    const socket = secureConnect({ host, port: Number(port), ca: certificate.pem });
    socket.write('NONSENSE\r\n\r\n');
    expect(await text(socket))
      .to.match(/^HTTP\/1\.1 400 /)
      .and.include('\r\nStrict-Transport-Security: max-age=31536000\r\n');
  });

  function hstsOf(path: string): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const request = secureGet(`${service.url}${path}`, { agent: false, ca: certificate.pem }, (response) => {
        resolve(response.headers['strict-transport-security']);
        response.resume();
      });
      request.on('error', reject);
    });
  }

  it(
    'a new certificate is taken at SIGHUP, and open connections stay; ' + 'one that is not good changes nothing',
    async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: certificate.pem });
      const overOne = () => ask(service, { agent });
      expect((await overOne()).status).to.equal(200);
      const another = newCertificate(place.folder, 'another');
      await copyFile(another.key, certificate.key);
      await hangUp('certificate not reloaded; the old one stays');
      expect((await ask(service, { ca: certificate.pem })).status).to.equal(200);
      await rename(certificate.key, `${certificate.key}.away`);
      await hangUp('"message":"TLS_KEY must name a PEM file that can be read"');
      await rename(`${certificate.key}.away`, certificate.key);
      await copyFile(another.cert, certificate.cert);
      await hangUp('certificate reloaded');
      expect((await ask(service, { ca: another.pem })).status).to.equal(200);
      expect(await failureOf(ask(service, { ca: certificate.pem }))).to.match(/self.signed|certificate/i);
      expect((await overOne()).status).to.equal(200);
      agent.destroy();
      certificate = another;
    },
  );

  it('a client that sends nothing, or nothing sensible, is sent away after 5 seconds', async () => {
    const began = performance.now();
    const { hostname, port } = new URL(service.url);
    const said = ['', '\u0016\u0003\u0001', '\u0000\u0000\u0000\u0000'];
    await Promise.all(
      said.map(async (bytes) => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined).resume();
        socket.write(bytes);
        await once(socket, 'close');
      }),
    );
    expect(performance.now() - began).to.be.above(4_000);
  });

  it('no byte of the private key is printed', () => {
    expect([...service.stdout, ...service.stderr].join('\n')).not.to.match(/PRIVATE|\.key/);
  });
});

describe('A connection over TLS', () => {
  it('has the time limits of any other connection', async () => {
    const place = await Workplace.open();
    const certificate = newCertificate(place.folder);
    const server = createHttpServer((_request, response) => response.end(), readTls(certificate));
    protectServer(server);
    expect(server).to.include({ headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 65_000 });
    const sockets: TLSSocket[] = [];
    server.on('secureConnection', (socket: TLSSocket) => sockets.push(socket));
    const service = await listening(server);
    expect(
      (await ask({ url: service.url.replace('http', 'https'), firstKey: '' }, { ca: certificate.pem })).status,
    ).to.equal(200);
    expect(sockets.map(({ timeout }) => timeout)).to.deep.equal([30_000]);
    await service.close();
    await place.clear();
  });

  it('is no request where its handshake fails', async () => {
    const place = await Workplace.open();
    const told: CompletedRequest[] = [];
    const server = createHttpServer(() => undefined, readTls(newCertificate(place.folder)));
    protectServer(server, { onRequestCompleted: (request) => told.push(request) });
    const service = await listening(server);
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').resume();
    socket.write('\0\0\0\0\0');
    await once(socket, 'close');
    expect(told).to.deep.equal([]);
    await service.close();
    await place.clear();
  });
});
