import { expect } from 'chai';
import { created, draft, type Client } from '../../support/service/client.js';
import { onEveryStorage, type Stage } from '../../support/service/on-every-storage.js';
import { METHODS, routePaths, type Method } from '../../support/service/routes.js';
import { OPERATOR } from '../../../domain/access.js';

const CALLERS = ['none', 'revoked', 'expired', 'reader', 'writer', 'ada', 'bob'] as const;
type CallerName = (typeof CALLERS)[number];

/** What each of the callers is answered. */
type Row = Readonly<Record<CallerName, number>>;

const STRANGERS = { none: 401, revoked: 401, expired: 401 };
const READ: Row = { ...STRANGERS, reader: 200, writer: 403, ada: 200, bob: 200 };
const CREATE: Row = { ...STRANGERS, reader: 403, writer: 201, ada: 201, bob: 201 };
const OPTIONS: Row = { ...STRANGERS, reader: 204, writer: 204, ada: 204, bob: 204 };
const NOT_TAKEN: Row = { ...STRANGERS, reader: 405, writer: 405, ada: 405, bob: 405 };
const ONLY_READ = {
  GET: READ,
  HEAD: READ,
  OPTIONS,
  POST: NOT_TAKEN,
  PUT: NOT_TAKEN,
  PATCH: NOT_TAKEN,
  DELETE: NOT_TAKEN,
};

/** Who may do what; a route that is not in here fails the suite. */
const MATRIX: Readonly<Record<string, Readonly<Record<Method, Row>>>> = {
  '/automations': { ...ONLY_READ, POST: CREATE },
  '/automations/:id': ONLY_READ,
  '/categories': ONLY_READ,
};

const HOUR = 60 * 60 * 1000;

async function clientsOf(stage: Stage, clock: { time: number }): Promise<Readonly<Record<CallerName, Client>>> {
  const { service } = stage;
  const client = (key?: string): Client => stage.client(key);
  const revoked = await service.keys.issue(OPERATOR, { developer: 'ada' });
  await service.keys.revoke(OPERATOR, revoked.key.id);
  const expired = await service.key('ada', undefined, HOUR);
  clock.time += HOUR;
  return {
    none: client(),
    revoked: client(revoked.text),
    expired: client(expired),
    reader: client(await service.key('carol', ['automations:read'])),
    writer: client(await service.key('carol', ['automations:write'])),
    ada: client(await service.key('ada')),
    bob: client(await service.key('bob')),
  };
}

onEveryStorage('The rights of keys over HTTP', (stage) => {
  const clock = { time: Date.UTC(2025, 0, 1) };
  beforeEach(() => stage.restart({ now: () => new Date(clock.time) }));

  it('the written matrix has a row for every route, and for nothing else', () => {
    expect(Object.keys(MATRIX)).to.have.members([...routePaths()]);
  });

  it('every caller is answered on every route and by every method as the matrix says', async () => {
    const clients = await clientsOf(stage, clock);
    const { id } = created(await clients.ada.post(draft(1)));
    for (const path of routePaths())
      for (const method of METHODS)
        for (const caller of CALLERS) {
          const body = method === 'POST' ? { body: JSON.stringify(draft(2)) } : {};
          const headers = { 'content-type': 'application/json' };
          const answer = await clients[caller].send(`/api${path.replace(':id', id)}`, { method, headers, ...body });
          expect(answer.status, `${caller} ${method} ${path}`).to.equal(MATRIX[path]?.[method][caller]);
        }
  });

  it('the caller of a create is its developer, whatever the body says', async () => {
    const { ada, bob } = await clientsOf(stage, clock);
    expect(created(await ada.post(draft(1))).developer_id).to.equal('ada');
    expect(created(await bob.post(draft(1))).developer_id).to.equal('bob');
    expect((await bob.post({ ...draft(1), developer_id: 'ada' })).status).to.equal(422);
  });
});
