import { expect } from 'chai';
import fc from 'fast-check';
import { randomInt } from 'node:crypto';
import { illegalText, legalText } from '../../../support/random-text.js';
import type { Repositories } from '../../../support/repositories.js';
import { startService, type TestService } from '../../../support/service.js';
import { TEST_CATEGORIES } from '../../../support/storages.js';
import { ask, offer, type Question } from './ask.js';
import { slugOf, type Answer } from '../../../../adapters/conformance/answer.js';
import { parameters, wrongParameter } from './list-parameters.js';
import { DRAFT } from './row.js';
import { totalOf } from './run.js';

/** A request, and the problem types that the contract has for it; none for one that is fine. */
interface Case {
  readonly path: string;
  readonly question: Omit<Question, 'key'>;
  readonly slugs: readonly string[];
}

type Cases = fc.Arbitrary<Case>;

const BASES = fc.constantFrom('/api', '/v1', '/api/v1', '/v1/api');
const HARMLESS = fc.constantFrom<Record<string, string>>(
  {},
  { Accept: '*/*' },
  { Accept: 'application/*;q=0.1' },
  { 'X-Request-Id': 'fuzz' },
  { Range: 'bytes=0-1' },
);
function encoded(parameters: readonly (readonly [string, string])[]): string {
  return parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
}

function read(path: string, query: string, headers: Record<string, string>, slugs: readonly string[] = []): Case {
  return { path: query === '' ? path : `${path}?${query}`, question: { headers }, slugs };
}

const lists: Cases = fc
  .tuple(BASES, parameters, HARMLESS)
  .map(([base, wanted, headers]) => read(`${base}/automations`, encoded(wanted), headers));
const wrongLists: Cases = fc
  .tuple(BASES, parameters, wrongParameter, fc.boolean(), HARMLESS)
  .map(([base, wanted, wrong, first, headers]) =>
    read(`${base}/automations`, encoded(first ? [wrong, ...wanted] : [...wanted, wrong]), headers, ['invalid-query']),
  );

const categories: Cases = fc.tuple(BASES, HARMLESS).map(([base, headers]) => read(`${base}/categories`, '', headers));
const wrongCategories: Cases = fc.oneof(
  fc
    .tuple(BASES, wrongParameter)
    .map(([base, wrong]) => read(`${base}/categories`, encoded([wrong]), {}, ['invalid-query'])),
  fc
    .tuple(BASES, fc.constantFrom('text/html', 'application/json;q=0', 'image/*', 'application/xml, text/*'))
    .map(([base, accept]) => read(`${base}/categories`, '', { Accept: accept }, ['not-acceptable'])),
);

const reads = (id: string): Cases =>
  fc.tuple(BASES, HARMLESS).map(([base, headers]) => read(`${base}/automations/${id}`, '', headers));
const segment = fc
  .oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), fc.uuid())
  .filter((text) => text !== '.' && text !== '..')
  .map((text) => encodeURIComponent(text));
const wrongReads = (id: string): Cases =>
  fc.oneof(
    fc.tuple(BASES, segment).map(([base, unknown]) => read(`${base}/automations/${unknown}`, '', {}, ['not-found'])),
    fc.tuple(BASES, segment).map(([base, tail]) => read(`${base}/automations/${id}/${tail}`, '', {}, ['not-found'])),
    fc
      .tuple(BASES, wrongParameter)
      .map(([base, wrong]) => read(`${base}/automations/${id}`, encoded([wrong]), {}, ['invalid-query'])),
    fc
      .tuple(BASES, fc.constantFrom('"x"', 'W/"x"', '', 'x'))
      .map(([base, tag]) => read(`${base}/automations/${id}`, '', { 'If-Match': tag }, ['precondition-failed'])),
  );

const drafts = fc.record({
  title: legalText(60, { multiline: false }),
  description: legalText(60, { multiline: true }),
  price: fc.integer({ min: 0, max: 9_999_999_999 }).map((cents) => cents / 100),
  category_id: fc.constantFrom(...TEST_CATEGORIES.map(({ id }) => String(id))),
});
const spaces = fc.constantFrom('', ' ', '\n', '\t\r\n');

function create(base: string, body: string, slugs: readonly string[] = [], headers: Record<string, string> = {}): Case {
  return {
    path: `${base}/automations`,
    question: { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } },
    slugs,
  };
}

const creates: Cases = fc
  .tuple(BASES, drafts, spaces, fc.boolean(), fc.option(fc.uuid()))
  .map(([base, draft, space, reversed, key]) => {
    const members = Object.entries(draft).map(
      ([name, value]) => `${space}${JSON.stringify(name)}${space}:${space}${JSON.stringify(value)}${space}`,
    );
    const body = `${space}{${(reversed ? members.reverse() : members).join()}}${space}`;
    return create(base, body, [], key === null ? {} : { 'Idempotency-Key': key });
  });

