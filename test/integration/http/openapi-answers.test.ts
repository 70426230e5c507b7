import { expect } from 'chai';
import { createHttpApp, protectServer } from '../../../adapters/http/index.js';
import { openApiDocument } from '../../../adapters/http/openapi/document.js';
import { PROBLEMS, problemExample, type ProblemSlug } from '../../../adapters/http/problems/catalogue.js';
import { createHttpServer } from '../../../adapters/http/server/server.js';
import { ScanningSearch } from '../../../adapters/storage/scanning-search.js';
import {
  InMemoryApiKeyVerifier,
  InMemoryAutomationRepository,
  InMemoryCategoryRepository,
} from '../../../adapters/in-memory/index.js';
import {
  DomainError,
  Marketplace,
  newCategory,
  parseDeveloperId,
  type ErrorKind,
  type NewAutomation,
} from '../../../application/index.js';
import { parseCurrency } from '../../../domain/currency.js';
import { answerChecker } from '../../support/openapi-check.js';
import { listening, send, type Listening, type Sent, type Wanted } from '../../support/socket.js';

const document = openApiDocument({ currency: parseCurrency('USD'), version: '1.2.3' });
const check = answerChecker(document);

const WRITER = { Authorization: 'Bearer writer' };
const READER = { Authorization: 'Bearer reader' };
const JSON_BODY = { ...WRITER, 'Content-Type': 'application/json' };
const DRAFT = { title: 'Sorter', description: 'Sorts.', price: 0.07, category_id: 'finance' };
const ID = '01980c5e-7a3b-7c4d-9e21-000000000001';

/** Fails as it is told, which a store in memory never does by itself. */
class FailingRepository extends InMemoryAutomationRepository {
  failure: Error | undefined;

  override async add(offers: readonly NewAutomation[]) {
    if (this.failure) throw this.failure;
    return super.add(offers);
  }
}

const CREATE = { method: 'POST', path: '/api/automations', headers: JSON_BODY, body: JSON.stringify(DRAFT) };
const create = (more: Partial<Wanted> = {}): Wanted => ({ ...CREATE, ...more });
const having = (headers: Readonly<Record<string, string>>) => create({ headers: { ...JSON_BODY, ...headers } });
const get = (path: string, headers: Wanted['headers'] = READER, method = 'GET'): Wanted => ({ method, path, headers });

describe('An answer of the service', () => {
  let server: Listening;
  let ids = 0;
  const repository = new FailingRepository();

  before(async () => {
    const categories = new InMemoryCategoryRepository([newCategory({ id: 'finance', name: 'Finance' })]);
    const newId = () => `01980c5e-7a3b-7c4d-9e21-${String((ids += 1)).padStart(12, '0')}`;
    const developerId = parseDeveloperId('acme');
    const verifier = new InMemoryApiKeyVerifier([
      ['writer', { developerId, scopes: ['automations:read', 'automations:write'] }],
      ['reader', { developerId, scopes: ['automations:read'] }],
    ]);
    const search = new ScanningSearch(repository);
    const app = createHttpApp(new Marketplace(repository, categories, { newId, search }), { verifier });
    const answer = app.callback();
    const bare = createHttpServer((request, response) => void answer(request, response));
    protectServer(bare);
    server = await listening(bare);
    await ask(having({ 'Idempotency-Key': 'first' }));
  });
  beforeEach(() => {
    repository.failure = undefined;
  });
  after(() => server.close());

  async function ask(wanted: Wanted): Promise<Sent> {
    const sent = await send(server.url, wanted);
    check(wanted.method, wanted.path, sent, sent.body);
    return sent;
  }

  const body = (text: string) => create({ body: text });
  const REFUSALS: readonly (readonly [ProblemSlug, Wanted])[] = [
    ['malformed-request', get('/api/categories', { Authorization: ['Bearer reader', 'Bearer writer'] })],
    ['malformed-json', body('{')],
    ['malformed-json', body('')],
    ['invalid-query', get('/api/automations?limit=1000&sort=price')],
    ['invalid-query', get('/api/automations?q=!&sort=best&price_min=1&price_max=0')],
    ['invalid-query', get('/api/automations?sort=best', READER, 'HEAD')],
    ['invalid-query', get('/api/categories?page=1', READER, 'HEAD')],
    ['invalid-query', create({ path: '/api/automations?page=1' })],
    ['idempotency-key-invalid', having({ 'Idempotency-Key': 'a b' })],
    ['missing-credentials', get('/api/nothing', {})],
    ['missing-credentials', get('/api', {}, 'DELETE')],
    ['invalid-token', get('/api/automations', { Authorization: 'Bearer nobody' }, 'HEAD')],
    ['insufficient-scope', having(READER)],
    ['not-found', get('/api/automations/unknown')],
    ['method-not-allowed', get('/api/automations', WRITER, 'DELETE')],
    ['not-acceptable', get('/api/categories', { ...READER, Accept: 'text/html' })],
    ['precondition-failed', get('/api/categories', { ...READER, 'If-Match': '"other"' })],
    ['precondition-failed', get(`/api/automations/${ID}`, { ...READER, 'If-Match': '"other"' }, 'HEAD')],
    ['payload-too-large', body(' '.repeat(70_000))],
    ['uri-too-long', get(`/api/automations?category=${'a'.repeat(9_000)}`)],
    ['unsupported-media-type', having({ 'Content-Type': 'text/plain' })],
    ['unsupported-content-encoding', having({ 'Content-Encoding': 'gzip' })],
    ['expectation-failed', get('/api/automations', { ...READER, Expect: 'miracles' })],
    ['validation-error', body('{"price":"9.99"}')],
    [
      'idempotency-key-reused',
      { ...having({ 'Idempotency-Key': 'first' }), body: JSON.stringify({ ...DRAFT, price: 1 }) },
    ],
    ['header-too-large', get('/api/automations', { ...READER, 'X-Filler': 'a'.repeat(17_000) })],
  ];
  for (const [slug, wanted] of REFUSALS)
    it(`is as documented: ${wanted.method} ${wanted.path.slice(0, 40)} ${slug}`, async () => {
      const { status, body: text } = await ask(wanted);
      expect(status).to.equal(PROBLEMS[slug].status);
      const { title, detail } = PROBLEMS[slug];
      if (wanted.method !== 'HEAD') expect(JSON.parse(text)).to.include({ type: `/problems/${slug}`, title, detail });
    });

  const FAILURES: readonly (readonly [ProblemSlug, Error])[] = [
    ['conflict', failure('conflict', 'an automation has this id already')],
    ['unavailable', failure('unavailable', 'nobody answers at 10.0.0.1')],
    ['outcome-unknown', failure('outcome-unknown', 'nobody answered at 10.0.0.1')],
    ['internal-error', new TypeError('a defect')],
  ];
  for (const [slug, error] of FAILURES)
    it(`is as documented when the storage fails: ${slug}`, async () => {
      repository.failure = error;
      const { body: text } = await ask(create());
      const { instance } = JSON.parse(text) as { readonly instance: string };
      expect(JSON.parse(text)).to.deep.equal(problemExample(slug, '', instance));
    });
});

function failure(kind: ErrorKind, message: string): DomainError {
  return new DomainError(kind, 'store-unavailable', message);
}
