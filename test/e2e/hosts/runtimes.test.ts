import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createSecureServer, createServer } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createHttpApp } from '../../../adapters/api/index.js';
import { inMemoryStorage } from '../../../adapters/in-memory/index.js';
import { newCore, OPERATOR } from '../../../application/index.js';
import { newCertificate } from '../../support/certificate.js';
import { promisedOutput, ROOT } from '../../support/readme.js';
import { freePort, listening } from '../../support/socket.js';
import { TEST_CATEGORIES } from '../../support/storages.js';

const run = promisify(execFile);
/** What the pages import, in this build. */
const BUILT: Readonly<Record<string, string>> = {
  '': 'application/index.js',
  http: 'adapters/api/index.js',
  'in-memory': 'adapters/in-memory/index.js',
};

/** Returns the blocks of a page, which import this build. */
function blocksOf(page: string): readonly string[] {
  const text = readFileSync(new URL(`docs/${page}`, ROOT), 'utf8');
  return Array.from(text.matchAll(/^```js[^\n]*\n(.*?)^```$/gms), ([, code = '']) =>
    code.replaceAll(/'automation-marketplace[-/]?([a-z-]*)'/g, (_, entry: string) =>
      JSON.stringify(new URL(`dist/${BUILT[entry] ?? expect.fail(entry)}`, ROOT).href),
    ),
  );
}

/** Returns the API over a store with categories, and a key. */
async function market() {
  const storage = inMemoryStorage();
  await storage.categories.save(TEST_CATEGORIES);
  const { keys, marketplace, verifier } = newCore(storage);
  const { text } = await keys.issue(OPERATOR, { developer: 'ada' });
  const handle = createHttpApp(marketplace, { verifier, onError: undefined }).callback();
  return { handle, authorization: `Bearer ${text}` };
}

describe('Other runtimes', () => {
  let folder = '';
  // Below the packages of this folder.
  before(() => (folder = mkdtempSync(fileURLToPath(new URL('program-', import.meta.url)))));
  after(() => rmSync(folder, { recursive: true }));

  /** Writes modules and runs the last one. */
  async function printed(files: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<string> {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { stdout } = await run(process.execPath, [...words, Object.keys(files).at(-1) ?? ''], { cwd: folder });
    return stdout;
  }

  it("docs/opentelemetry.md: a request's span has its route, each middleware a named span", async () => {
    const [tracing = '', server = ''] = blocksOf('opentelemetry.md');
    const port = await freePort();
    const ask = `
      await fetch('http://127.0.0.1:8080/api/automations/x', { headers: { Authorization: 'Bearer no' } });
      server.close();`;
    const files = { 'tracing.js': tracing, 'server.js': (server + ask).replaceAll('8080', port) };
    const spans = await printed(files, '--import', './tracing.js');
    expect(spans)
      .to.include(`'http.route': '/market/api/automations/:id'`)
      .and.include(`name: 'middleware - findCaller'`)
      .and.include(`name: 'middleware - logRequest'`)
      .and.not.include('anonymous');
  });

  it('docs/runtimes.md: requests of fetch are answered, bodies without a length included', async () => {
    const [program = ''] = blocksOf('runtimes.md');
    const { length } = promisedOutput(program);
    expect(length).to.equal(1);
    const draft = { title: 'A', description: 'B', price: 1, category_id: 'communication' };
    const more = `
      import { newCategory, OPERATOR } from ${JSON.stringify(new URL('dist/application/index.js', ROOT).href)};
      await storage.categories.save([newCategory({ id: 'communication', name: 'Communication' })]);
      const { text } = await keys.issue(OPERATOR, { developer: 'ada' });
      const headers = { Authorization: 'Bearer ' + text, 'Content-Type': 'application/json' };
      const requestOf = (path, init) => new Request('http://a.example/api/' + path, { headers, ...init });
      const ask = async (path, init) => (await handle(requestOf(path, init))).status;
      const body = ${JSON.stringify(JSON.stringify(draft))};
      console.log(await ask('automations', { method: 'POST', body }), await ask('automations?limit=1'));
      const length = { ...headers, 'Content-Length': String(body.length) };
      console.log(await ask('automations', { method: 'POST', body, headers: length }), await ask('nothing'));
      process.exit(0);`;
    const whole = program.replace(
      'const { marketplace, verifier } = newCore(inMemoryStorage());',
      'const storage = inMemoryStorage();\nconst { marketplace, verifier, keys } = newCore(storage);',
    );
    expect(await printed({ 'fetch.js': whole + more })).to.equal('401\n201 200\n201 404\n');
  });

  it('docs/runtimes.md: HTTP/2 is refused with a problem, HTTP/1.1 on the same port served', async () => {
    const { handle, authorization } = await market();
    const plain = createServer((incoming, response) => void handle(incoming as never, response as never));
    const { url } = await listening(plain as never);
    const client = connect(url);
    const stream = client.request({ ':path': '/api/categories', authorization });
    const body = await new Promise<string>((resolve) => {
      let text = '';
      stream.on('data', (part) => (text += String(part))).on('end', () => resolve(text));
    });
    expect(JSON.parse(body)).to.include({
      status: 400,
      code: 'malformed-request',
      detail: 'Use HTTP/1.1 or HTTP/1.0.',
    });
    client.close();
    plain.close();

    const certificates = mkdtempSync(join(tmpdir(), 'http2-'));
    const { cert, key } = newCertificate(certificates);
    const secure = createSecureServer(
      { allowHTTP1: true, cert: readFileSync(cert), key: readFileSync(key) },
      (incoming, response) => void handle(incoming as never, response as never),
    );
    const { port } = new URL((await listening(secure as never)).url);
    const status = await new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', path: '/api/categories', rejectUnauthorized: false };
      const headers = { authorization, connection: 'close' };
      request({ ...options, headers }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(200);
    secure.close();
    rmSync(certificates, { recursive: true });
  });
});