const notText = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string()),
  fc.dictionary(fc.string(), fc.integer()),
);
const broken = fc.oneof(
  illegalText({ multiline: false }).map((title) => ({ title })),
  illegalText({ multiline: true }).map((description) => ({ description })),
  fc.constantFrom('title', 'description', 'price', 'category_id').map((name) => ({ [name]: undefined })),
  fc.tuple(fc.constantFrom('title', 'description', 'category_id'), notText).map(([name, value]) => ({ [name]: value })),
  fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.array(fc.integer())).map((price) => ({ price })),
  fc
    .oneof(
      fc.double({ min: -1e9, max: -0.01, noNaN: true }),
      fc.double({ min: 1e8, noNaN: true, noDefaultInfinity: true }),
    )
    .map((price) => ({ price })),
  fc
    .string({ unit: 'binary' })
    .filter((id) => !TEST_CATEGORIES.some((category) => category.id === id))
    .map((id) => ({ category_id: id })),
  fc
    .string({ unit: 'binary', maxLength: 12 })
    .filter((name) => !(name in DRAFT))
    .map((name) => Object.fromEntries([[name, 1]])),
);
const wrongCreates: Cases = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(BASES, drafts, fc.array(broken, { minLength: 1, maxLength: 4 }))
      .map(([base, draft, changes]) =>
        create(base, JSON.stringify(Object.assign({}, draft, ...changes)), ['validation-error']),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(BASES, fc.jsonValue())
      .map(([base, value]) => create(base, JSON.stringify(value), ['validation-error'])),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(BASES, drafts, fc.nat()).map(([base, draft, cut]) => {
      const body = JSON.stringify(draft);
      return create(base, body.slice(0, cut % body.length), ['malformed-json']);
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(BASES, drafts, fc.constantFrom('text/plain', 'application/xml', 'application/json; charset=utf-16'))
      .map(([base, draft, type]) =>
        create(base, JSON.stringify(draft), ['unsupported-media-type'], { 'Content-Type': type }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(BASES, drafts, fc.constantFrom('a b', '""', '"', 'k'.repeat(256), '\\'))
      .map(([base, draft, key]) =>
        create(base, JSON.stringify(draft), ['idempotency-key-invalid'], { 'Idempotency-Key': key }),
      ),
  },
);

export const OPERATIONS = ['listAutomations', 'readAutomation', 'createAutomation', 'listCategories'] as const;
export type OperationId = (typeof OPERATIONS)[number];

/** What each operation is asked for, right and wrong. */
function casesOf(id: string): Readonly<Record<OperationId, readonly Cases[]>> {
  return {
    listAutomations: [lists, wrongLists],
    readAutomation: [reads(id), wrongReads(id)],
    createAutomation: [creates, wrongCreates],
    listCategories: [categories, wrongCategories],
  };
}

export interface FuzzOptions {
  /** At random by default; a failure names it. */
  readonly seed?: number;
  readonly repositories?: Repositories | Promise<Repositories>;
  readonly operations?: readonly OperationId[];
}

/**
 * Sends so many right and so many wrong requests to each operation; a counterexample is made small and thrown with its
 * seed.
 */
export async function fuzz(
  runs: number,
  { seed = randomInt(2 ** 31), repositories, operations = OPERATIONS }: FuzzOptions = {},
): Promise<void> {
  const service = await startService(repositories && { repositories });
  try {
    const key = await service.key();
    const { id } = JSON.parse((await offer(service.url, key, DRAFT)).body) as { id: string };
    for (const cases of operations.flatMap((operation) => casesOf(id)[operation]))
      await fc.assert(
        fc.asyncProperty(cases, (one) => check(service, key, one)),
        { numRuns: runs, seed },
      );
  } finally {
    await service.close();
  }
}

async function check(service: TestService, key: string, { path, question, slugs }: Case): Promise<void> {
  const before = await totalOf(service);
  const answer = await ask(`${service.url}${path}`, { key, ...question });
  if (slugs.length === 0) expect(answer.status, answer.body).to.equal(question.method === 'POST' ? 201 : 200);
  else expect(slugs, answer.body).to.include(slugOf(answer));
  expect((await totalOf(service)) - before, 'automations stored').to.equal(stored(answer));
  expect(service.errors, 'failures of the service').to.deep.equal([]);
}

function stored({ status, headers }: Answer): number {
  return status === 201 && !headers.has('idempotent-replayed') ? 1 : 0;
}
