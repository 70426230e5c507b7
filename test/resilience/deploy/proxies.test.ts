import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IncomingMessage } from 'node:http';
import { newCertificate } from '../../support/certificate.js';
import { notRun } from '../../support/not-run.js';
import { startProcess, type ServiceProcess } from '../../support/process.js';
import { freePort, send } from '../../support/socket.js';
import { eventually } from '../../support/replica-set.js';

const DOMAIN = 'market.example';
const SETTINGS = { PUBLIC_URL: `https://${DOMAIN}`, TRUSTED_PROXY_HOPS: '1', RATE_LIMIT_FAILED_AUTH: '2' };

interface Answer {
  readonly status: number;
  readonly link: string;
}
type Ask = (key: string, spoofed: string) => Promise<Answer>;

/** Declares a suite for a proxy; without its program it is left out, or fails where the machine must have it. */
function describeProxy(program: string, suite: () => void): void {
  const title = `${program} with the file of deploy/`;
  if (existsSync(program)) describe(title, suite);
  else if (process.env['REQUIRE_PROXIES'] === '1')
    it(title, () => {
      throw new Error(`${program} is missing`);
    });
  else it(notRun(title, `${program}; install the packages nginx-light and caddy`));
}

let folder: string;
let service: ServiceProcess;
let proxy: ChildProcess | undefined;

async function startBehind(program: string, words: readonly string[], settings = {}): Promise<void> {
  const log = openSync(join(folder, 'output.log'), 'a');
  proxy = spawn(program, words, { stdio: ['ignore', log, log], env: { PATH: '/usr/bin', HOME: folder, ...settings } });
}

function itServes(ask: () => Ask): void {
  it('leads to the service, whose links have the public address', async () => {
    await eventually(async () => expect((await ask()(service.firstKey, '')).status).to.equal(200));
    expect((await ask()(service.firstKey, '')).link).to.match(/^<https:\/\/market\.example\/api\/automations\?page=1>/);
  });

  it('tells the address of the client, which cannot choose another', async () => {
    const statuses: number[] = [];
    for (const n of [1, 2, 3]) statuses.push((await ask()('wrong', `192.0.2.${n}`)).status);
    expect(statuses).to.deep.equal([401, 401, 429]);
  });
}

function itHidesKeys(open: (path: string) => Promise<unknown>, logs: readonly string[]): void {
  it('logs no path below /n8n, where keys may stand', async () => {
    await open('/n8n/key-in-a-path/health');
    const logged = () => logs.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    await eventually(async () => expect(logged()).to.include('/n8n/...'));
    expect(logged()).not.to.include('key-in-a-path');
  });
}

function aroundEach(start: () => Promise<void>): void {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'proxy-'));
    service = await startProcess(SETTINGS);
    await start();
  });
  after(async () => {
    proxy?.kill();
    if (proxy?.exitCode === null) await once(proxy, 'exit');
    await service.stop();
    rmSync(folder, { recursive: true });
  });
}

const NGINX = '/usr/sbin/nginx';
describeProxy(NGINX, () => {
  let [port, plainPort] = ['', ''];
  aroundEach(async () => {
    [port, plainPort] = [await freePort(), await freePort()];
    const { cert, key } = newCertificate(folder);
    const site = readFileSync('deploy/nginx.conf', 'utf8')
      .replace('127.0.0.1:3000', new URL(service.url).host)
      .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
      .replace('default "";', `default ":${port}";`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replaceAll('/var/log/nginx', folder)
      .replace(/ssl_certificate \S+;/, `ssl_certificate ${cert};`)
      .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`);
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const places = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(' ');
    const file = join(folder, 'nginx.conf');
    // Of root the workers would be another user, who may not write bodies into the folder.
    const user = process.getuid?.() === 0 ? 'user root; ' : '';
    const start = `${user}daemon off; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'error.log')};`;
    writeFileSync(file, `${start} events {} http { access_log ${join(folder, 'access.log')}; ${places}\n${site}}`);
    await startBehind(NGINX, ['-c', file, '-e', join(folder, 'error.log')]);
  });

  async function overTls(path: string, sent: Readonly<Record<string, string>>, body?: Buffer) {
    const headers = { ...sent, Host: DOMAIN };
    const options = { port, host: '127.0.0.1', path, headers, rejectUnauthorized: false, servername: DOMAIN };
    const asked = request({ ...options, method: body ? 'POST' : 'GET', agent: false }).end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
  }

  itServes(() => async (key, spoofed) => {
    const headers = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': spoofed };
    const { status, headers: answered } = await overTls('/api/automations', headers);
    return { status, link: String(answered['link']) };
  });

  itHidesKeys((path) => overTls(path, {}), ['access.log', 'error.log']);

  it('leads from http to https, on its port', async () => {
    const wanted = { method: 'GET', path: '/catalogue?q=a', headers: { Host: `${DOMAIN}:${plainPort}` } };
    const { status, headers } = await send(`http://127.0.0.1:${plainPort}`, wanted);
    expect([status, headers.get('location')]).to.deep.equal([308, `https://${DOMAIN}:${port}/catalogue?q=a`]);
  });

  it('compresses documents, whose tags still answer with 304', async () => {
    const headers = { 'Accept-Encoding': 'gzip', Authorization: `Bearer ${service.firstKey}` };
    const found = await overTls('/api/categories', headers);
    expect([found.status, found.headers['content-encoding']]).to.deep.equal([200, 'gzip']);
    const again = await overTls('/api/categories', { ...headers, 'If-None-Match': String(found.headers['etag']) });
    expect(again.status).to.equal(304);
  });

  for (const [size, bytes] of [
    ['little', 200 * 1024],
    ['much', 5 * 1024 * 1024],
  ] as const)
    it(`has a document for a body that is ${size} too large`, async () => {
      const headers = { Authorization: `Bearer ${service.firstKey}`, 'Content-Type': 'application/json' };
      const refused = await overTls('/api/automations', headers, Buffer.alloc(bytes, 'x'));
      expect([refused.status, refused.headers['content-type']]).to.deep.equal([413, 'application/problem+json']);
      expect(JSON.parse(refused.body.toString())).to.include({ code: 'payload-too-large', status: 413 });
    });
});

const CADDY = '/usr/bin/caddy';
describeProxy(CADDY, () => {
  let port = '';
  aroundEach(async () => {
    port = await freePort();
    const file = join(folder, 'Caddyfile');
    const site = readFileSync('deploy/Caddyfile', 'utf8');
    // The site of an operator who wants a log of requests.
    writeFileSync(file, site.replace('{\n', '{\n\tadmin off\n').replace('encode zstd gzip', '$&\n\tlog'));
    const settings = { DOMAIN: `http://${DOMAIN}:${port}`, UPSTREAM: new URL(service.url).host };
    await startBehind(CADDY, ['run', '--adapter', 'caddyfile', '--config', file], settings);
  });

  itServes(() => async (key, spoofed) => {
    const headers = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': spoofed, Host: `${DOMAIN}:${port}` };
    const sent = await send(`http://127.0.0.1:${port}`, { method: 'GET', path: '/api/automations', headers });
    return { status: sent.status, link: String(sent.headers.get('link')) };
  });

  const wanted = (path: string) => ({ method: 'GET', path, headers: { Host: `${DOMAIN}:${port}` } });
  itHidesKeys((path) => send(`http://127.0.0.1:${port}`, wanted(path)), ['output.log']);
});
