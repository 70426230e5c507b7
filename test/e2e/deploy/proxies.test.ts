import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
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
  proxy = spawn(program, words, { stdio: 'ignore', env: { PATH: '/usr/bin', HOME: folder, ...settings } });
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
  let port = '';
  aroundEach(async () => {
    port = await freePort();
    const { cert, key } = newCertificate(folder);
    const site = readFileSync('deploy/nginx.conf', 'utf8')
      .replace('127.0.0.1:3000', new URL(service.url).host)
      .replace('listen 80;', `listen 127.0.0.1:${await freePort()};`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace(/ssl_certificate \S+;/, `ssl_certificate ${cert};`)
      .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`);
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const places = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(' ');
    const file = join(folder, 'nginx.conf');
    const start = `daemon off; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'error.log')};`;
    writeFileSync(file, `${start} events {} http { access_log off; ${places}\n${site}}`);
    await startBehind(NGINX, ['-c', file, '-e', join(folder, 'error.log')]);
  });

  itServes(() => async (key, spoofed) => {
    const headers = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': spoofed, Host: DOMAIN };
    const options = { port, host: '127.0.0.1', path: '/api/automations', headers, rejectUnauthorized: false };
    const asked = request({ ...options, servername: DOMAIN, agent: false }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return { status: answer.statusCode ?? 0, link: String(answer.headers['link']) };
  });
});

const CADDY = '/usr/bin/caddy';
describeProxy(CADDY, () => {
  let port = '';
  aroundEach(async () => {
    port = await freePort();
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, `{\n\tadmin off\n}\n${readFileSync('deploy/Caddyfile', 'utf8')}`);
    const settings = { DOMAIN: `http://${DOMAIN}:${port}`, UPSTREAM: new URL(service.url).host };
    await startBehind(CADDY, ['run', '--adapter', 'caddyfile', '--config', file], settings);
  });

  itServes(() => async (key, spoofed) => {
    const headers = { Authorization: `Bearer ${key}`, 'X-Forwarded-For': spoofed, Host: `${DOMAIN}:${port}` };
    const sent = await send(`http://127.0.0.1:${port}`, { method: 'GET', path: '/api/automations', headers });
    return { status: sent.status, link: String(sent.headers.get('link')) };
  });
});
