import { expect } from 'chai';
import { startService, type LocalService } from '../../support/service.js';
import { send } from '../../support/socket.js';

const LONG = `text/html;x="${','.repeat(1024)}`;
const MANY = Array.from({ length: 200 }, (_, n) => `text/x-${n}`).join(', ');

describe('A header that is negotiated, outside the bases', () => {
  let service: LocalService;

  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const typeOf = async (headers: Readonly<Record<string, string>>) =>
    (await send(service.url, { method: 'GET', path: '/nothing', headers })).headers.get('Content-Type');

  for (const [name, accept] of Object.entries({ LONG, MANY }))
    it(`counts as absent when it is longer than 1 KiB: ${name}`, async () => {
      expect(await typeOf({ Accept: accept })).to.equal('application/problem+json');
    });

  it('counts when it is shorter', async () => {
    expect(await typeOf({ Accept: 'text/html' })).to.equal('text/html; charset=utf-8');
  });

  it('says by no parameter but q what is accepted', async () => {
    const [page, document] = ['text/html; charset=utf-8', 'application/problem+json'];
    for (const [Accept, type] of Object.entries({
      'text/html;level=1': page,
      'text/html;level=1, application/json;q=0.9': page,
      'application/json;version=1;q=0.2, text/html;profile="a,b;q=0"': page,
      'application/json;version=1': document,
      'application/json;version=1, text/html;level=1;q=0.9': document,
    }))
      expect(await typeOf({ Accept }), Accept).to.equal(type);
  });

  for (const [status, headers] of Object.entries({
    400: { Accept: 'text/html', Host: 'a/b' },
    417: { Accept: 'text/html', Expect: 'nothing' },
    431: { Accept: 'text/html', 'X-Long': 'x'.repeat(17_000) },
  }))
    it(`is not read for a request that is refused with ${status}`, async () => {
      expect(await typeOf(headers)).to.equal('application/problem+json');
    });
});
