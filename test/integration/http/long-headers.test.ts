import { expect } from 'chai';
import { startService, type LocalService } from '../../support/service.js';
import { send } from '../../support/socket.js';

const LONG = `text/html;x="${','.repeat(1024)}`;
const MANY = Array.from({ length: 200 }, (_, n) => `text/x-${n}`).join(', ');

describe('A header that is negotiated', () => {
  let service: LocalService;
  let key: string;

  before(async () => {
    service = await startService();
    key = await service.key();
  });
  after(() => service.close());

  const typeOf = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await send(service.url, { method: 'GET', path, headers })).headers.get('Content-Type');

  for (const [name, accept] of Object.entries({ LONG, MANY })) {
    it(`counts as absent when it is longer than 1 KiB, under a base: ${name}`, async () => {
      const headers = { Authorization: `Bearer ${key}`, Accept: accept };
      expect((await send(service.url, { method: 'GET', path: '/api/categories', headers })).status).to.equal(200);
    });

    it(`counts as absent when it is longer than 1 KiB, outside the bases: ${name}`, async () => {
      expect(await typeOf('/nothing', { Accept: accept })).to.equal('application/problem+json');
    });
  }

  it('counts when it is shorter', async () => {
    const headers = { Authorization: `Bearer ${key}`, Accept: MANY.slice(0, 1000) };
    expect((await send(service.url, { method: 'GET', path: '/api/categories', headers })).status).to.equal(406);
    expect(await typeOf('/nothing', { Accept: 'text/html' })).to.equal('text/html; charset=utf-8');
  });

  for (const [status, headers] of Object.entries({
    400: { Accept: 'text/html', Host: 'a/b' },
    417: { Accept: 'text/html', Expect: 'nothing' },
    431: { Accept: 'text/html', 'X-Long': 'x'.repeat(17_000) },
  }))
    it(`is not read for a request that is refused with ${status}`, async () => {
      expect(await typeOf('/nothing', headers)).to.equal('application/problem+json');
    });
});
