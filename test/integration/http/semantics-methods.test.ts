import { expect } from 'chai';
import { METHODS } from 'node:http';
import { startService, type TestService } from '../../support/service.js';
import { ask, offer, speak } from './hostile/ask.js';
import { slugOf, type Answer } from '../../../adapters/conformance/answer.js';
import { DRAFT } from './hostile/row.js';

const LIST = 'GET, HEAD, OPTIONS, POST';
const READ = 'GET, HEAD, OPTIONS';

describe('HTTP methods', () => {
  let service: TestService;
  let key: string;
  /** What each path takes. */
  let routes: Readonly<Record<string, string>>;

  before(async () => {
    service = await startService();
    key = await service.key();
    const { id } = JSON.parse((await offer(service.url, key, DRAFT)).body) as { id: string };
    routes = Object.fromEntries(
      ['/api', '/v1', '/api/v1', '/v1/api'].flatMap((base) => [
        [`${base}/automations`, LIST],
        [`${base}/automations/${id}`, READ],
        [`${base}/categories`, READ],
      ]),
    );
  });
  after(() => service.close());

  async function send(method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const all = { Host: 'market.example', Authorization: `Bearer ${key}`, 'X-Request-Id': 'methods', ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const { answers } = await speak(service.port, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, {
      head: method === 'HEAD',
    });
    const [answer] = answers;
    if (answer === undefined) throw new Error(`${method} ${path} was not answered`);
    return answer;
  }

  it('that a path takes are in Allow; every other one that Node knows is 405 with that Allow', async () => {
    for (const [path, allow] of Object.entries(routes))
      for (const method of METHODS) {
        const answer = await send(method, path);
        const taken = allow.split(', ').includes(method);
        expect(answer.status === 405, `${method} ${path}`).to.equal(!taken);
        if (!taken)
          expect(answer.headers.get('allow'), `${method} ${path}`).to.equal(method === 'CONNECT' ? LIST : allow);
        if (!taken) expect(slugOf(answer)).to.equal('method-not-allowed');
      }
  });

  it('GET and HEAD answer alike but for the body', async () => {
    const reader = await service.key('bob', ['automations:write']);
    const etag = (await ask(`${service.url}/api/categories`, { key })).headers.get('etag') ?? '';
    const cases: readonly (readonly [number, string, Record<string, string>])[] = [
      ...Object.keys(routes).map((path) => [200, path, {}] as const),
      [200, '/api/automations?limit=1', {}],
      [304, '/api/categories', { 'If-None-Match': etag }],
      [304, '/api/automations', { 'If-None-Match': '*' }],
      [400, '/api/automations?page=0', {}],
      [400, '/api/automations', { Host: 'a b' }],
      [401, '/api/automations', { Authorization: 'Basic x' }],
      [401, '/api/automations', { Authorization: 'Bearer x' }],
      [403, '/api/categories', { Authorization: `Bearer ${reader}` }],
      [404, '/api/automations/x', {}],
      [404, '/api/x', {}],
      [406, '/api/automations', { Accept: 'text/html' }],
      [412, '/api/automations', { 'If-Match': '"x"' }],
      [414, `/api/${'x'.repeat(9_000)}`, {}],
      [417, '/api/automations', { Expect: 'x' }],
      [431, '/api/automations', { 'X-Fill': 'x'.repeat(17_000) }],
    ];
    for (const [status, path, headers] of cases) {
      const [get, head] = [await send('GET', path, headers), await send('HEAD', path, headers)];
      expect([get.status, head.status], path).to.deep.equal([status, status]);
      expect(essence(head), path).to.deep.equal(essence(get));
      if (status !== 304)
        expect(head.headers.get('content-length'), path).to.equal(String(Buffer.byteLength(get.body)));
      expect(head.body, path).to.equal('');
    }
  });
});

function essence({ headers }: Answer): readonly (readonly [string, string])[] {
  return Array.from(headers).filter(([name]) => name !== 'date');
}
