import { expect } from 'chai';
import { createHttpApp } from '../../../adapters/api/index.js';
import { openApiDocument } from '../../../adapters/api/openapi/document.js';
import { problemExample, type ProblemSlug } from '../../../adapters/edge/problems/table.js';
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
import { createServer } from 'node:http';
import { parseCurrency } from '../../../domain/currency.js';
import { answerChecker } from '../../support/openapi-check.js';
import { listening, send, type Listening } from '../../support/socket.js';

const check = answerChecker(openApiDocument({ currency: parseCurrency('USD'), version: '1.2.3' }));
const headers = { Authorization: 'Bearer writer', 'Content-Type': 'application/json' };
const body = JSON.stringify({ title: 'Sorter', description: 'Sorts.', price: 0.07, category_id: 'finance' });

/** Fails as it is told, which a store in memory never does by itself. */
class FailingRepository extends InMemoryAutomationRepository {
  failure: Error = new TypeError('not told how to fail');

  override async add(_offers: readonly NewAutomation[]): Promise<never> {
    throw this.failure;
  }
}

const failure = (kind: ErrorKind, message: string) => new DomainError(kind, 'store-unavailable', message);

const FAILURES: readonly (readonly [ProblemSlug, Error])[] = [
  ['conflict', failure('conflict', 'an automation has this id already')],
  ['unavailable', failure('unavailable', 'nobody answers at 10.0.0.1')],
  ['outcome-unknown', failure('outcome-unknown', 'nobody answered at 10.0.0.1')],
  ['internal-error', new TypeError('a defect')],
];

describe('The answer to a create when the storage fails', () => {
  let server: Listening;
  const repository = new FailingRepository();

  before(async () => {
    const categories = new InMemoryCategoryRepository([newCategory({ id: 'finance', name: 'Finance' })]);
    const developerId = parseDeveloperId('acme');
    const verifier = new InMemoryApiKeyVerifier([['writer', { developerId, scopes: ['automations:write'] }]]);
    const answer = createHttpApp(new Marketplace(repository, categories), { verifier }).callback();
    server = await listening(createServer((request, response) => void answer(request, response)));
  });
  after(() => server.close());

  for (const [slug, error] of FAILURES)
    it(`is as documented: ${slug}`, async () => {
      repository.failure = error;
      const sent = await send(server.url, { method: 'POST', path: '/api/automations', headers, body });
      check('POST', '/api/automations', sent, sent.body);
      const { instance } = JSON.parse(sent.body) as { readonly instance: string };
      expect(JSON.parse(sent.body)).to.deep.equal(problemExample(slug, '', instance));
    });
});
