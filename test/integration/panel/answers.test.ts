import { expect } from 'chai';
import { createServer } from 'node:http';
import type { HttpMiddleware } from '../../../adapters/edge/context.js';
import type { CompletedRequest } from '../../../adapters/api/index.js';
import { Overload } from '../../../adapters/edge/middleware/overload.js';
import { Problem } from '../../../adapters/edge/problems/problem.js';
import { createPanel } from '../../../adapters/panel/index.js';
import { newCore } from '../../../application/core.js';
import { AUTOMATION_STORE, CORE, SESSION_REPOSITORY } from '../../../composition/tokens.js';
import { DomainError } from '../../../application/index.js';
import { startPanel, type PanelService } from '../../support/panel.js';
import { Visitor } from '../../support/panel-visitor.js';
import { listening, send, type Listening } from '../../support/socket.js';
import { expectSafe } from './safe.js';

/** Refuses every request. */
class Full extends Overload {
  override forAll(): HttpMiddleware {
    return () => {
      throw new Problem('overloaded', 'The service is receiving more requests than it can handle. Try again later.');
    };
  }
}

describe('The panel while there are too many requests', () => {
  let service: PanelService;
  let busy: Listening;
  let completed: CompletedRequest[];
  before(async () => {
    service = await startPanel();
    completed = [];
    const onError = () => expect.fail('an overload is no error');
    const onRequestCompleted = (request: CompletedRequest) => completed.push(request);
    const panel = createPanel(newCore(service.repositories), { onError, onRequestCompleted }, new Full());
    busy = await listening(createServer((request, response) => void panel.callback()(request, response)));
  });
  after(async () => {
    await busy.close();
    await service.close();
  });

  it('says so in a page like any other, and when to come again', async () => {
    const answer = await new Visitor(busy.url).open('/panel/keys', { 'X-Request-Id': 'mine' });
    expectSafe(answer);
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('content-type')]).to.deep.equal([
      503,
      '1',
      'text/html; charset=utf-8',
    ]);
    expect(answer.body).to.include('<h1>The marketplace is busy</h1>').and.include('<code>mine</code>');
    const reported = completed.map(({ requestId, status, problem }) => ({ requestId, status, problem }));
    expect(reported).to.deep.equal([{ requestId: 'mine', status: 503, problem: 'overloaded' }]);
  });

  it('sends no page in response to HEAD, and reads no large body', async () => {
    const head = await send(busy.url, { method: 'HEAD', path: '/panel' });
    expect([head.status, head.body]).to.deep.equal([503, '']);
    const headers = { 'Content-Length': String(10 * 1024 * 1024), Connection: 'keep-alive' };
    const post = await new Visitor(busy.url).post('/panel/keys', 'x'.repeat(1024), headers);
    expect([post.status, post.headers.get('connection')]).to.deep.equal([503, 'close']);
  });
});

describe('The panel of a currency without decimals', () => {
  it('advises no price that it would refuse', async () => {
    const service = await startPanel({ CURRENCY: 'JPY' });
    const ada = new Visitor(service.url);
    await ada.accept(await service.invite('ada'), 'ada');
    const page = await ada.open('/panel/automations/new');
    const wrong = await ada.submit('/panel/automations/new', {
      title: 'T',
      description: 'D',
      price: '1,000',
      categoryId: 'uncategorized',
    });
    await service.close();
    expect(page.body).to.include('For example 10; 0 is free.').and.not.include('9.99');
    expect(wrong.body)
      .to.include('Price must be a whole amount such as 10, without thousands separators.')
      .and.not.include('9.99');
  });
});

describe('The panel over a storage that is away', () => {
  let service: PanelService;
  let ada: Visitor;
  beforeEach(async () => {
    service = await startPanel();
    ada = new Visitor(service.url);
    await ada.accept(await service.invite('ada'), 'ada');
  });
  afterEach(() => service.close());

  const away = (kind: 'unavailable' | 'outcome-unknown') => () =>
    Promise.reject(new DomainError(kind, 'store-unavailable', 'mongodb://ada:canary@db'));

  it('says so with 503 and Retry-After, without a word of why, and tells the log', async () => {
    Object.assign(service.container.get(SESSION_REPOSITORY), { findByHash: away('unavailable') });
    const answer = await ada.open('/panel/keys');
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '2']);
    expect(answer.body).to.include('The storage is not reachable').and.not.include('canary');
    expect(service.logged.filter((line) => line.includes('"level":50'))).to.have.length(1);
    expect(service.logged.join('')).to.not.include('canary');
  });

  it('says so when too many sign in, and the log has nothing of it', async () => {
    const busy = () =>
      Promise.reject(
        new DomainError(
          'unavailable',
          'too-many-sign-ins',
          'too many are signing in right now; try again in a few seconds',
        ),
      );
    Object.assign(service.container.get(CORE).sessions, { signIn: busy });
    const answer = await ada.signIn('ada');
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(answer.body)
      .to.include('The marketplace is busy')
      .and.include('Too many are signing in right now')
      .and.not.include('storage');
    expect(service.logged.filter((line) => line.includes('"level":50'))).to.deep.equal([]);
  });

  it('says of a write whose fate is unknown that it cannot be told', async () => {
    Object.assign(service.container.get(AUTOMATION_STORE).automations, { add: away('outcome-unknown') });
    const fields = { title: 'T', description: 'D', price: '1', categoryId: 'uncategorized' };
    const answer = await ada.submit('/panel/automations/new', fields);
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '2']);
    expect(answer.body).to.include('It is unknown whether this was done.');
  });

  it('answers a defect with 500 and the request id alone', async () => {
    Object.assign(service.container.get(CORE).records, { find: () => Promise.reject(new Error('canary')) });
    const answer = await ada.open('/panel/automations');
    expect(answer.status).to.equal(500);
    expect(answer.body).to.include(answer.headers.get('x-request-id')).and.not.include('canary');
  });
});
